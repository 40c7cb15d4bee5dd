import { charactersOf } from './uri-template-characters.js';
import { isNamed, isReserved, UriTemplateError, type Expression, type TemplatePart } from './uri-template-grammar.js';
import { NOWHERE, type Ends } from './uri-template-regions.js';

/**
 * A part of a template that knows how far it may reach in a URI. A region is from `start` to `end`, exclusive; a segment
 * that is optional may also be empty.
 */
export interface Segment {
  readonly optional: boolean;
  /** For every start the furthest end, or -1 where the segment cannot begin. In time that grows with the URI only. */
  reach(characters: readonly string[]): Ends;
  /** The least length of a region that is not empty; `exact` when only the furthest end will do. */
  readonly least: number | 'exact';
}

const UNRESERVED: ReadonlySet<string> = new Set(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'.split(''),
);

/** Characters that simple expansion encodes, and that people and models nevertheless write as they are. */
const OFTEN_PLAIN = [':', '@', '!', '$', '&', "'", '(', ')', '*', '+', ';', '='] as const;

/**
 * The characters that are taken unencoded where the RFC would have them encoded: all that people write so, but for those
 * that have a meaning in this template.
 */
export function toleratedIn(parts: readonly TemplatePart[]): ReadonlySet<string> {
  const after = parts.slice(parts.findIndex((part) => typeof part !== 'string'));
  const meaning = after.map((part) => {
    if (typeof part === 'string') return part;
    const pairs = isNamed(part) ? '&;=' : '';
    return part.operator + pairs + (part.variables.some(({ explode }) => explode) ? '=' : '');
  });
  return new Set(OFTEN_PLAIN.filter((character) => !meaning.join('').includes(character)));
}

/** @throws UriTemplateError when a literal is not percent-encoded UTF-8 */
export function segmentsOf(parts: readonly TemplatePart[], tolerated: ReadonlySet<string>): readonly Segment[] {
  return parts.map((part, index) => {
    if (typeof part === 'string') return literal(part);
    if (isNamed(part)) return named(part, tolerated);
    const later = parts.slice(index + 1).map((next) => (typeof next === 'string' ? '' : next.operator));
    return positional(part, tolerated, later.includes('?'), later.includes('#'));
  });
}

function literal(text: string): Segment {
  const expected = charactersOf(text);
  if (expected === undefined) throw new UriTemplateError(`the percent-encoding in "${text}" is not UTF-8`);
  const reach = (characters: readonly string[]): Ends => {
    const ends = new Array<number>(characters.length + 1).fill(NOWHERE);
    for (let start = 0; start + expected.length <= characters.length; start += 1) {
      const isHere = expected.every((character, offset) => characters[start + offset] === character);
      if (isHere) ends[start] = start + expected.length;
    }
    return ends;
  };
  return { optional: false, least: 'exact', reach };
}

function positional(
  expression: Expression,
  tolerated: ReadonlySet<string>,
  queryLater: boolean,
  fragmentLater: boolean,
): Segment {
  const { operator, variables } = expression;
  const lead = operator === '+' ? '' : operator;
  const explodes = variables.some(({ explode }) => explode);
  const extra = `,${operator}${explodes ? '=' : ''}`;
  const isInside = isReserved(expression)
    ? (character: string) => !(queryLater && character === '?') && !(fragmentLater && character === '#')
    : (character: string) => isEncoded(character) || extra.includes(character) || tolerated.has(character);
  const prefix = variables.length === 1 ? variables[0]?.prefix : undefined;
  const reach = (characters: readonly string[]): Ends => {
    const run = runs(characters, isInside);
    // No value has a slash in it, so there are at most as many as there are variables.
    if (operator === '/' && !explodes) limitSlashes(run, characters, variables.length);
    for (let start = 0; start < run.length; start += 1) {
      const end = Math.min(run[start] ?? 0, start + lead.length + (prefix ?? characters.length));
      const begins = lead === '' ? end > start : characters[start] === lead;
      run[start] = begins ? end : NOWHERE;
    }
    return run;
  };
  return { optional: lead !== '', least: 1, reach };
}

function named(expression: Expression, tolerated: ReadonlySet<string>): Segment {
  const { operator, variables } = expression;
  const separator = operator === '?' ? '&' : operator;
  const isInside = (character: string): boolean =>
    isEncoded(character) || character === ',' || character === '=' || tolerated.has(character);
  const names = new Set(variables.map(({ name }) => name));
  const takesAny = variables.some(({ explode }) => explode);
  const reach = (characters: readonly string[]): Ends => {
    const run = runs(characters, isInside);
    const ends = new Array<number>(characters.length + 1).fill(NOWHERE);
    // From the back, so that where the pairs after this one end is known.
    for (let start = characters.length - 1; start >= 0; start -= 1) {
      if (characters[start] !== operator && characters[start] !== separator) continue;
      const end = run[start + 1] ?? start;
      const pair = characters.slice(start + 1, end);
      const name = pair.slice(0, pair.includes('=') ? pair.indexOf('=') : pair.length).join('');
      if (name === '' || !(takesAny || names.has(name))) continue;
      const follows = characters[end] === separator ? (ends[end] ?? NOWHERE) : NOWHERE;
      ends[start] = Math.max(end, follows);
    }
    return operator === separator ? ends : ends.map((end, start) => (characters[start] === operator ? end : NOWHERE));
  };
  return { optional: true, least: 'exact', reach };
}

/** True for what may stand in any value: unreserved characters and encoded ones. */
function isEncoded(character: string): boolean {
  return character.length > 1 || UNRESERVED.has(character);
}

/** For every start, where the run of such characters that begins there ends. */
function runs(characters: readonly string[], isInside: (character: string) => boolean): number[] {
  const ends = new Array<number>(characters.length + 1);
  let end = characters.length;
  for (let start = characters.length; start >= 0; start -= 1) {
    if (start < characters.length && !isInside(characters[start] ?? '')) end = start;
    ends[start] = end;
  }
  return ends;
}

function limitSlashes(run: number[], characters: readonly string[], most: number): void {
  const slashes: number[] = [];
  for (let start = characters.length - 1; start >= 0; start -= 1) {
    if (characters[start] === '/') slashes.unshift(start);
    if (slashes.length > most + 1) slashes.pop();
    run[start] = Math.min(run[start] ?? 0, slashes[most] ?? characters.length);
  }
}
