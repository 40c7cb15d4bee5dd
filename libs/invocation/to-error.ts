/** What a handler threw, as an error: anything can be thrown. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error('A handler threw something that is not an error.', { cause: thrown });
}
