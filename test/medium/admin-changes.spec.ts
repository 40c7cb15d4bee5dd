import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChangeTerms, requireMatch } from '#admin/changes/change-terms.js';
import { Changes, type Done } from '#admin/changes/changes.js';
import { KeptAnswers } from '#admin/changes/kept-answers.js';
import { etagOf } from '#admin/http/etag.js';
import type { AdminTenant } from '#admin/stores/admin-tenant.rows.js';
import type { AdminRows } from '#admin/stores/admin.store.js';
import type { OutboxEntry } from '#events/outbox.js';
import { PrismaAdminStore } from '#persistence/admin/prisma-admin.store.js';
import { type Database, openDatabase } from '#persistence/database.js';
import { applyMigrations } from '#persistence/migrations.js';
import { PrismaOutbox } from '#persistence/prisma-outbox.js';
import { PrismaTenantStore } from '#persistence/prisma-tenant.store.js';
import { KeyRing } from '#protocol/key-ring.js';
import { databaseEngines } from '../support/databases.js';

const engines = await databaseEngines();
const keys = new KeyRing([randomBytes(32)]);

const TERMS: ChangeTerms = { actor: 'key:1', ifMatch: ['*'], onlyNew: false, dryRun: false, repeat: undefined };

/** One process. */
class AdminNode {
  readonly sent: OutboxEntry[] = [];
  readonly store = new PrismaAdminStore(this.database);
  readonly changes = new Changes(this.store, new KeptAnswers(keys), {
    send: (entries) => {
      this.sent.push(...entries);
      return Promise.resolve();
    },
  });

  constructor(readonly database: Database) {}
}

