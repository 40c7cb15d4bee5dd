import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { isReserved, type Expression } from './uri-template-grammar.js';

/** A variable's value: a string, a list, or an associative array (RFC 6570 section 2.3). */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>;

export type TemplateValues = Readonly<Record<string, TemplateValue>>;

/** What simple expansion must encode (RFC 6570 section 3.2.1), and the library, going by JavaScript, does not. */
const LEFT_BY_SIMPLE = /['()*]/g;

/** What is neither unreserved, reserved nor encoded (section 3.2.3), and the library leaves as it is. */
const LEFT_BY_RESERVED = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu;

/** The library knows an encoded character only where it is one byte. */
const ENCODED_BYTES = /(?:%[89A-Fa-f][0-9A-Fa-f])+/g;

/** Expands one expression. Values that are not there, or are inherited, are undefined variables. */
export function expandExpression(expression: Expression, values: TemplateValues): string {
  const reserved = isReserved(expression);
  const used: Record<string, TemplateValue> = Object.create(null) as Record<string, TemplateValue>;
  for (const { name } of expression.variables) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined) used[name] = prepare(value, reserved);
  }
  const expanded = StdUriTemplate.expand(expression.text, used);
  return reserved
    ? expanded.replace(LEFT_BY_RESERVED, encodeURIComponent)
    : expanded.replace(LEFT_BY_SIMPLE, encodeByte);
}

function prepare(value: TemplateValue, reserved: boolean): TemplateValue {
  if (typeof value === 'string') return prepareText(value, reserved);
  if (isList(value)) return value.map((item) => prepareText(item, reserved));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [prepareText(key, reserved), prepareText(item, reserved)]),
  );
}

function prepareText(text: string, reserved: boolean): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\uFFFD');
  return reserved ? wellFormed.replace(ENCODED_BYTES, decodeIfUtf8) : wellFormed;
}

function decodeIfUtf8(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function isList(value: TemplateValue): value is readonly string[] {
  return Array.isArray(value);
}
