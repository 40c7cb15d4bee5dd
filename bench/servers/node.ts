import { issueAdminKey } from '#admin/access/admin-keys.js';
import { AdminStore } from '#admin/stores/admin.store.js';
import { type CausewayServer, createServer } from '#server/create-server.js';
import { obeyParent } from './child.js';
import { echoModule } from './echo-module.js';

/** One of several nodes on one database; its token is a key to its admin API. */
export interface NodeOptions {
  readonly databaseUrl: string;
  /** Undefined: Postgres carries the changes. */
  readonly redisUrl?: string | undefined;
  readonly redisPrefix: string;
  readonly secretKey: string;
}

obeyParent(async ({ databaseUrl, redisUrl = '', redisPrefix, secretKey }: NodeOptions, scratch) => {
  const server = await createServer({
    environment: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: scratch,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: redisPrefix,
      SECRET_KEY: secretKey,
      LOG_LEVEL: 'warn',
      OUTBOUND_ALLOW: '127.0.0.1',
      LISTEN_STREAMS_PER_PRINCIPAL: '10000',
      KEEP_ALIVE_MS: '3600000',
    },
    modules: [echoModule(1)],
    seed: [{ slug: 'bench', title: 'Bench', access: 'open', activations: [{ module: 'bench-1', configuration: {} }] }],
  });
  return { url: server.url, tokens: [await keyTo(server)], close: () => server.close() };
});

async function keyTo({ app }: CausewayServer): Promise<string> {
  const { keys } = app.get(AdminStore).rows;
  const who = { tenantId: null, accountId: null, createdBy: 'bench', expiresAt: null };
  return (await issueAdminKey(keys, { ...who, name: 'bench', scopes: ['*'] })).key;
}
