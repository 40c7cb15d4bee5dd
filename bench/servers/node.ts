import { createServer } from '#server/create-server.js';
import { obeyParent } from './child.js';
import { ToggledModule, ToggleModule } from './toggle-module.js';

/** One of several nodes on one database. */
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
      LISTEN_STREAMS_PER_PRINCIPAL: '10000',
      KEEP_ALIVE_MS: '3600000',
    },
    modules: [ToggleModule, ToggledModule],
    seed: [
      { slug: 'bench', title: 'Bench', access: 'open', activations: [{ module: 'bench-toggle', configuration: {} }] },
    ],
  });
  return { url: server.url, close: () => server.close() };
});
