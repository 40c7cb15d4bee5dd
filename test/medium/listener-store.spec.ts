import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#persistence/database.js';
import { applyMigrations } from '#persistence/migrations.js';
import { PrismaListenerStore } from '#persistence/prisma-listener.store.js';
import { PrismaTenantStore } from '#persistence/prisma-tenant.store.js';
import type { ListenerRow } from '#serving/listener.store.js';
import { databaseEngines } from '../support/databases.js';
import { openTenant } from '../support/running-server.js';

const engines = await databaseEngines();

describe.each(engines)('the rows of listeners, on $name', (engine) => {
  const place = engine.empty();
  let database: Database;
  let other: Database;
  let stores: PrismaListenerStore[];

  beforeAll(async () => {
    database = await openDatabase(place.value);
    await applyMigrations(database);
    other = engine.name === 'Postgres' ? await openDatabase(place.value) : database;
    stores = [new PrismaListenerStore(database), new PrismaListenerStore(other)];
  });

  afterAll(async () => {
    await database.close();
    await other.close();
    await place.dispose();
  });

  const tenant = async (): Promise<string> => {
    const { id } = await new PrismaTenantStore(database).create(openTenant(`t-${randomUUID().slice(0, 8)}`));
    return id;
  };
  const row = (tenantId: string, subject = 'ada', clientId = 'host'): ListenerRow => {
    return { tenantId, id: randomUUID(), subject, clientId, filter: { toolsListChanged: true }, since: new Date() };
  };
  const store = (): PrismaListenerStore => stores[0]!;
  const count = async (tenantId: string): Promise<number> => (await store().list(tenantId, { limit: 1_000 })).length;

  it('tell who listens, for what, since when, and where, page by page', async () => {
    const [tenantId, nodeId] = [await tenant(), randomUUID()];
    const rows = [row(tenantId), { ...row(tenantId), clientId: undefined }, row(await tenant())];
    await store().open(nodeId, rows, 10);
    const expected = rows
      .slice(0, 2)
      .map((one) => ({ ...one, nodeId }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(await store().list(tenantId, { limit: 10 })).toEqual(expected);
    expect(await store().list(tenantId, { limit: 10, after: expected[0]!.id })).toEqual(expected.slice(1));
    expect(await store().list(tenantId, { limit: 1 })).toEqual(expected.slice(0, 1));
  });

  it('are bounded for each principal over all nodes, however many come at once', async () => {
    const tenantId = await tenant();
    const nodes = [randomUUID(), randomUUID()];
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        stores[index % 2]!.open(nodes[index % 2]!, [row(tenantId), row(tenantId), row(tenantId, 'bob')], 10),
      ),
    );
    expect(opened.flatMap((ids) => [...ids])).toHaveLength(20);
    const subjects = (await store().list(tenantId, { limit: 100 })).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'ada')).toHaveLength(10);
    expect((await store().open(nodes[0]!, [row(tenantId, 'ada', 'another')], 10)).size).toBe(1);
    expect((await store().open(nodes[0]!, [{ ...row(tenantId), clientId: undefined }], 10)).size).toBe(1);
  });

  it('go when their streams end, of their node only', async () => {
    const [tenantId, one, two] = [await tenant(), randomUUID(), randomUUID()];
    const [mine, also, theirs] = [row(tenantId), row(tenantId), row(tenantId)];
    await store().open(one, [mine, also], 10);
    await store().open(two, [theirs], 10);
    await store().close(one, [mine.id, theirs.id]);
    const left = (await store().list(tenantId, { limit: 10 })).map(({ id }) => id);
    expect(left.sort()).toEqual([also.id, theirs.id].sort());
    await store().leave(two);
    expect(await count(tenantId)).toBe(1);
  });

  it('go with a node that fell silent, and come back with it', async () => {
    const [tenantId, nodeId, living] = [await tenant(), randomUUID(), randomUUID()];
    const rows = [row(tenantId), row(tenantId)];
    await store().open(nodeId, rows, 10);
    await store().beat(living);
    await database.client.$executeRaw`
      UPDATE nodes SET beat_at = now() - interval '20 seconds' WHERE id = ${nodeId}::uuid`;
    expect(await store().sweep(15_000)).toBe(1);
    expect(await count(tenantId)).toBe(0);
    expect(await store().beat(nodeId)).toBe(0);
    await store().restore(nodeId, rows);
    expect([await count(tenantId), await store().beat(nodeId)]).toEqual([2, 2]);
    await store().restore(nodeId, rows.slice(1));
    expect((await store().list(tenantId, { limit: 10 })).map(({ id }) => id)).toEqual([rows[1]!.id]);
  });

  it('of a tenant that is gone are not written, and those of others are', async () => {
    const rows = [row(randomUUID()), row(await tenant())];
    const nodeId = randomUUID();
    expect(await store().open(nodeId, rows, 10)).toEqual(new Set([rows[1]!.id]));
    await store().restore(nodeId, rows);
    expect(await store().beat(nodeId)).toBe(1);
  });
});
