const MAX_SHOWN = 40;
const MAX_MESSAGE = 300;
const MAX_PATH = 200;

/** Where something stands in a value: `guests[2].name`. Names that are no identifiers are quoted: `["first name"]`. */
export function describePath(segments: readonly (string | number)[]): string {
  const path = segments.map(describeSegment).join('').replace(/^\./, '');
  return cut(path, MAX_PATH);
}

/** An expectation and what was given instead, unless nothing was: `must be string (given 5)`. */
export function describeIssue(expectation: string, given: unknown): string {
  const shown = describeGiven(given);
  return cut(expectation, MAX_MESSAGE) + (shown === undefined ? '' : ` (given ${shown})`);
}

/** A value for a list of what is allowed. */
export function describeAllowed(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? (describeGiven(value) ?? '')
    : cut(JSON.stringify(value), MAX_SHOWN);
}

/** The value that stands at the path, of own members only; undefined when there is none. */
export function valueAt(value: unknown, segments: readonly (string | number)[]): unknown {
  let found = value;
  for (const segment of segments) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, segment)) return undefined;
    found = (found as Record<string | number, unknown>)[segment];
  }
  return found;
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function describeSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}

/** Short, and never a part of a longer string, which might be a secret that ended up in the wrong place. */
function describeGiven(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return cut(JSON.stringify(value), MAX_SHOWN);
  return value.length <= MAX_SHOWN ? JSON.stringify(value) : `a string of ${value.length} characters`;
}
