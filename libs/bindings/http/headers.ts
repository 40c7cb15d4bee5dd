import type { OutgoingHttpHeaders } from 'node:http';
import { ERRORS, type ErrorKind } from '#protocol/errors.js';

/** The one place for the header fields of the MCP endpoint. */

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

/** What a rejection adds: which methods are allowed, when to come back. */
export function rejectionFields(kind: ErrorKind): OutgoingHttpHeaders {
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

/** The answer to a preflight; the fields that the page asked for are granted if they are ours. */
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
