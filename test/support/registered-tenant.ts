import { TenantStore } from '#tenancy/tenant.store.js';
import { keyRingOf } from '#server/config/settings.js';
import type { CausewayServer } from '#server/create-server.js';
import { Database } from '#persistence/database.js';
import { SecretVault } from '#sources/secrets/secret-vault.js';
import type { SourceKind } from '#tenancy/tenant.store.js';
import { openTenant } from './running-server.js';

export interface RegisteredSource {
  readonly name: string;
  readonly kind?: SourceKind;
  readonly definition: object;
}

/** Makes an open tenant with these sources and secrets, by its rows: before anybody asks for it. Returns its id. */
export async function registeredTenant(
  { app, environment }: CausewayServer,
  slug: string,
  sources: readonly RegisteredSource[],
  secrets: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { client } = app.get(Database);
  const { id: tenantId } = await app.get(TenantStore).create(openTenant(slug));
  const vault = new SecretVault({ find: () => Promise.resolve(undefined) }, await keyRingOf(environment));
  await client.source.createMany({
    data: sources.map(({ name, kind = 'http_tool', definition }) => ({ tenantId, name, kind, definition })),
  });
  await client.secret.createMany({
    data: Object.entries(secrets).map(([name, value]) => ({
      tenantId,
      name,
      sealed: vault.seal(tenantId, name, value),
    })),
  });
  return tenantId;
}
