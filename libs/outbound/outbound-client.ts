import { isIP } from 'node:net';
import { exchange } from './exchange.js';
import { UnreachableHostError } from './guarded-lookup.js';
import type { ResolveName } from './name-resolver.js';
import { addressIn, checkLiteral, type OutboundLanes, outboundLanes } from './outbound-lanes.js';
import type { OutboundLimits, OutboundRequest, OutboundResponse } from './outbound-request.js';
import { redirected, RedirectError } from './redirects.js';
import { unpack } from './unpack.js';

/** How long it may take to connect, in milliseconds. */
const CONNECT_MS = 10_000;
/** How many connections there may be to one origin, of all tenants together. */
const CONNECTIONS = 256;
/** How many origins are remembered as checked. */
const MAX_CHECKED = 10_000;

export interface OutboundClientOptions {
  /** Addresses and networks in CIDR notation that may be reached although they are not public, and by http: too. */
  readonly allowedNetworks: readonly string[];
  /** How names are resolved; by the machine's name servers otherwise. */
  readonly resolve?: ResolveName;
}

/**
 * Requests to services that outsiders name, over connections that are kept. Reaches public addresses by https: alone, and
 * what the operator allowed. A connection is made to the very address that was checked; every redirect is checked anew.
 */
export class OutboundClient {
  private readonly lanes: OutboundLanes;
  /** Origins that need no look at their literal address any more. */
  private readonly checked = new Set<string>();

  /** @throws Error when a network is malformed */
  constructor(private readonly options: OutboundClientOptions) {
    this.lanes = outboundLanes({ ...options, connectMs: CONNECT_MS, connections: CONNECTIONS });
  }

  /**
   * Whether a request to this URL may be tried at all. What a name resolves to is seen when a connection is made.
   * @throws UnreachableHostError
   */
  check(url: URL): void {
    const lane = this.lanes.of(url.protocol);
    const closed = url.protocol === 'http:' && this.options.allowedNetworks.length === 0;
    if (!lane || closed) throw new UnreachableHostError(url.hostname);
    checkLiteral(url, lane);
  }

  /**
   * Whether the name resolves to addresses of which none may be reached. A name that has no address just now is not.
   * Takes a few seconds at most.
   */
  async isForbidden(url: URL): Promise<boolean> {
    const lane = this.lanes.of(url.protocol);
    if (!lane || isIP(addressIn(url.hostname)) !== 0) return false;
    const found = await this.lanes.resolve(url.hostname);
    return found.length > 0 && !found.some(({ address }) => lane.mayReach(address));
  }

  /**
   * Sends a request, follows redirects and reads the response whole.
   * @throws what `limits.take` throws, UnreachableHostError, RedirectError, TooLargeError, PackingError, the signal's reason, or the connection's error
   */
  async send(request: OutboundRequest, limits: OutboundLimits): Promise<OutboundResponse> {
    let response = await this.sendOnce(request, limits);
    for (let hops = 0; limits.redirects > 0; hops += 1) {
      const next = redirected(response);
      if (!next) break;
      if (hops === limits.redirects) throw new RedirectError('is one too many');
      response = await this.sendOnce(next, limits);
    }
    const encoding = response.headers['content-encoding'];
    if (encoding === undefined || response.body.byteLength === 0) return response;
    const body = await unpack(response.body, encoding, limits.maxBytes);
    limits.take?.(body.byteLength);
    return { ...response, body };
  }

  /** Closes its connections. */
  close(): Promise<void> {
    return this.lanes.close();
  }

  private sendOnce(request: OutboundRequest, limits: OutboundLimits): Promise<OutboundResponse> {
    const { origin } = request;
    if (!this.checked.has(origin)) {
      this.check(new URL(origin));
      if (this.checked.size >= MAX_CHECKED) this.checked.clear();
      this.checked.add(origin);
    }
    const lane = this.lanes.of(origin.slice(0, origin.indexOf(':') + 1));
    if (!lane) throw new UnreachableHostError(origin);
    return exchange(lane.agent, request, limits);
  }
}
