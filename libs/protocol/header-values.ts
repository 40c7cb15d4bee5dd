const PREFIX = '=?base64?';
const SUFFIX = '?=';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PLAIN = /^[\t\x20-\x7e]*$/;
const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text that a mirrored header value stands for: literal, or base64 of UTF-8 between `=?base64?` and `?=`
 * (specification: basic/transports/streamable-http, "Value Encoding"). Undefined when it has characters that a header
 * must not have, or when its base64 or UTF-8 is malformed.
 */
export function decodeHeaderValue(raw: string): string | undefined {
  if (!PLAIN.test(raw)) return undefined;
  if (!raw.startsWith(PREFIX) || !raw.endsWith(SUFFIX) || raw.length < PREFIX.length + SUFFIX.length) return raw;
  const encoded = raw.slice(PREFIX.length, -SUFFIX.length);
  if (!BASE64.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

/**
 * Whether a decoded header value says the same as the argument it mirrors. Integers are compared as numbers, so that
 * `42.0` equals 42.
 */
export function mirrorsValue(decoded: string, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return decoded === value;
    case 'boolean':
      return decoded === String(value);
    case 'number':
      return NUMBER.test(decoded) && Number(decoded) === value;
    default:
      return false;
  }
}
