import { type Dispatcher, fetch, type RequestInit as UndiciInit } from 'undici';
import { checkLiteral, outboundLanes } from './outbound-lanes.js';
import { readWithin } from './read-within.js';

export interface GuardedFetchOptions {
  /** Addresses and networks in CIDR notation that may be reached although they are not public, and by http: too. */
  readonly allowedNetworks: readonly string[];
  /** For the whole of a request, in milliseconds. */
  readonly timeoutMs?: number;
  /** The largest response, in bytes. */
  readonly maxBytes?: number;
}

/** What callers of `fetch` pass along. Redirects are never followed, and a dispatcher of theirs is not used. */
export interface GuardedInit {
  readonly method?: string | undefined;
  readonly headers?: RequestInit['headers'];
  readonly body?: RequestInit['body'] | undefined;
  readonly redirect?: RequestInit['redirect'] | undefined;
  readonly signal?: AbortSignal | null | undefined;
  readonly dispatcher?: unknown;
}

/**
 * `fetch` for addresses that come from outside: it reaches public addresses by https: alone, and what the operator allowed.
 * The response has been read whole when it is there. Rejects when it may not, cannot or takes too long.
 */
export interface GuardedFetch {
  (url: string | URL, init?: GuardedInit): Promise<Response>;
  /** Closes its connections. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;
const WITHOUT_BODY = [101, 103, 204, 205, 304];

/** @throws Error when a network is malformed */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { allowedNetworks, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const lanes = outboundLanes({ allowedNetworks, connectMs: timeoutMs });
  const guarded = async (given: string | URL, init: GuardedInit = {}): Promise<Response> => {
    const url = new URL(given);
    const lane = lanes.of(url.protocol);
    if (!lane || url.username !== '' || url.password !== '') throw new TypeError('Only plain https: URLs are fetched.');
    checkLiteral(url, lane);
    const response = await fetch(url, initOf(init, lane.agent, timeoutMs));
    const body = await readWithin(response.body, maxBytes);
    return new Response(WITHOUT_BODY.includes(response.status) ? null : body, {
      status: response.status,
      headers: [...response.headers],
    });
  };
  return Object.assign(guarded, { close: () => lanes.close() });
}

function initOf(init: GuardedInit, dispatcher: Dispatcher, timeoutMs: number): UndiciInit {
  const { method, headers, body, signal } = init;
  const limit = AbortSignal.timeout(timeoutMs);
  return {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers: [...new Headers(headers)] as [string, string][] }),
    ...(body != null && { body: body as NonNullable<UndiciInit['body']>, duplex: 'half' as const }),
    redirect: init.redirect === 'error' ? 'error' : 'manual',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    dispatcher,
  };
}
