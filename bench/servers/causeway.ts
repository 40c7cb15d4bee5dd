import type { NewTenant } from '#tenancy/tenant.store.js';
import { createServer } from '#server/create-server.js';
import { copyOfTenant } from '../tenants.js';
import { accessTokens } from './access-tokens.js';
import { obeyParent } from './child.js';
import { registerHttpTools } from './registered-tools.js';
import { echoModule } from './echo-module.js';

export interface CausewayOptions {
  /** For each number a module with that many tools, and a tenant named like the module that has it. */
  readonly tools: readonly number[];
  /** This many more tenants, each with the module of one tool. */
  readonly copies?: number;
  /** This many access tokens for a tenant `bench-oauth`, which has the module of one tool. */
  readonly tokens?: number;
  /** Tenants of so many registered HTTP tools each, `http-<index>`, which call this service. */
  readonly httpTools?: { readonly upstream: string; readonly tenants: number; readonly tools: number };
}

obeyParent(async ({ tools, copies = 0, tokens = 0, httpTools }: CausewayOptions, scratch) => {
  const server = await createServer({
    environment: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: scratch,
      LOG_LEVEL: 'warn',
      OUTBOUND_ALLOW: '127.0.0.1',
      LISTEN_STREAMS_PER_PRINCIPAL: '10000',
    },
    modules: tools.map(echoModule),
    seed: [
      ...tools.map((count) => openTenant(`bench-${count}`, `bench-${count}`)),
      ...Array.from({ length: copies }, (_, index) => openTenant(copyOfTenant(index), 'bench-1')),
      ...(tokens > 0 ? [{ ...openTenant('bench-oauth', 'bench-1'), access: 'oauth' as const }] : []),
    ],
  });
  if (httpTools) await registerHttpTools(server, httpTools);
  return { url: server.url, tokens: await accessTokens(server, tokens), close: () => server.close() };
});

function openTenant(slug: string, module: string): NewTenant {
  return { slug, title: slug, access: 'open', activations: [{ module, configuration: {} }] };
}
