import { DefinitionError } from '#catalogue/definition-error.js';
import { isJsonObject, type JsonObject, type JsonValue } from '#protocol/json.js';
import { pointerTo } from '#schema/json-pointer.js';
import { argumentOf, type Arguments } from './argument-values.js';
import type { KnownArguments } from './known-arguments.js';

/** Makes a value from the arguments; undefined where an argument was left out. */
export type Template = (args: Arguments) => unknown;

const MAX_DEPTH = 32;

/**
 * Compiles a JSON value with places for arguments: `{"$argument": "name"}` is replaced by the argument, with its type;
 * `{"$arguments": "all"}` and `"rest"` by an object of all of them, or of those that the request names nowhere else;
 * `{"$literal": …}` by what stands in it, untouched. Members and items whose argument was left out are left out.
 * @throws DefinitionError
 */
export function compileTemplate(value: JsonValue, pointer: string, known: KnownArguments, depth = 0): Template {
  if (depth > MAX_DEPTH)
    throw new DefinitionError(pointer, `this is nested more than ${MAX_DEPTH} levels deep.`, 'Flatten it.');
  if (Array.isArray(value)) {
    const items = value.map((item, index) => compileTemplate(item, pointerTo(pointer, index), known, depth + 1));
    return (args) => items.map((item) => item(args)).filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return () => value;
  return special(value, pointer, known) ?? members(value, pointer, known, depth);
}

function special(value: JsonObject, pointer: string, known: KnownArguments): Template | undefined {
  const marked = ['$argument', '$arguments', '$literal'].find((key) => Object.hasOwn(value, key));
  if (marked === undefined) return undefined;
  const at = pointerTo(pointer, marked);
  if (Object.keys(value).length > 1)
    throw new DefinitionError(pointer, `"${marked}" stands beside other members.`, 'Let it stand alone in its object.');
  const given = value[marked];
  if (marked === '$literal') return () => given;
  if (marked === '$argument') {
    if (typeof given !== 'string')
      throw new DefinitionError(at, 'this is not the name of an argument.', 'Give a string.');
    known.use(given, at);
    return (args) => argumentOf(args, given);
  }
  if (given === 'all') return (args) => ({ ...args });
  if (given === 'rest')
    return (args) => Object.fromEntries(Object.entries(args).filter(([name]) => !known.used.has(name)));
  throw new DefinitionError(at, 'this names no set of arguments.', 'Use "all" or "rest".');
}

function members(value: JsonObject, pointer: string, known: KnownArguments, depth: number): Template {
  const compiled = Object.entries(value).map(
    ([key, item]) => [key, compileTemplate(item, pointerTo(pointer, key), known, depth + 1)] as const,
  );
  return (args): Record<string, unknown> =>
    Object.fromEntries(
      compiled.map(([key, item]) => [key, item(args)] as const).filter(([, made]) => made !== undefined),
    );
}
