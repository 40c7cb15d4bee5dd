import { isJsonObject } from '#protocol/json.js';
import { pointerTo } from '#schema/json-pointer.js';
import { argumentOf, type Arguments, itemsOf, percentEncode, textOf } from './argument-values.js';
import type { ParameterDefinition } from './http-tool-definition.js';
import type { KnownArguments } from './known-arguments.js';

/** Makes `a=b&c=d`; empty when nothing is to be said. */
export type WriteParameters = (args: Arguments) => string;

type Written = Exclude<ParameterDefinition, string | number | boolean>;

const DELIMITERS = { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' } as const;
const MAX_DEPTH = 16;

/**
 * Compiles the parameters of a query or a form (OpenAPI 3.1, "Style Values"). Arguments that are absent or null are left out.
 * @throws DefinitionError
 */
export function compileParameters(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  pointer: string,
  known: KnownArguments,
): WriteParameters {
  const writers = Object.entries(parameters).map(([name, parameter]): WriteParameters => {
    if (typeof parameter !== 'object') {
      const constant = pair(name, textOf(parameter));
      return () => constant;
    }
    known.use(parameter.argument, pointerTo(pointerTo(pointer, name), 'argument'));
    return (args) => write(name, parameter, argumentOf(args, parameter.argument));
  });
  return (args) =>
    writers
      .map((writer) => writer(args))
      .filter((text) => text !== '')
      .join('&');
}

/** Every member of an object in the style `form`. */
export function writeForm(values: Arguments): string {
  return Object.entries(values)
    .map(([name, value]) => write(name, { argument: name, style: 'form' }, value))
    .filter((text) => text !== '')
    .join('&');
}

function write(name: string, { style, explode = style === 'form' }: Written, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (style === 'json') return pair(name, JSON.stringify(value));
  if (style === 'deepObject') return deep(name, value, 0).join('&');
  const items = itemsOf(value);
  if (typeof items === 'string') return pair(name, items);
  const delimiter = DELIMITERS[style];
  if (isList(items)) {
    if (explode) return items.map((item) => pair(name, item)).join('&');
    return items.length === 0 ? '' : `${percentEncode(name)}=${items.map(percentEncode).join(delimiter)}`;
  }
  const members = Object.entries(items);
  if (explode) return members.map(([key, item]) => pair(key, item)).join('&');
  return members.length === 0 ? '' : `${percentEncode(name)}=${members.flat().map(percentEncode).join(delimiter)}`;
}

function deep(name: string, value: unknown, depth: number): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value) || depth === MAX_DEPTH) {
    return Array.isArray(value) ? value.map((item) => pair(`${name}[]`, textOf(item))) : [pair(name, textOf(value))];
  }
  return Object.entries(value).flatMap(([key, item]) => deep(`${name}[${key}]`, item, depth + 1));
}

function pair(name: string, value: string): string {
  return `${percentEncode(name)}=${percentEncode(value)}`;
}

function isList(items: ReturnType<typeof itemsOf>): items is readonly string[] {
  return Array.isArray(items);
}
