import type { OutgoingHttpHeaders } from 'node:http';
import { type Challenge, ERRORS, type Rejection } from '#protocol/errors.js';

/** The one place for the header fields of the MCP endpoint and of the document about it. */

const METHODS = 'POST';

/** Request fields that browser clients may send besides the simple ones; `Mcp-Param-*` have names of the tools' own. */
const REQUEST_FIELDS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
];

/** Response fields that browser clients may read. */
const EXPOSED_FIELDS = 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version';

/** Fields by which a response is shared with the page that asked, when its origin is trusted. */
export function corsFields(origin: string | undefined): OutgoingHttpHeaders {
  if (origin === undefined) return {};
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_FIELDS, vary: 'Origin' };
}

/** A JSON answer of this many bytes. */
export function jsonFields(length: number, origin: string | undefined): OutgoingHttpHeaders {
  const fields = { 'content-type': 'application/json', 'content-length': length };
  return origin === undefined ? fields : { ...fields, ...corsFields(origin) };
}

/** An SSE stream; proxies are told to pass it on as it comes (specification: streamable-http, "Receiving Messages"). */
export function streamFields(origin: string | undefined): OutgoingHttpHeaders {
  return {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...corsFields(origin),
  };
}

/** What a rejection adds: which methods are allowed, when to come back, what a token must be. */
export function rejectionFields({ kind, challenge }: Rejection): OutgoingHttpHeaders {
  if (challenge) return { 'www-authenticate': challengeField(challenge) };
  switch (ERRORS[kind].status) {
    case 405:
      return { allow: METHODS };
    case 429:
    case 503:
      return { 'retry-after': '5' };
    default:
      return {};
  }
}

/** Scopes that take more characters are left out: hosts find them in the resource's document, and their parsers survive. */
const MAX_SCOPE_LENGTH = 4_096;

/** The value of `WWW-Authenticate` (RFC 6750 section 3; RFC 9728 section 5.1). */
export function challengeField({ resourceMetadata, scope = [], error, description }: Challenge): string {
  const scopes = scope.join(' ');
  const parameters = Object.entries({
    resource_metadata: resourceMetadata,
    scope: scopes === '' || scopes.length > MAX_SCOPE_LENGTH ? undefined : scopes,
    error,
    error_description: description,
  }).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${quoted(value)}`));
  return `Bearer ${parameters.length === 0 ? 'realm="mcp"' : parameters.join(', ')}`;
}

/** A quoted-string (RFC 9110 section 5.6.4); what cannot stand in one becomes a question mark. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

const DOCUMENT_METHODS = 'GET, HEAD, OPTIONS';

/** A JSON document that anybody may read, pages of any origin too. Only a good one is kept, and not for long. */
export function documentFields(status: number, length: number): OutgoingHttpHeaders {
  return {
    'content-type': 'application/json',
    'content-length': length,
    'cache-control': status === 200 ? 'public, max-age=60' : 'no-store',
    'access-control-allow-origin': '*',
    ...(status === 405 && { allow: DOCUMENT_METHODS }),
    ...(status === 503 && { 'retry-after': '5' }),
  };
}

/** The answer to a preflight for such a document. */
export function documentPreflightFields(): OutgoingHttpHeaders {
  return {
    allow: DOCUMENT_METHODS,
    'access-control-allow-origin': '*',
    'access-control-allow-methods': DOCUMENT_METHODS,
    'access-control-allow-headers': '*',
    'access-control-max-age': '600',
  };
}

/** The answer to a preflight of the MCP endpoint; the fields that the page asked for are granted if they are ours. */
export function preflightFields(origin: string | undefined, asked: string | undefined): OutgoingHttpHeaders {
  const params = (asked ?? '')
    .split(',')
    .map((field) => field.trim())
    .filter((field) => /^mcp-param-[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/i.test(field));
  return {
    ...corsFields(origin),
    allow: METHODS,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': [...REQUEST_FIELDS, ...params.slice(0, 64)].join(', '),
    'access-control-max-age': '600',
  };
}
