import type { OutboundRequest, OutboundResponse } from './outbound-request.js';

/** A redirect leads nowhere, or one follows another without end. */
export class RedirectError extends Error {
  constructor(problem: string) {
    super(`The redirect ${problem}.`);
    this.name = 'RedirectError';
  }
}

/** What may go along to another origin; any other header might be a credential. */
const HARMLESS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'user-agent',
]);
const ABOUT_THE_BODY = new Set(['content-type', 'content-language', 'content-encoding']);

/**
 * The request that a redirect asks for (RFC 9110 section 15.4), without credentials when it goes to another origin;
 * undefined when the response is no redirect.
 * @throws RedirectError
 */
export function redirected({ status, headers, request }: OutboundResponse): OutboundRequest | undefined {
  const { location } = headers;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  // Not `new URL(path, origin)`: a path that begins with `//` would name another host, and have our credentials.
  const from = new URL(`${request.origin}${request.path}`);
  if (!URL.canParse(location, from.href)) throw new RedirectError('is to no URL');
  const to = new URL(location, from);
  if (!/^https?:$/.test(to.protocol)) throw new RedirectError('is to no https: URL');
  if (to.username !== '' || to.password !== '') throw new RedirectError('has a password in its URL');
  const becomesGet =
    (status === 303 && request.method !== 'HEAD') || ((status === 301 || status === 302) && request.method === 'POST');
  const kept = Object.entries(request.headers).filter(
    ([name]) => (to.origin === from.origin || HARMLESS.has(name)) && !(becomesGet && ABOUT_THE_BODY.has(name)),
  );
  return {
    method: becomesGet ? 'GET' : request.method,
    origin: to.origin,
    path: `${to.pathname}${to.search}`,
    headers: Object.fromEntries(kept),
    ...(!becomesGet && request.body !== undefined && { body: request.body }),
  };
}
