import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '#persistence/database.js';
import { migrationsDirectory, readMigrations } from '#persistence/migration-files.js';
import { applyMigrations } from '#persistence/migrations.js';
import { PrismaTenantStore } from '#persistence/prisma-tenant.store.js';
import { readAccessPolicy } from '#tenancy/access-policy.js';
import { databaseEngines, temporaryDirectory } from '../support/databases.js';

const engines = await databaseEngines();
const [first, ...later] = (await readMigrations(migrationsDirectory())).map(({ name }) => name) as [
  string,
  ...string[],
];

describe.each(engines)('an upgrade from the first release on $name', (engine) => {
  it('keeps the tenants, and gives them the access policy that there is by default', async () => {
    const [place, directory] = [engine.empty(), await temporaryDirectory()];
    await cp(join(migrationsDirectory(), first), join(directory.value, first), { recursive: true });
    const database = await openDatabase(place.value);
    expect(await applyMigrations(database, directory.value)).toEqual([first]);
    const [open, closed] = [randomUUID(), randomUUID()];
    await database.client.$executeRaw`
      INSERT INTO tenants (id, slug, title, access, instructions, revision, updated_at)
      VALUES (${open}::uuid, 'open', 'Zürich “office”', 'open', 'Be kind.', 7, now()),
        (${closed}::uuid, 'closed', 'Closed', 'oauth', NULL, 1, now())`;
    await database.client.$executeRaw`
      INSERT INTO activations (tenant_id, module, configuration) VALUES (${open}::uuid, 'echo', '{"n":1}')`;

    expect(await applyMigrations(database)).toEqual(later);
    const tenants = new PrismaTenantStore(database);
    expect(await tenants.findBySlug('open')).toEqual({
      id: open,
      slug: 'open',
      title: 'Zürich “office”',
      status: 'active',
      access: 'open',
      accessPolicy: readAccessPolicy({}),
      instructions: 'Be kind.',
      revision: 7,
      deletesAt: null,
      sources: [],
      activations: [{ module: 'echo', configuration: { n: 1 } }],
    });
    expect(await tenants.findBySlug('closed')).toMatchObject({ access: 'oauth', accessPolicy: readAccessPolicy({}) });
    expect(await tenants.setAccess(closed, { access: 'tokens' })).toMatchObject({ access: 'tokens', revision: 2 });
    await database.close();
    await Promise.all([place.dispose(), directory.dispose()]);
  });
});
