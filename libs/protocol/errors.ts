import type { RequestId } from './messages.js';

/** A JSON-RPC code and the HTTP status it travels with. */
export interface ErrorRow {
  readonly code: number;
  readonly status: number;
  /** When it is answered; the text of `docs/errors.md`. */
  readonly meaning: string;
}

/**
 * Every error that Causeway answers, keyed by where it came from: the same JSON-RPC code has another HTTP status when
 * the envelope is at fault than when a request that was understood fails (specification: basic, "Error Codes";
 * basic/transports/streamable-http). Codes outside the specification's are positive, as it asks.
 */
export const ERRORS = {
  parse_error: { code: -32700, status: 400, meaning: 'The body is not JSON, or is nested too deeply.' },
  invalid_request: {
    code: -32600,
    status: 400,
    meaning: 'The body is JSON but not one JSON-RPC request or notification.',
  },
  method_not_found: { code: -32601, status: 404, meaning: 'This tenant does not serve the method.' },
  invalid_metadata: { code: -32602, status: 400, meaning: 'A required `_meta` field is missing or malformed.' },
  invalid_params: {
    code: -32602,
    status: 200,
    meaning: 'The parameters are wrong: unknown name or URI, bad cursor, bad `requestState`, missing argument.',
  },
  internal_error: {
    code: -32603,
    status: 200,
    meaning: 'The server failed, or took too long. Where a correlation id is named, the log says more under it.',
  },
  header_mismatch: {
    code: -32020,
    status: 400,
    meaning: 'A mirrored header is missing, malformed or differs from the body.',
  },
  missing_client_capability: {
    code: -32021,
    status: 400,
    meaning: 'The request needs a client capability that it did not declare.',
  },
  unsupported_version: {
    code: -32022,
    status: 400,
    meaning: 'The protocol version is not served; `data` lists those that are.',
  },
  unauthorized: { code: -32600, status: 401, meaning: 'The tenant wants a valid access token.' },
  insufficient_scope: {
    code: -32600,
    status: 403,
    meaning: 'The access token does not permit this; the challenge names every scope that it needs.',
  },
  forbidden_origin: {
    code: -32600,
    status: 403,
    meaning: 'The `Origin` or `Host` header is not one this server trusts.',
  },
  suspended_tenant: { code: -32600, status: 403, meaning: 'The tenant is suspended.' },
  unknown_tenant: { code: -32600, status: 404, meaning: 'There is no MCP server at this URL.' },
  method_not_allowed: { code: -32600, status: 405, meaning: 'The endpoint takes POST.' },
  not_acceptable: {
    code: -32600,
    status: 406,
    meaning: '`Accept` must permit both `application/json` and `text/event-stream`.',
  },
  payload_too_large: { code: -32600, status: 413, meaning: 'The body is larger than the limit.' },
  unsupported_media_type: { code: -32600, status: 415, meaning: 'The body must be `application/json`.' },
  too_many_streams: { code: 429, status: 429, meaning: 'The principal has as many listen streams open as it may.' },
  unavailable: {
    code: 503,
    status: 503,
    meaning:
      "The server is starting, stopping, or cannot reach its database or the tenant's issuer; or the tenant is not set up right, and the log says why.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorKind = keyof typeof ERRORS;

/** What a caller is told about tokens (RFC 6750 section 3, RFC 9728 section 5.1). Holds nothing of the token itself. */
export interface Challenge {
  /** Absent when the request brought no token. */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  readonly description?: string;
  /** The scopes to ask for. */
  readonly scope?: readonly string[];
  /** Absolute URL of the document that says where tokens come from; absent where hosts cannot get any by themselves. */
  readonly resourceMetadata?: string;
}

/** A refusal, made where the fault is found and written by the binding. A value: it is never thrown. */
export interface Rejection {
  readonly kind: ErrorKind;
  /** Public: says what to do. Holds no secret, token or argument value. */
  readonly message: string;
  readonly data?: unknown;
  /** The request's id where it could be read. */
  readonly id?: RequestId;
  /** Comes with 401 and 403 where a token, or another one, would help. */
  readonly challenge?: Challenge;
}

export function reject(
  kind: ErrorKind,
  message: string,
  more?: { data?: unknown; id?: RequestId | undefined; challenge?: Challenge },
): Rejection {
  return {
    kind,
    message,
    ...(more?.data !== undefined && { data: more.data }),
    ...(more?.id !== undefined && { id: more.id }),
    ...(more?.challenge && { challenge: more.challenge }),
  };
}

/** Tells a rejection from the value that a stage returns when all is well. */
export function isRejection(value: object): value is Rejection {
  return 'kind' in value && typeof value.kind === 'string' && value.kind in ERRORS && 'message' in value;
}
