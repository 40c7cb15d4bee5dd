import { Database } from '#persistence/database.js';
import type { SourceKind } from '#tenancy/tenant.store.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { ChangeBus } from '#events/change.bus.js';
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
