import { setTimeout as delay } from 'node:timers/promises';
import { ChangeBus } from '#events/change.bus.js';
import { Database } from '#persistence/database.js';
import { keyRingOf } from '#server/config/settings.js';
import { SecretStore } from '#sources/secrets/secret.store.js';
import { SecretVault } from '#sources/secrets/secret-vault.js';
import { type SourceKind, TenantStore } from '#tenancy/tenant.store.js';
import type { RunningServer } from './running-server.js';
import { resultOf, send } from './wire.js';

/** Registers a source as the admin API does: row and revision, then the news. Resolves when it is served. */
export async function register(
  running: RunningServer,
  slug: string,
  source: { readonly name: string; readonly kind: SourceKind; readonly definition: object },
): Promise<void> {
  const { app } = running.server;
  const { id, revision: before } = (await app.get(TenantStore).findBySlug(slug))!;
  const { name, kind, definition } = source;
  const revision = before + 1;
  const title = `${slug} at ${revision}`;
  await app.get(Database).client.$transaction(async (transaction) => {
    const where = { tenantId_name: { tenantId: id, name } };
    const create = { tenantId: id, name, kind, definition };
    await transaction.source.upsert({ where, create, update: { kind, definition, version: { increment: 1 } } });
    await transaction.tenant.update({ where: { id }, data: { revision, title } });
  });
  await app.get(ChangeBus).publish({ type: 'catalogue', tenantId: id, slug, revision });
  while ((await titleAt(running.url(slug))) !== title) await delay(5);
}

/** What the server calls the tenant just now, which tells revisions apart. */
async function titleAt(url: string): Promise<string> {
  const result = resultOf(await send(url, { method: 'server/discover' }));
  return result['_meta']['io.modelcontextprotocol/serverInfo'].title as string;
}

/** Stores a secret of a tenant as the admin API does. */
export async function storeSecret({ server }: RunningServer, slug: string, name: string, value: string): Promise<void> {
  const { id: tenantId } = (await server.app.get(TenantStore).findBySlug(slug))!;
  const vault = new SecretVault(server.app.get(SecretStore), await keyRingOf(server.environment));
  const sealed = vault.seal(tenantId, name, value);
  await server.app.get(Database).client.secret.create({ data: { tenantId, name, sealed } });
}
