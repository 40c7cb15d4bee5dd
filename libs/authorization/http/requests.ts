import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** The largest body of an OAuth request, in bytes. */
export const BODY_LIMIT = 48 * 1024;
const MAX_PARAMETERS = 100;

/** Fields from which the provider would learn an origin. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-for',
  'x-forwarded-prefix',
] as const;

/** Lets the provider see the issuer's origin, whatever host and scheme the request came by. */
export function pinOrigin(request: IncomingMessage, issuer: string): void {
  const { host, protocol } = new URL(issuer);
  for (const name of FORWARDED) Reflect.deleteProperty(request.headers, name);
  request.headers.host = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
}

/**
 * Takes out an `Authorization` that is no client's. Hosts that send the access token along with every request mean nothing
 * by it here, and the provider would refuse them for it.
 */
export function dropForeignCredentials({ headers }: IncomingMessage): void {
  if (!/^basic /i.test(headers.authorization ?? '')) delete headers.authorization;
}

/** Lets the provider read this body in place of the one that was read from the socket. */
export function replayBody(request: IncomingMessage, text: string): void {
  const bytes = Buffer.from(text);
  delete request.headers['transfer-encoding'];
  request.headers['content-length'] = String(bytes.length);
  Object.defineProperties(request, {
    readable: { value: true },
    iterator: { value: () => Readable.from([bytes])[Symbol.asyncIterator]() },
  });
}

/** The parameters of a form or a query; undefined when there are too many. */
export function readParameters(text: string): URLSearchParams | undefined {
  const parameters = new URLSearchParams(text);
  return parameters.size > MAX_PARAMETERS ? undefined : parameters;
}

export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

/** A cookie's value; undefined when it is not there. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split(/=(.*)/s);
    if (key === name) return value;
  }
  return undefined;
}
