import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';
import type { Change } from '#events/change.js';
import { type Database, openDatabase } from '#persistence/database.js';
import { applyMigrations } from '#persistence/migrations.js';
import { PrismaTenantStore } from '#persistence/prisma-tenant.store.js';
import { TenantWatch } from '#serving/tenant-watch.js';
import { databaseEngines } from '../support/databases.js';
import { openTenant } from '../support/running-server.js';

const engines = await databaseEngines();

describe.each(engines)('changes that no bus brought, on $name', (engine) => {
  const place = engine.empty();
  let database: Database;

  beforeAll(async () => {
    database = await openDatabase(place.value);
    await applyMigrations(database);
  });

  afterAll(async () => {
    await database.close();
    await place.dispose();
  });

  it('are found by comparing revisions, of tenants in memory only', async () => {
    const store = new PrismaTenantStore(database);
    const compiler = { compile: (tenant: TenantRecord) => ({ tenant }) as unknown as Catalogue };
    const directory = new TenantDirectory(store, compiler as unknown as CatalogueCompiler, {
      capacity: 10,
      absentMs: 0,
      onLoaded: () => undefined,
    });
    const heard: Change[] = [];
    const watch = new TenantWatch(
      store,
      directory,
      { route: (change) => heard.push(change), isHeard: () => false },
      { intervalMs: 60_000, onFailure: () => undefined },
    );
    const [watched, other] = [await store.create(openTenant('watched')), await store.create(openTenant('other'))];
    await directory.find('watched');
    await watch.look();
    expect(heard).toEqual([]);
    await store.setActivation(other.id, 'x', true);
    await store.setStatus(watched.id, 'suspended');
    await watch.look();
    expect(heard).toEqual([{ type: 'catalogue', tenantId: watched.id, slug: 'watched', revision: 2 }]);
    await directory.refresh('watched');
    await watch.look();
    expect(heard).toHaveLength(1);
  });
});
