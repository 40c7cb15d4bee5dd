import { isIP } from 'node:net';
import { Agent } from 'undici';
import { addressPolicy } from './address-policy.js';
import { guardedLookup, UnreachableHostError } from './guarded-lookup.js';
import { nameResolver, type ResolveName } from './name-resolver.js';

/** One scheme with its rule for addresses and its connections. */
export interface Lane {
  readonly mayReach: (address: string) => boolean;
  readonly agent: Agent;
}

export interface LaneOptions {
  /** Addresses and networks in CIDR notation that may be reached although they are not public, and by http: too. */
  readonly allowedNetworks: readonly string[];
  /** How long it may take to connect, in milliseconds. */
  readonly connectMs: number;
  /** How many connections there may be to one origin; as many as are asked for otherwise. */
  readonly connections?: number;
  /** How names are resolved; by the machine's name servers otherwise. */
  readonly resolve?: ResolveName;
}

/** The ways out: https: to public addresses and what the operator allowed, http: to the latter alone, nothing else. */
export interface OutboundLanes {
  readonly resolve: ResolveName;
  /** By protocol, such as `https:`. */
  of(protocol: string): Lane | undefined;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** @throws Error when a network is malformed */
export function outboundLanes(options: LaneOptions): OutboundLanes {
  const { allowedNetworks, connectMs, connections = null } = options;
  const policy = addressPolicy(allowedNetworks);
  const resolve = options.resolve ?? nameResolver(allowedNetworks.length > 0);
  const laneOf = (mayReach: Lane['mayReach']): Lane => {
    const connect = { lookup: guardedLookup(mayReach, resolve), timeout: connectMs };
    return { mayReach, agent: new Agent({ connect, connections, allowH2: false }) };
  };
  const lanes = new Map([
    ['https:', laneOf((address) => policy.isReachable(address))],
    ['http:', laneOf((address) => policy.isNamed(address))],
  ]);
  return {
    resolve,
    of: (protocol) => lanes.get(protocol),
    close: async () => {
      await Promise.all([...lanes.values()].map(({ agent }) => agent.destroy()));
    },
  };
}

const LOOPBACK_NAME = /(?:^|\.)localhost\.?$/;

/**
 * Addresses are not looked up, so they are checked here; the parser of URLs has made one notation of all. The names that
 * are this machine's by definition (RFC 6761 section 6.3) are as good as its address.
 * @throws UnreachableHostError when the host is an address that may not be reached
 */
export function checkLiteral({ hostname }: URL, { mayReach }: Pick<Lane, 'mayReach'>): void {
  const address = LOOPBACK_NAME.test(hostname) ? '127.0.0.1' : addressIn(hostname);
  if (isIP(address) !== 0 && !mayReach(address)) throw new UnreachableHostError(hostname);
}

/** A host of a URL without the brackets of IPv6. */
export function addressIn(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
