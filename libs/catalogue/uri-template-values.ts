import { isNamed, isReserved, type Expression, type TemplateVariable } from './uri-template-grammar.js';
import type { TemplateValue } from './uri-template-expansion.js';

/** A variable and its value as the URI spells it, still percent-encoded. */
export type Reading = readonly [variable: TemplateVariable, value: TemplateValue];

const SEPARATORS = { '': ',', '+': ',', '#': ',', '.': '.', '/': '/', ';': ';', '?': '&', '&': '&' } as const;

/**
 * Reads the values of an expression out of what it stands for in a URI. Where a URI does not tell, the first of these is
 * taken: a string rather than a list in reserved expansion, a list rather than an associative array, the earlier
 * variable rather than the later. Undefined when there are more values than variables.
 */
export function readValues(expression: Expression, region: string): readonly Reading[] | undefined {
  if (region === '') return [];
  const separator = SEPARATORS[expression.operator];
  const body = /^[+]?$/.test(expression.operator) ? region : region.slice(1);
  return isNamed(expression)
    ? readNamed(expression, body.split(separator))
    : readPositional(expression, body, separator);
}

function readNamed({ variables }: Expression, pairs: readonly string[]): readonly Reading[] | undefined {
  const readings = new Map<TemplateVariable, TemplateValue>();
  const others: string[] = [];
  for (const pair of pairs) {
    const [name, value] = splitPair(pair);
    const variable = variables.find((candidate) => candidate.name === name);
    if (variable === undefined) others.push(pair);
    else if (variable.explode)
      readings.set(variable, [...((readings.get(variable) as string[] | undefined) ?? []), value]);
    else if (readings.has(variable)) return undefined;
    else readings.set(variable, listOrText(value));
  }
  if (others.length === 0) return [...readings];
  const [map, ...more] = variables.filter((variable) => variable.explode && !readings.has(variable));
  return map === undefined || more.length > 0 ? undefined : [...readings, [map, mapOf(others)]];
}

function readPositional(expression: Expression, body: string, separator: string): readonly Reading[] | undefined {
  const { variables, operator } = expression;
  const [only] = variables;
  if (variables.length === 1 && only !== undefined && !only.explode) {
    return [[only, isReserved(expression) ? body : listOrText(body)]];
  }
  const pieces = body.split(separator);
  const exploded = variables.findIndex(({ explode }) => explode);
  const surplus = pieces.length - variables.length;
  if (surplus > 0 && exploded < 0) return undefined;
  return variables.slice(0, pieces.length).map((variable, index) => {
    const shift = surplus > 0 && index > exploded ? surplus : 0;
    const piece = pieces[index + shift] ?? '';
    if (variable.explode)
      return [variable, listOrMap(pieces.slice(index, index + 1 + Math.max(surplus, 0)), separator)];
    return [variable, operator === '.' || operator === '/' ? listOrText(piece) : piece];
  });
}

/** Elsewhere than between variables, a comma that is not encoded comes from a list. */
function listOrText(text: string): TemplateValue {
  return text.includes(',') ? text.split(',') : text;
}

/** Pairs make an associative array. A piece that is no pair belongs to the value before, which had the separator in it. */
function listOrMap(pieces: readonly string[], separator: string): TemplateValue {
  if (pieces[0]?.includes('=') !== true) return pieces;
  const pairs: string[] = [];
  for (const piece of pieces) {
    if (piece.includes('=')) pairs.push(piece);
    else pairs.push(`${pairs.pop() ?? ''}${separator}${piece}`);
  }
  return mapOf(pairs);
}

function mapOf(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(splitPair));
}

function splitPair(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}
