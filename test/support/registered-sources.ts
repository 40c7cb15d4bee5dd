import { Database } from '#persistence/database.js';
import { ChangeBus } from '#events/change.bus.js';
import { keyRingOf } from '#server/config/settings.js';
import { SecretStore } from '#sources/secrets/secret.store.js';
import { SecretVault } from '#sources/secrets/secret-vault.js';
import { type SourceKind, TenantStore } from '#tenancy/tenant.store.js';
import type { RunningServer } from './running-server.js';

/** Registers a source as the admin API does: row and revision, then the news. */
export async function register(
  { server }: RunningServer,
  slug: string,
  source: { readonly name: string; readonly kind: SourceKind; readonly definition: object },
): Promise<void> {
  const { client } = server.app.get(Database);
  const { id } = (await server.app.get(TenantStore).findBySlug(slug))!;
  const { name, kind, definition } = source;
  await client.$transaction(async (transaction) => {
    const where = { tenantId_name: { tenantId: id, name } };
    const create = { tenantId: id, name, kind, definition };
    await transaction.source.upsert({ where, create, update: { kind, definition, version: { increment: 1 } } });
    await transaction.tenant.update({ where: { id }, data: { revision: { increment: 1 } } });
  });
  const { revision } = (await server.app.get(TenantStore).findBySlug(slug))!;
  await server.app.get(ChangeBus).publish({ type: 'catalogue', tenantId: id, slug, revision });
}

/** Stores a secret of a tenant as the admin API does. */
export async function storeSecret({ server }: RunningServer, slug: string, name: string, value: string): Promise<void> {
  const { id: tenantId } = (await server.app.get(TenantStore).findBySlug(slug))!;
  const vault = new SecretVault(server.app.get(SecretStore), await keyRingOf(server.environment));
  const sealed = vault.seal(tenantId, name, value);
  await server.app.get(Database).client.secret.create({ data: { tenantId, name, sealed } });
}
