import autocannon, { type Client, type Result } from 'autocannon';
import { performance } from 'node:perf_hooks';
import { processorTime, usedBetween, wasHeldUp } from './processor-time.js';
import { type McpRequest, withToken } from './requests.js';
import type { ServerProcess } from './server-process.js';

/** How many connections there are unless a target says otherwise. */
export const CONNECTIONS = 50;

/** What is loaded: one request to one URL, or in turn to each of many URLs of the same server. */
export interface Target {
  readonly server: ServerProcess;
  /** One path, or as many as there are connections or a multiple of that, each asked equally often. */
  readonly paths: readonly string[];
  /** Tokens to send, in turn with the paths; none when there are none. */
  readonly tokens: readonly string[];
  readonly request: McpRequest;
  readonly connections: number;
  /** Whether a response's body is right. */
  readonly accepts: (body: string) => boolean;
}

/** What one load found. */
export interface Load {
  /** Successful responses a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number };
  /** Microseconds of the server's processor time a request. */
  readonly cpu: number;
  /** The share of the time in which the server's event loop was busy, 0 to 1. Well under 1: the client was the limit. */
  readonly serverBusy: number;
  readonly clientBusy: number;
  /** Other processes on the machine took time that the server or the client needed. */
  readonly disturbed: boolean;
}

/** Sends requests for so many seconds, or so many requests. @throws Error when a single response is not the expected one. */
export async function load(
  target: Target,
  extent: { readonly seconds: number } | { readonly requests: number },
): Promise<Load> {
  const server = await target.server.usage();
  const run = autocannon({
    url: target.server.url,
    connections: target.connections,
    pipelining: 1,
    sampleInt: 100,
    timeout: 10,
    verifyBody: target.accepts,
    setupClient: deal(target),
    ...('seconds' in extent ? { duration: extent.seconds } : { amount: extent.requests }),
  });
  let started = performance.now();
  let client = processorTime();
  run.on('start', () => {
    started = performance.now();
    client = processorTime();
  });
  const result = await run;
  const elapsed = performance.now() - started;
  const byClient = usedBetween(client, processorTime());
  const byServer = usedBetween(server, await target.server.usage());
  const lost = result.errors + result.timeouts + result.non2xx + result.mismatches;
  if (lost > 0 || result['2xx'] === 0) throw new Error(`Under load ${target.server.url} failed: ${describe(result)}`);
  return {
    rate: (result['2xx'] * 1000) / elapsed,
    latency: { p50: result.latency.p50, p99: result.latency.p99 },
    cpu: byServer.cpu / result['2xx'],
    serverBusy: byServer.active / elapsed,
    clientBusy: byClient.active / elapsed,
    disturbed: wasHeldUp(byServer) || wasHeldUp(byClient),
  };
}

/** Deals the paths out to the connections: each asks for its share of them, in turn. */
function deal({ paths, tokens, request, connections }: Target): (client: Client) => void {
  const requests = Array.from({ length: Math.max(paths.length, tokens.length) }, (_, index) => ({
    method: 'POST' as const,
    path: paths[index % paths.length] ?? '',
    body: request.body,
    headers: withToken(request, tokens[index % tokens.length]),
  }));
  const share = Math.max(1, Math.floor(requests.length / connections));
  let first = 0;
  return (client) => {
    client.setRequests(requests.slice(first, first + share));
    first = (first + share) % requests.length;
  };
}

function describe(result: Result): string {
  const { errors, timeouts, non2xx, mismatches } = result;
  return JSON.stringify({ answered: result['2xx'], errors, timeouts, non2xx, mismatches });
}
