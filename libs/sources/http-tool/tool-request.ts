import type { OutboundClient } from '#outbound/outbound-client.js';
import { ENCODINGS } from '#outbound/unpack.js';
import type { Arguments } from './argument-values.js';
import { checkedUrl } from './checked-url.js';
import type { RequestDefinition } from './http-tool-definition.js';
import type { KnownArguments } from './known-arguments.js';
import { compileBody } from './request-body.js';
import { compileCookies, compileHeaders } from './request-headers.js';
import { compileParameters } from './request-parameters.js';
import { compileUrl } from './request-url.js';

/** A request as the arguments make it, before credentials. */
export interface MadeRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** @throws ArgumentError when an argument cannot be sent */
export type WriteRequest = (args: Arguments) => MadeRequest;

/** What every request of the platform to a service says, unless the definition says otherwise. */
export const HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json, */*;q=0.8',
  'accept-encoding': ENCODINGS,
  'user-agent': 'Causeway',
};

/** @throws DefinitionError */
export function compileRequest(
  definition: RequestDefinition,
  known: KnownArguments,
  outbound: Pick<OutboundClient, 'check'>,
): WriteRequest {
  const { method } = definition;
  const url = compileUrl(definition.url, '/request/url', known);
  const { origin } = url;
  checkedUrl(origin, '/request/url', outbound);
  const query = compileParameters(definition.query, '/request/query', known);
  const headers = compileHeaders(definition.headers, '/request/headers', known);
  const cookies = compileCookies(definition.cookies, '/request/cookies', known);
  const body = definition.body && compileBody(definition.body, method, known);
  return (args) => {
    const made = body?.(args);
    const fields: Record<string, string> = { ...HEADERS };
    if (made) fields['content-type'] = made.contentType;
    headers(args, fields);
    cookies(args, fields);
    return { method, origin, path: withQuery(url.path(args), query(args)), headers: fields, body: made?.bytes };
  };
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
