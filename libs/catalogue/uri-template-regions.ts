import type { Segment } from './uri-template-segments.js';

const NOWHERE = -1;

/**
 * Divides a URI among the segments of a template: each takes as much as it can so that the rest still fits, but leaves an
 * optional one after it something where it can. Goes from the back and remembers for every position whether the rest fits
 * there, so that the time grows with the lengths of URI and template and not with the ways to divide it.
 * @returns the characters of each segment, joined; undefined when the URI does not fit
 */
export function divide(characters: readonly string[], segments: readonly Segment[]): readonly string[] | undefined {
  let fits: Int32Array = new Int32Array(characters.length + 1).fill(NOWHERE);
  fits[characters.length] = characters.length;
  let follower: Segment | undefined;
  const choices: Int32Array[] = [];
  for (const segment of segments.toReversed()) {
    fits = choose(segment, characters, fits, follower);
    if (!fits.some((end) => end !== NOWHERE)) return undefined;
    choices.unshift(fits);
    follower = segment;
  }
  return walk(characters, choices);
}

function walk(characters: readonly string[], choices: readonly Int32Array[]): readonly string[] | undefined {
  const regions: string[] = [];
  let start = 0;
  for (const choice of choices) {
    const end = choice[start] ?? NOWHERE;
    if (end === NOWHERE) return undefined;
    regions.push(characters.slice(start, end).join(''));
    start = end;
  }
  return regions;
}

/** For every start, the end that the segment takes, given where the rest fits; -1 where it does not. */
function choose(
  segment: Segment,
  characters: readonly string[],
  fits: Int32Array,
  follower: Segment | undefined,
): Int32Array {
  const { least, optional } = segment;
  const any = latest(fits, (end) => end !== NOWHERE);
  const preferred = follower?.optional === true ? latest(fits, (end, at) => end > at) : any;
  return segment.reach(characters).map((furthest, start) => {
    if (furthest !== NOWHERE && least === 'exact' && fits[furthest] !== NOWHERE) return furthest;
    if (furthest !== NOWHERE && least !== 'exact') {
      const end = [preferred[furthest], any[furthest]].find((candidate) => (candidate ?? NOWHERE) >= start + least);
      if (end !== undefined) return end;
    }
    return optional && fits[start] !== NOWHERE ? start : NOWHERE;
  });
}

/** For every position the last one up to it that passes, or -1. */
function latest(fits: Int32Array, passes: (end: number, at: number) => boolean): Int32Array {
  let last = NOWHERE;
  return fits.map((end, at) => (last = passes(end, at) ? at : last));
}
