import type { Segment } from './uri-template-segments.js';

/** For every start in a URI an end, or -1. */
export type Ends = readonly number[];

export const NOWHERE = -1;

/**
 * Divides a URI among the segments of a template: each takes as much as it can so that the rest still fits, but leaves an
 * optional one after it something where it can. Goes from the back and remembers for every position whether the rest fits
 * there, so that the time grows with the lengths of URI and template and not with the ways to divide it.
 * @returns the characters of each segment, joined; undefined when the URI does not fit
 */
export function divide(characters: readonly string[], segments: readonly Segment[]): readonly string[] | undefined {
  const rest = new Array<number>(characters.length + 1).fill(NOWHERE);
  rest[characters.length] = characters.length;
  let fits: Ends = rest;
  const choices = new Array<Ends>(segments.length);
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const segment = segments[index];
    if (segment === undefined) return undefined;
    fits = choose(segment, characters, fits, segments[index + 1]?.optional === true);
    choices[index] = fits;
  }
  return walk(characters, choices);
}

function walk(characters: readonly string[], choices: readonly Ends[]): readonly string[] | undefined {
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

/** For every start the end that the segment takes, given where the rest fits. */
function choose(segment: Segment, characters: readonly string[], fits: Ends, optionalFollows: boolean): Ends {
  const furthest = segment.reach(characters);
  const any = latest(fits, false);
  const preferred = optionalFollows ? latest(fits, true) : any;
  const chosen = new Array<number>(furthest.length);
  for (let start = 0; start < furthest.length; start += 1) {
    const end = endOf(segment, start, furthest[start] ?? NOWHERE, { fits, any, preferred });
    chosen[start] = end === NOWHERE && segment.optional && fits[start] !== NOWHERE ? start : end;
  }
  return chosen;
}

interface Rest {
  /** Where the next segment ends that begins here; -1 where the rest does not fit. */
  readonly fits: Ends;
  /** The last position up to here at which the rest fits. */
  readonly any: Ends;
  /** The same, of those at which the next segment is not empty. */
  readonly preferred: Ends;
}

function endOf({ least }: Segment, start: number, furthest: number, { fits, any, preferred }: Rest): number {
  if (furthest === NOWHERE) return NOWHERE;
  if (least === 'exact') return fits[furthest] === NOWHERE ? NOWHERE : furthest;
  const best = preferred[furthest] ?? NOWHERE;
  const end = best >= start + least ? best : (any[furthest] ?? NOWHERE);
  return end >= start + least ? end : NOWHERE;
}

function latest(fits: Ends, onlyFilled: boolean): Ends {
  const positions = new Array<number>(fits.length);
  let last = NOWHERE;
  for (let at = 0; at < fits.length; at += 1) {
    if ((fits[at] ?? NOWHERE) > (onlyFilled ? at : NOWHERE)) last = at;
    positions[at] = last;
  }
  return positions;
}
