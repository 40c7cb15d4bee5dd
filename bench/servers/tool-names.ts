import { ECHO_TOOL } from '../requests.js';

export const ECHO_DESCRIPTION = 'Repeats the text.';

/** The names of a server with this many tools, the one that is called last. */
export function toolNames(count: number): readonly string[] {
  return [...Array.from({ length: count - 1 }, (_, index) => `echo-${index + 1}`), ECHO_TOOL];
}