describe.each(engines)('changes of the admin API, on $name', (engine) => {
  const place = engine.empty();
  const databases: Database[] = [];
  let first: AdminNode;
  let second: AdminNode;

  beforeAll(async () => {
    databases.push(await openDatabase(place.value));
    await applyMigrations(databases[0]!);
    // PGlite is in one process: there the second node has the database of the first
    if ('url' in place.value) databases.push(await openDatabase(place.value));
    first = new AdminNode(databases[0]!);
    second = new AdminNode(databases.at(-1)!);
  });

  afterAll(async () => {
    for (const database of databases) await database.close();
    await place.dispose();
  });

  async function tenant(): Promise<AdminTenant> {
    const slug = `t-${randomBytes(6).toString('hex')}`;
    await new PrismaTenantStore(first.database).create({ slug, title: 'A', access: 'open', activations: [] });
    return (await first.store.rows.tenants.find(slug))!;
  }

  /** Registers a source, and says so. */
  const register =
    (name: string) =>
    async (rows: AdminRows, { id, slug }: AdminTenant): Promise<Done> => {
      const row = await rows.sources.create(id, { id: randomUUID(), name, kind: 'prompt', definition: {} });
      const { revision } = await rows.tenants.advance(id);
      return {
        answer: { status: 201, body: { name: row.name, id: row.id } },
        action: 'source.create',
        target: name,
        revision,
        changes: [{ type: 'catalogue', tenantId: id, slug, revision }],
      };
    };

  it('keep the row, the revision, the history and the word to the nodes together', async () => {
    const of = await tenant();
    first.sent.length = 0;
    await first.changes.tenant(TERMS, of, register('a'));
    expect(await first.store.rows.sources.find(of.id, 'a')).toMatchObject({ version: 1 });
    expect(await first.store.rows.tenants.find(of.slug)).toMatchObject({ revision: 2 });
    const history = await first.store.rows.history.list(of.id, { limit: 10, after: undefined });
    expect(history).toMatchObject([{ actor: 'key:1', action: 'source.create', target: 'a', revision: 2 }]);
    const change = { type: 'catalogue', tenantId: of.id, slug: of.slug, revision: 2 };
    expect(first.sent.map((entry) => entry.change)).toEqual([change]);
    const written = await new PrismaOutbox(first.database).writtenWithin(60_000, 100);
    expect(written.map((entry) => entry.change)).toContainEqual(change);
  });

  it('leave nothing behind when they fail, or were only tried', async () => {
    const of = await tenant();
    first.sent.length = 0;
    const failing = first.changes.tenant(TERMS, of, async (rows, locked) => {
      await register('b')(rows, locked);
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    const tried = await first.changes.tenant({ ...TERMS, dryRun: true }, of, register('b'));
    expect(tried.body).toMatchObject({ dryRun: true, action: 'source.create', target: 'b' });
    expect(await first.store.rows.sources.count(of.id)).toBe(0);
    expect(await first.store.rows.tenants.find(of.slug)).toMatchObject({ revision: 1 });
    expect(await first.store.rows.history.list(of.id, { limit: 10, after: undefined })).toEqual([]);
    expect(first.sent).toEqual([]);
  });

  it('are made once for one Idempotency-Key, on whatever node it comes, and get one answer', async () => {
    const of = await tenant();
    const repeat = { actor: 'key:1', key: randomUUID(), requestHash: 'h' };
    const both = await Promise.all(
      [first, second].map(({ changes }) => changes.tenant({ ...TERMS, repeat }, of, register('c'))),
    );
    expect(both[0]?.body).toEqual(both[1]?.body);
    expect(both.filter(({ headers }) => headers?.['idempotent-replayed'] === 'true')).toHaveLength(1);
    expect(await first.store.rows.sources.count(of.id)).toBe(1);
    const other = first.changes.tenant({ ...TERMS, repeat: { ...repeat, requestHash: 'i' } }, of, register('d'));
    await expect(other).rejects.toMatchObject({ kind: 'key_reused' });
    const rows = await first.database.client.idempotencyRecord.findMany({ where: { key: repeat.key } });
    expect(JSON.stringify(rows)).not.toContain('"c"');
  });

  it('free the Idempotency-Key of a request that failed', async () => {
    const of = await tenant();
    const repeat = { actor: 'key:1', key: randomUUID(), requestHash: 'h' };
    const failing = first.changes.tenant({ ...TERMS, repeat }, of, () => Promise.reject(new Error('not now')));
    await expect(failing).rejects.toThrow('not now');
    expect(await second.changes.tenant({ ...TERMS, repeat }, of, register('e'))).toMatchObject({ status: 201 });
  });

  it('let one of two win who read the same', async () => {
    const of = await tenant();
    await first.changes.tenant(TERMS, of, register('f'));
    const read = (await first.store.rows.sources.find(of.id, 'f'))!;
    const change = ({ changes }: AdminNode, word: string) =>
      changes.tenant({ ...TERMS, ifMatch: [etagOf(read)] }, of, async (rows, { id }) => {
        requireMatch({ ...TERMS, ifMatch: [etagOf(read)] }, etagOf((await rows.sources.find(id, 'f'))!));
        const row = await rows.sources.update(id, 'f', { word });
        return { answer: { status: 200, body: row.definition }, action: 'source.update' };
      });
    const both = await Promise.allSettled([change(first, 'one'), change(second, 'two')]);
    const won = both.filter((result) => result.status === 'fulfilled');
    const lost = both.filter((result) => result.status === 'rejected');
    expect([won.length, lost.length]).toEqual([1, 1]);
    expect(lost[0]?.reason).toMatchObject({ kind: 'precondition_failed' });
    expect((await second.store.rows.sources.find(of.id, 'f'))?.definition).toEqual(won[0]?.value.body);
  });

  it('come one after the other for a tenant, so that revisions have no gap', async () => {
    const of = await tenant();
    const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
    await Promise.all(names.map((name, at) => (at % 2 ? first : second).changes.tenant(TERMS, of, register(name))));
    expect(await first.store.rows.tenants.find(of.slug)).toMatchObject({ revision: 13 });
    const history = await first.store.rows.history.list(of.id, { limit: 20, after: undefined });
    expect(history.map(({ revision }) => revision)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  });

  it('see and change one tenant alone', async () => {
    const [one, other] = [await tenant(), await tenant()];
    await first.changes.tenant(TERMS, one, register('same'));
    await first.changes.tenant(TERMS, other, register('same'));
    await first.changes.tenant(TERMS, one, async (rows, { id }) => {
      await rows.sources.remove(id, 'same');
      return { answer: { status: 204 }, action: 'source.delete' };
    });
    expect(await first.store.rows.sources.find(one.id, 'same')).toBeUndefined();
    expect(await first.store.rows.sources.find(other.id, 'same')).toBeDefined();
    expect(await first.store.rows.tenants.find(other.slug)).toMatchObject({ revision: 2 });
  });

  it('end with the tenant when its grace is over, and every node is told', async () => {
    const of = await tenant();
    await first.store.rows.tenants.update(of.id, { deletesAt: new Date(Date.now() - 1_000) });
    expect(await first.store.sweepTenants(new Date())).toBe(1);
    expect(await first.store.rows.tenants.find(of.slug)).toBeUndefined();
    const written = await new PrismaOutbox(first.database).writtenWithin(60_000, 1_000);
    expect(written.map(({ change }) => change)).toContainEqual(
      expect.objectContaining({ type: 'catalogue', slug: of.slug }),
    );
  });

  it('of tenants on the command line are written into the outbox too', async () => {
    const of = await tenant();
    await new PrismaTenantStore(second.database).setStatus(of.id, 'suspended');
    const written = await new PrismaOutbox(first.database).unsent(0, 1_000);
    expect(written.map(({ change }) => change)).toContainEqual({
      type: 'catalogue',
      tenantId: of.id,
      slug: of.slug,
      revision: 2,
    });
  });
});
