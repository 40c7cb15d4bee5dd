/** The middle value, or the mean of the two middle ones. @throws RangeError when there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError('The median of no values.');
  return (lower + upper) / 2;
}
