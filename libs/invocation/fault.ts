import { ResourceNotFoundError, ShownError } from '#authoring/shown-error.js';

/**
 * Why a handler did not come to a result, as far as the client is told.
 * - `shown`: the handler said why, in words made to be shown.
 * - `not_found`: nothing stands behind the URI.
 * - `timeout`: the time limit passed.
 * - `too_large`: the result is over the limit.
 * - `failed`: anything else; the log has the detail under the correlation id.
 */
export type Fault =
  | { readonly type: 'shown'; readonly message: string }
  | { readonly type: 'not_found'; readonly message: string; readonly uri: string }
  | { readonly type: 'timeout'; readonly limitMs: number }
  | { readonly type: 'too_large'; readonly limit: number }
  | { readonly type: 'failed'; readonly correlationId: string };

/** The fault in words for a person or a model. */
export function faultText(fault: Fault): string {
  switch (fault.type) {
    case 'shown':
    case 'not_found':
      return fault.message;
    case 'timeout':
      return `The call took longer than ${fault.limitMs / 1000} s and was ended.`;
    case 'too_large':
      return `The result is larger than ${fault.limit} bytes. Ask for less at once.`;
    case 'failed':
      return `Something went wrong on the server. Its log says more under the correlation id ${fault.correlationId}.`;
  }
}

/** The time limit of a call has passed. */
export class TimeLimitError extends Error {
  constructor(readonly limitMs: number) {
    super(`The time limit of ${limitMs} ms has passed.`);
    this.name = 'TimeLimitError';
  }
}

/** The client went away before the answer; whoever repeats the request is told so. */
export class ClientGoneError extends ShownError {
  constructor() {
    super('The call was ended, since its client went away while it ran. Call again from the start.');
    this.name = 'ClientGoneError';
  }
}

/** What the handler returned cannot be a result: the author's fault. */
export class ResultError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ResultError';
  }
}

/** Where failures of handlers are told in full. Never holds arguments, answers or tokens. */
export interface FaultLog {
  handlerFailed(details: {
    readonly correlationId: string;
    readonly tenantId: string;
    readonly method: string;
    readonly label: string;
    readonly error: unknown;
  }): void;
}

/** The fault that the error itself explains to a client, if it was made for that. */
export function shownFault(error: unknown): Fault | undefined {
  if (error instanceof ResourceNotFoundError) return { type: 'not_found', message: error.message, uri: error.uri };
  if (error instanceof ShownError) return { type: 'shown', message: error.message };
  if (error instanceof TimeLimitError) return { type: 'timeout', limitMs: error.limitMs };
  return isClientError(error) ? { type: 'shown', message: error.message } : undefined;
}

/** Nest's guards and pipes refuse with exceptions that carry a 4xx status and a message meant for the client. */
function isClientError(error: unknown): error is Error {
  if (!(error instanceof Error) || !('getStatus' in error) || typeof error.getStatus !== 'function') return false;
  const status = (error.getStatus as () => unknown)();
  return typeof status === 'number' && status >= 400 && status < 500;
}
