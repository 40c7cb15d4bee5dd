/** One kind of problem: its HTTP status, what it is called, and when it is answered. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
}

/** Every problem that the admin API answers with (RFC 9457); docs/errors.md says the same. */
export const PROBLEMS = {
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    meaning: 'The body is not JSON, or is nested too deeply.',
  },
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    meaning: 'A query parameter or header field is wrong; `errors` names it.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The admin API wants a key or token that is good: `Authorization: Bearer …`.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    meaning: 'The key or token does not permit this; `scope` is what it lacks.',
  },
  operators_only: {
    status: 403,
    title: 'For operators only',
    meaning: 'This is about the platform, and the key or token is for tenants.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such thing, or not for this caller.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'There is something at this path, and it does not take the method; `Allow` names those that it takes.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'It cannot be done as things are: the name is taken, or something still needs it.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    meaning: 'There are as many as there may be.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    meaning: 'It has changed since it was read: read it again, and send its new `ETag` as `If-Match`.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    meaning: 'The body is larger than the limit.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body must be `application/json`.',
  },
  invalid_body: {
    status: 422,
    title: 'Invalid body',
    meaning: 'The body does not fit; `errors` says where and why.',
  },
  invalid_definition: {
    status: 422,
    title: 'Invalid definition',
    meaning: 'What is to be registered cannot work; `errors` says where and why. Nothing has changed.',
  },
  key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'The `Idempotency-Key` was sent with another request before.',
  },
  precondition_required: {
    status: 428,
    title: 'Precondition required',
    meaning: 'A change wants `If-Match` with the `ETag` of what it changes, or `*`.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    meaning: 'Too many failed attempts came from this address; `Retry-After` says how long to wait.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The server failed. The log says more under the correlation id.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The server is stopping, busy, or cannot reach its database. Try again.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemName = keyof typeof PROBLEMS;
