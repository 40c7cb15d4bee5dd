import { ShownError } from '#authoring/shown-error.js';
import type { WriteValue } from './text-template.js';

/** How much values may add to the texts that are written together, in characters. */
const MAX_ADDED = 4 * 1024 * 1024;

/** Lets values through as they are until there is too much of them: a template may name one as often as it likes. */
export function lengthLimit(): WriteValue {
  let added = 0;
  return (value) => {
    added += value.length;
    if (added > MAX_ADDED) throw new ShownError(`The arguments make more than ${MAX_ADDED} characters. Shorten them.`);
    return value;
  };
}
