import { randomBytes } from 'node:crypto';
import { issueAdminKey } from '#admin/access/admin-keys.js';
import { openDatabase } from '#persistence/database.js';
import { PrismaAdminStore } from '#persistence/admin/prisma-admin.store.js';
import { type AdminCall, adminClient } from './admin-client.js';
import { Host } from './listening-host.js';
import { type ServerProcess, startProcess } from './server-process.js';

type Environment = Readonly<Record<string, string>> & { readonly DATABASE_URL: string };

/** Several nodes of one deployment on a Postgres server, with the tenants of `nodes-program.ts`. */
export class Nodes implements AsyncDisposable {
  readonly nodes: ServerProcess[] = [];
  /** What all of them logged. */
  log = '';
  private readonly environment: Environment;

  constructor(environment: Environment) {
    const SECRET_KEY = randomBytes(32).toString('base64');
    this.environment = { SECRET_KEY, LOG_LEVEL: 'info', OUTBOUND_ALLOW: '127.0.0.1', ...environment };
  }

  /** One more node. @param more what is different for it */
  async start(more: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const node = await startProcess({ ...this.environment, ...more }, (text) => (this.log += text), 'nodes-program.ts');
    this.nodes.push(node);
    return node;
  }

  /** The official client on each node, listening. */
  async hosts(): Promise<Host[]> {
    return Promise.all(this.nodes.map(async (node) => (await Host.connect(node)).listen()));
  }

  /** Issues an operator's key, as `manage key issue` does; returns the admin API of each node for its holder. */
  async admin(): Promise<AdminCall[]> {
    const database = await openDatabase({ url: this.environment.DATABASE_URL });
    try {
      const { keys } = new PrismaAdminStore(database).rows;
      const who = { tenantId: null, accountId: null, createdBy: 'test', expiresAt: null };
      const { key } = await issueAdminKey(keys, { ...who, name: 'test', scopes: ['*'] });
      return this.nodes.map(({ place }) => adminClient(place, key));
    } finally {
      await database.close();
    }
  }

  /** How often something stands in the log. */
  times(text: string): number {
    return this.log.split(text).length - 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) await node[Symbol.asyncDispose]();
  }
}
