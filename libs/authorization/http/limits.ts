import { networkOf } from '../accounts/sign-in.js';
import { claimedClient } from './adapt-parameters.js';
import { RateLimiter } from './rate-limit.js';
import { readParameters } from './requests.js';
import type { RouteName } from './routes.js';

const MINUTE = 60_000;

/**
 * How many requests a minute one address and one client may make. An address is shared by many, so its limits are wide;
 * registering makes rows, so it is narrow.
 */
const BY_ADDRESS: Readonly<Partial<Record<RouteName, number>>> = {
  register: 60,
  token: 3_000,
  revoke: 1_200,
  introspect: 3_000,
  device_authorization: 120,
  authorize: 1_200,
  device: 60,
};
const BY_CLIENT: Readonly<Partial<Record<RouteName, number>>> = {
  token: 600,
  revoke: 600,
  introspect: 3_000,
  device_authorization: 120,
};

export interface Limits {
  readonly limiter: RateLimiter;
  /** What the limits are multiplied by. */
  readonly factor: number;
}

export function createLimits(factor = 1): Limits {
  return { limiter: new RateLimiter(), factor };
}

export interface LimitedRequest {
  readonly name: RouteName;
  readonly address: string;
  readonly body: string;
  /** The header field, where a client may name itself. */
  readonly authorization: string | undefined;
}

/** For how many milliseconds the request has to wait; undefined when it may pass. */
export function limitFor(
  { limiter, factor }: Limits,
  { name, address, body, authorization }: LimitedRequest,
): number | undefined {
  const byAddress = BY_ADDRESS[name];
  const byClient = BY_CLIENT[name];
  const take = (subject: string, perMinute: number): number | undefined =>
    limiter.take(`${name} ${subject}`, { requests: perMinute * factor, windowMs: MINUTE });
  const waited = byAddress === undefined ? undefined : take(`address ${networkOf(address)}`, byAddress);
  if (waited !== undefined || byClient === undefined) return waited;
  const client = claimedClient(readParameters(body) ?? new URLSearchParams(), authorization);
  // together with the address: whoever knows a client's id must not be able to use up its share
  return client === undefined ? undefined : take(`client ${client.slice(0, 512)} ${networkOf(address)}`, byClient);
}
