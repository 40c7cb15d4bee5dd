import { z } from 'zod';
import { strictMembers } from '../read-definition.js';

const count = (least: number, most: number) =>
  z.int().min(least, `must be ${least} or more`).max(most, `must be ${most} or less`);

/** How much one call, and all calls together, may ask of the service. */
export const limits = strictMembers({
  /** For all of a call: waiting, tokens, redirects and repeats, in milliseconds. */
  timeoutMs: count(100, 300_000).default(30_000),
  /** The largest response, in bytes. */
  maxBytes: count(1, 10_485_760).default(1_048_576),
  /** How often an idempotent request is repeated that failed in passing. */
  retries: count(0, 5).default(2),
  /** How many redirects are followed. */
  redirects: count(0, 10).default(5),
  /** How many calls run at a time, on each node. */
  concurrency: count(1, 256).default(64),
  /** How many more may wait. */
  queue: count(0, 1_000).default(256),
  /** After so many failures in a row the service is left alone for a while. */
  breaker: strictMembers({
    failures: count(1, 1_000).default(10),
    openMs: count(100, 300_000).default(15_000),
  }).prefault({}),
});

export type HttpToolLimits = z.output<typeof limits>;
