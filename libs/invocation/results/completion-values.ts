import { isJsonObject } from '#protocol/json.js';
import { ResultError } from '../fault.js';

/** The most that one answer may suggest (specification: server/utilities/completion). */
const MAX_VALUES = 100;

export interface CompletionBody {
  readonly completion: { readonly values: readonly string[]; readonly total?: number; readonly hasMore: boolean };
}

/**
 * A completion from what its handler returned: values, or values with how many there are in all. Only the first 100 are
 * sent.
 * @throws ResultError for anything else
 */
export function toCompletion(returned: unknown): CompletionBody {
  if (isStrings(returned)) return cut(returned, returned.length, false);
  if (isJsonObject(returned) && isStrings(returned['values'])) {
    const { values, total, hasMore } = returned;
    return cut(values, typeof total === 'number' ? total : undefined, hasMore === true);
  }
  throw new ResultError('A completion handler returns strings, or an object with them as "values".');
}

/** Those of the fixed values that begin with what was typed, whatever the case. */
export function matching(values: readonly string[], typed: string): readonly string[] {
  const start = typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().startsWith(start));
}

function cut(values: readonly string[], total: number | undefined, more: boolean): CompletionBody {
  const shown = values.slice(0, MAX_VALUES);
  const hasMore = more || values.length > MAX_VALUES || (total !== undefined && total > shown.length);
  return { completion: { values: shown, ...(total !== undefined && { total }), hasMore } };
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}
