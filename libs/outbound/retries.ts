import { setTimeout as delay } from 'node:timers/promises';
import { BusyReadingError } from './byte-budget.js';
import { UnreachableHostError } from './guarded-lookup.js';
import type { OutboundResponse } from './outbound-request.js';
import { TooLargeError } from './read-within.js';
import { RedirectError } from './redirects.js';
import { PackingError } from './unpack.js';

/** Repeating one of these changes no more than doing it once (RFC 9110 section 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Statuses that say that it may go well a moment later. */
const PASSING = new Set([408, 425, 429, 502, 503, 504]);
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

export interface RetryLimits {
  readonly method: string;
  /** How often a request is repeated at most; one that is not idempotent never is. */
  readonly retries: number;
  /** Until when there may be another attempt, by `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Repeats a request that failed in passing, after a wait that doubles each time, or as long as `Retry-After` says. */
export async function withRetries(
  attempt: () => Promise<OutboundResponse>,
  limits: RetryLimits,
): Promise<OutboundResponse> {
  const most = IDEMPOTENT.has(limits.method) ? limits.retries : 0;
  for (let tried = 0; ; tried += 1) {
    try {
      const response = await attempt();
      if (tried >= most || !PASSING.has(response.status)) return response;
      const wait = Math.max(backoff(tried), retryAfter(response.headers['retry-after']));
      if (!hasTime(wait, limits)) return response;
      await delay(wait, undefined, { signal: limits.signal });
    } catch (error) {
      if (limits.signal.aborted) throw limits.signal.reason;
      const wait = backoff(tried);
      if (tried >= most || !isPassing(error) || !hasTime(wait, limits)) throw error;
      await delay(wait, undefined, { signal: limits.signal }).catch(() => undefined);
    }
  }
}

function backoff(tried: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** tried, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

/** In milliseconds; 0 when nothing, or nothing that can be read, was said (RFC 9110 section 10.2.3). */
function retryAfter(value: string | undefined): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

function hasTime(waitMs: number, { deadline }: RetryLimits): boolean {
  return performance.now() + waitMs < deadline;
}

function isPassing(error: unknown): boolean {
  return ![UnreachableHostError, BusyReadingError, TooLargeError, RedirectError, PackingError].some(
    (type) => error instanceof type,
  );
}
