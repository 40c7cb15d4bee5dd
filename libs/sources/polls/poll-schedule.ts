/** The longest wait for a service that cannot be looked at, in milliseconds. */
const MAX_BACKOFF_MS = 3_600_000;
/** By how much a wait is made longer at random, so that looks that began together do not stay so. */
const JITTER = 0.1;

/**
 * How long until the next look, in milliseconds: the interval, twice as long with each failure in a row.
 * @param random from 0 to 1
 */
export function nextLookInMs(intervalSeconds: number, failures: number, random: number): number {
  const intervalMs = intervalSeconds * 1_000;
  const waitMs = Math.min(intervalMs * 2 ** failures, Math.max(intervalMs, MAX_BACKOFF_MS));
  return Math.round(waitMs * (1 + JITTER * random));
}
