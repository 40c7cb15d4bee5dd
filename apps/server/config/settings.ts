import type { DatabaseOptions } from '#persistence/database.js';
import { KeyRing } from '#protocol/key-ring.js';
import type { SchemaLimits } from '#schema/schema-limits.js';
import type { InvocationLimits } from '#invocation/limits.js';
import type { RedisOptions } from '#messaging/redis-options.js';
import type { ServingLimits } from '#serving/stages.js';
import type { Environment } from './config.js';
import { secretKeyOf } from './secret-key.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether nobody but this machine is meant to reach the platform, by address and by public URL. */
export function isLocal({ HOST, PUBLIC_URL }: Environment): boolean {
  return isLoopback(HOST) && (!PUBLIC_URL || isLoopback(PUBLIC_URL.hostname));
}

/**
 * Whether only names of this machine are to be answered: it listens nowhere else, or is made known nowhere else, as in a
 * container whose port is published on this machine.
 */
export function isForThisMachine({ HOST, PUBLIC_URL }: Environment): boolean {
  return isLoopback(PUBLIC_URL?.hostname ?? HOST) || isLoopback(HOST);
}

export async function keyRingOf({ SECRET_KEY, DATA_DIR }: Environment): Promise<KeyRing> {
  return new KeyRing(SECRET_KEY ?? [await secretKeyOf(DATA_DIR)]);
}

export function schemaLimitsOf({ SCHEMA_DEPTH, SCHEMA_SIZE, SCHEMA_SUBSCHEMAS }: Environment): SchemaLimits {
  return { depth: SCHEMA_DEPTH, bytes: SCHEMA_SIZE, subschemas: SCHEMA_SUBSCHEMAS };
}

export function invocationLimitsOf({ CALL_TIMEOUT_MS, MAX_ROUNDS, ROUND_TTL_MS }: Environment): InvocationLimits {
  return {
    callTimeoutMs: CALL_TIMEOUT_MS,
    rounds: MAX_ROUNDS,
    roundTtlMs: ROUND_TTL_MS,
    roundStateLength: 1024 * 1024,
  };
}

export function servingLimitsOf({ JSON_DEPTH, RESULT_LIMIT, LIST_TTL_MS }: Environment): ServingLimits {
  return { jsonDepth: JSON_DEPTH, resultBytes: RESULT_LIMIT, listTtlMs: LIST_TTL_MS };
}

/** Where the rows are. */
export function databaseOf({ DATABASE_URL, DATABASE_CONNECTIONS, DATA_DIR }: Environment): DatabaseOptions {
  return DATABASE_URL ? { url: DATABASE_URL.href, maxConnections: DATABASE_CONNECTIONS } : { directory: DATA_DIR };
}

/** Where Redis is, if there is one. */
export function redisOf(environment: Environment): RedisOptions | undefined {
  const { REDIS_URL: nodes, REDIS_MODE: mode, REDIS_SENTINEL_NAME: sentinelName, REDIS_PREFIX: prefix } = environment;
  return nodes && { nodes, mode, sentinelName, prefix };
}

/** What the settings make possible and is likely not meant. */
export function warningsOf({ HOST, PUBLIC_URL }: Environment): readonly string[] {
  const everywhere = HOST === '0.0.0.0' || HOST === '::';
  const isPlain = PUBLIC_URL?.protocol === 'http:' && !isLoopback(PUBLIC_URL.hostname);
  return [
    everywhere && !PUBLIC_URL && `PUBLIC_URL is not set, so hosts are told http://${HOST}, which is no address: set it`,
    isPlain && 'PUBLIC_URL is http: passwords and tokens travel in the clear. Put TLS in front and make it https',
  ].filter((warning): warning is string => typeof warning === 'string');
}
