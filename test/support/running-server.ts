import type { Type } from '@nestjs/common';
import type { NewTenant } from '#tenancy/tenant.store.js';
import { type CausewayServer, createServer } from '#server/create-server.js';
import type { DatabaseOptions } from '#persistence/database.js';
import { temporaryDirectory } from './databases.js';

export interface ServerSetup {
  readonly modules: readonly Type[];
  readonly tenants: readonly NewTenant[];
  readonly environment?: Readonly<Record<string, string>>;
  /** In memory otherwise. */
  readonly database?: DatabaseOptions;
}

/** A platform of the test's own on a free port, over HTTP as its users have it. */
export interface RunningServer extends AsyncDisposable {
  readonly server: CausewayServer;
  /** The endpoint of a tenant. */
  url(slug: string): string;
}

export async function runServer({
  modules,
  tenants,
  environment = {},
  database = { memory: true },
}: ServerSetup): Promise<RunningServer> {
  const directory = await temporaryDirectory();
  const server = await createServer({
    environment: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory.value, LOG_LEVEL: 'silent', ...environment },
    modules,
    seed: tenants,
    database,
  });
  return {
    server,
    url: (slug) => `${server.url}/t/${slug}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await directory.dispose();
    },
  };
}

/** A tenant that is open to all and activates these modules. */
export function openTenant(slug: string, ...modules: readonly string[]): NewTenant {
  return {
    slug,
    title: slug,
    access: 'open',
    activations: modules.map((module) => ({ module, configuration: {} })),
  };
}
