import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import type { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { DEFAULT_SCHEMA_LIMITS } from '#schema/schema-limits.js';
import { RegisteredSources } from '#sources/registered-sources.js';
import { DEFAULT_ACCESS_POLICY } from '#tenancy/access-policy.js';
import type { SourceRecord, TenantRecord } from '#tenancy/tenant.store.js';
import { obeyParent } from './child.js';
import { definitionOf } from './registered-tools.js';

export interface CompilationOptions {
  readonly tools: number;
}

/** What the program answers. */
export interface CompilationTimes {
  /** How long one catalogue took, in milliseconds. */
  readonly whole: number;
  /** The longest time in which nothing else had its turn meanwhile, in milliseconds. */
  readonly longestTurn: number;
}

/** Compiles a catalogue of HTTP tools for every request, none like another. */
obeyParent(async ({ tools }: CompilationOptions) => {
  const outbound = new OutboundClient({ allowedNetworks: [] });
  const sources = new RegisteredSources({
    limits: DEFAULT_SCHEMA_LIMITS,
    secrets: { read: () => Promise.reject(new Error('Nobody calls.')) },
    outbound,
    wrap: (handler) => handler,
  });
  const modules = { get: () => undefined } as unknown as ModuleRegistry;
  const fail = (): never => {
    throw new Error('A tool of the benchmark does not compile.');
  };
  const options = { pageSize: 100, version: '1', onUnknownModule: fail, onBrokenSource: fail };
  const compiler = new CatalogueCompiler(modules, sources, options);
  let made = 0;
  const server = createServer((_request, response) => {
    void timed(() => compiler.compile(tenantOf((made += 1), tools))).then((times) =>
      response.end(JSON.stringify(times)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await Promise.all([outbound.close(), new Promise((resolve) => server.close(resolve))]);
    },
  };
});

async function timed(compile: () => Promise<unknown>): Promise<CompilationTimes> {
  const started = performance.now();
  const stop = new AbortController();
  let longestTurn = 0;
  let last = started;
  const look = (): void => {
    const now = performance.now();
    longestTurn = Math.max(longestTurn, now - last);
    last = now;
    if (!stop.signal.aborted) setImmediate(look);
  };
  setImmediate(look);
  await compile();
  const whole = performance.now() - started;
  stop.abort();
  look();
  return { whole, longestTurn };
}

function tenantOf(index: number, tools: number): TenantRecord {
  const sources = Array.from({ length: tools }, (_, tool): SourceRecord => ({
    id: `${index}-${tool}`,
    name: `tool_${tool}`,
    kind: 'http_tool',
    version: 1,
    definition: definitionOf('https://api.example.com', `${index} ${tool}`),
  }));
  return {
    id: String(index),
    slug: `tenant-${index}`,
    title: 'Bench',
    status: 'active',
    access: 'open',
    accessPolicy: DEFAULT_ACCESS_POLICY,
    instructions: null,
    revision: 1,
    deletesAt: null,
    activations: [],
    sources,
  };
}
