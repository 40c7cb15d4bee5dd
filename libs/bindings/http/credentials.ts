import type { IncomingMessage } from 'node:http';
import { type Credentials, NO_CREDENTIALS } from '#access/credentials.js';

const FIELD = 'authorization';

/** What an HTTP request brought to show who calls. Node keeps the first of several `Authorization` fields: all count here. */
export function credentialsOf({ headers, rawHeaders, socket, url = '' }: IncomingMessage): Credentials {
  const { authorization } = headers;
  const query = url.indexOf('?');
  if (authorization === undefined && query === -1) return NO_CREDENTIALS;
  return {
    authorization,
    repeated: authorization !== undefined && isRepeated(rawHeaders),
    inQuery: query !== -1 && new URLSearchParams(url.slice(query)).has('access_token'),
    connection: socket,
  };
}

function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === FIELD.length && name.toLowerCase() === FIELD) count += 1;
  }
  return count > 1;
}
