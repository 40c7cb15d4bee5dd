import { ShownError } from '#authoring/shown-error.js';
import { isJsonObject } from '#protocol/json.js';

/** What a tool is called with. */
export type Arguments = Readonly<Record<string, unknown>>;

/** An argument cannot be sent; the model is told why, never the value. */
export class ArgumentError extends ShownError {
  constructor(name: string, problem: string) {
    super(`The argument "${name.slice(0, 64)}" ${problem}.`);
    this.name = 'ArgumentError';
  }
}

/** The argument, undefined when it was left out. Inherited members are none. */
export function argumentOf(args: Arguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** A value as text: a string as it is, a number or boolean in words, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Members of a list or an object as text; of any other value itself. */
export function itemsOf(value: unknown): readonly string[] | Readonly<Record<string, string>> | string {
  if (Array.isArray(value)) return value.map(textOf);
  if (!isJsonObject(value)) return textOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, textOf(item)]));
}

/** Everything but unreserved characters (RFC 3986 section 2.3) percent-encoded. */
export function percentEncode(text: string): string {
  const encoded = PLAIN.test(text)
    ? text
    : encodeURIComponent(LONE.test(text) ? text.replace(EVERY_LONE, '\ufffd') : text);
  return LEFT.test(encoded) ? encoded.replace(EVERY_LEFT, encodeByte) : encoded;
}

const PLAIN = /^[A-Za-z0-9._~-]*$/;
const LONE = /\p{Surrogate}/u;
const EVERY_LONE = /\p{Surrogate}/gu;
/** What `encodeURIComponent` leaves although it is reserved. */
const LEFT = /[!'()*]/;
const EVERY_LEFT = /[!'()*]/g;

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** @throws ArgumentError when the argument is not base64 */
export function fromBase64(value: unknown, argument: string): Uint8Array {
  if (typeof value === 'string' && BASE64.test(value)) return Buffer.from(value, 'base64');
  throw new ArgumentError(argument, 'must be base64');
}
