import { DefinitionError } from '#catalogue/definition-error.js';
import { pointerTo } from '#schema/json-pointer.js';
import { argumentOf, ArgumentError, type Arguments, itemsOf, percentEncode, textOf } from './argument-values.js';
import type { FieldDefinition } from './http-tool-definition.js';
import type { KnownArguments } from './known-arguments.js';

/** Adds to these headers, by name in lower case. */
export type WriteHeaders = (args: Arguments, headers: Record<string, string>) => void;

type Fields = Readonly<Record<string, FieldDefinition>>;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** Of this connection, or of the message as it is sent; the client sets them itself (RFC 9110 section 7.6.1). */
const OURS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect|accept-encoding|http2-settings)$/;
const ELSEWHERE: Readonly<Record<string, string>> = {
  authorization: 'Put it into /credentials, where it is sealed.',
  cookie: 'Put it into /request/cookies.',
  'content-type': 'Give it as contentType of /request/body.',
};

/** @throws DefinitionError */
export function compileHeaders(headers: Fields, pointer: string, known: KnownArguments): WriteHeaders {
  const writers = Object.entries(headers).map(([given, field]): WriteHeaders => {
    const at = pointerTo(pointer, given);
    checkHeaderName(given, at);
    const name = given.toLowerCase();
    if (typeof field !== 'object') {
      const value = textOf(field);
      if (!VALUE.test(value))
        throw new DefinitionError(at, 'the value cannot stand in a header.', 'Use printable ASCII.');
      return (_args, into) => void (into[name] = value);
    }
    known.use(field.argument, pointerTo(at, 'argument'));
    return (args, into) => {
      const value = argumentOf(args, field.argument);
      if (value !== undefined && value !== null) into[name] = headerValue(field.argument, listed(value, field.explode));
    };
  });
  return (args, into) => {
    for (const writer of writers) writer(args, into);
  };
}

/**
 * Cookies of the request, as one header (RFC 6265 section 4.2.1).
 * @throws DefinitionError
 */
export function compileCookies(cookies: Fields, pointer: string, known: KnownArguments): WriteHeaders {
  const writers = Object.entries(cookies).map(([name, field]) => {
    const at = pointerTo(pointer, name);
    if (!TOKEN.test(name))
      throw new DefinitionError(at, 'this cannot be the name of a cookie.', 'Use letters, digits, "-" and "_".');
    if (typeof field === 'object') known.use(field.argument, pointerTo(at, 'argument'));
    return (args: Arguments): string | undefined => {
      const value = typeof field === 'object' ? argumentOf(args, field.argument) : field;
      if (value === undefined || value === null) return undefined;
      return `${name}=${percentEncode(listed(value, typeof field === 'object' && field.explode))}`;
    };
  });
  return (args, into) => {
    const pairs = writers.map((writer) => writer(args)).filter((pair) => pair !== undefined);
    if (pairs.length > 0) into['cookie'] = pairs.join('; ');
  };
}

/** @throws DefinitionError when it is no name of a header, or of one that is not the definition's to set */
export function checkHeaderName(name: string, pointer: string): void {
  if (!TOKEN.test(name))
    throw new DefinitionError(pointer, 'this cannot be the name of a header.', 'Use letters, digits and "-".');
  const lower = name.toLowerCase();
  if (OURS.test(lower))
    throw new DefinitionError(pointer, `the header "${name.slice(0, 64)}" is set by the platform.`, 'Leave it out.');
  const mend = ELSEWHERE[lower];
  if (mend !== undefined)
    throw new DefinitionError(pointer, `the header "${name.slice(0, 64)}" has a place of its own.`, mend);
}

/** The style `simple` of OpenAPI. */
function listed(value: unknown, explode: boolean): string {
  const items = itemsOf(value);
  if (typeof items === 'string') return items;
  if (Array.isArray(items)) return items.join(',');
  return Object.entries(items)
    .map(([key, item]) => `${key}${explode ? '=' : ','}${item}`)
    .join(',');
}

function headerValue(argument: string, value: string): string {
  if (VALUE.test(value)) return value;
  throw new ArgumentError(argument, 'is sent as a header, and may hold printable ASCII alone');
}
