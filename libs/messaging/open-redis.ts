import { Cluster, Redis, type SentinelConnectionOptions } from 'ioredis';
import type { RedisOptions } from './redis-options.js';

export type RedisConnection = Redis | Cluster;

const PORT = 6379;
const SENTINEL_PORT = 26_379;
const MAX_DELAY_MS = 2_000;
/** A wait for sentinels cannot be cut short, and would keep a process that stops. */
const SENTINEL_DELAY_MS = 500;

/** Limits in milliseconds. Nothing is queued: what cannot be sent now stays in the outbox. */
const SETTINGS = {
  connectTimeout: 5_000,
  commandTimeout: 2_000, // whoever changes something waits for it
  disconnectTimeout: 100, // not among ioredis' types; its 2 seconds would keep a process that stops
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
};

/** From 100 ms on to 2 seconds, and never two nodes in step. */
function delayOf(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), MAX_DELAY_MS) * (0.75 + Math.random() / 2);
}

/** A connection that is being made, and is made anew whenever it is lost. It emits `error`, which has to be listened to. */
export function openRedis({ nodes, mode, sentinelName }: RedisOptions, connectionName: string): RedisConnection {
  const settings = { ...SETTINGS, ...loginOf(nodes[0]), ...(isSecure(nodes[0]) && { tls: {} }), connectionName };
  switch (mode) {
    case 'single':
      return new Redis({ ...settings, ...placeOf(nodes[0], PORT), ...databaseOf(nodes[0]), retryStrategy: delayOf });
    case 'sentinel':
      return new Redis({
        ...settings,
        ...databaseOf(nodes[0]),
        ...sentinelOf(nodes, sentinelName),
        retryStrategy: delayOf,
      });
    case 'cluster':
      return new Cluster(
        nodes.map((node) => placeOf(node, PORT)),
        {
          redisOptions: settings,
          enableOfflineQueue: false,
          clusterRetryStrategy: delayOf,
          clusterNodeRetryStrategy: delayOf,
          ...(isSecure(nodes[0]) && { dnsLookup: (address, callback) => callback(null, address) }),
        },
      );
  }
}

/** The sentinels have the same credentials as the servers. */
function sentinelOf(
  [first, ...others]: RedisOptions['nodes'],
  name: string,
): Omit<SentinelConnectionOptions, 'path' | 'replyMapping'> {
  const { username, password } = loginOf(first);
  return {
    name,
    sentinels: [first, ...others].map((node) => placeOf(node, SENTINEL_PORT)),
    sentinelRetryStrategy: (attempt) => Math.min(delayOf(attempt), SENTINEL_DELAY_MS),
    sentinelCommandTimeout: SETTINGS.commandTimeout,
    failoverDetector: true,
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
    ...(isSecure(first) && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
  };
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'rediss:';
}

function placeOf({ hostname, port }: URL, fallback: number): { readonly host: string; readonly port: number } {
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? fallback : Number(port) };
}

function loginOf({ username, password }: URL): { readonly username?: string; readonly password?: string } {
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}

function databaseOf({ pathname }: URL): { readonly db: number } {
  return { db: Number(pathname.slice(1)) };
}
