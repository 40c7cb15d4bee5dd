import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SlugTakenError } from '#tenancy/tenant.store.js';
import type { NewTenant, TenantRecord } from '#tenancy/tenant.store.js';
import type { Round } from '#invocation/round.store.js';
import { openDatabase } from '#persistence/database.js';
import type { Database } from '#persistence/database.js';
import { applyMigrations } from '#persistence/migrations.js';
import { PrismaRoundStore, RoundNotTakenError } from '#persistence/prisma-round.store.js';
import { PrismaTenantStore } from '#persistence/prisma-tenant.store.js';
import { databaseEngines } from '../support/databases.js';

const MINUTE_MS = 60_000;
const engines = await databaseEngines();

function newTenant(given: Partial<NewTenant> = {}): NewTenant {
  const slug = `t-${randomBytes(6).toString('hex')}`;
  return { slug, title: 'A tenant', access: 'oauth', activations: [], ...given };
}

describe.each(engines)('storage on $name', (engine) => {
  const place = engine.empty();
  let database: Database;
  let tenants: PrismaTenantStore;
  let rounds: PrismaRoundStore;
  let tenant: TenantRecord;

  beforeAll(async () => {
    database = await openDatabase(place.value);
    await applyMigrations(database);
    tenants = new PrismaTenantStore(database);
    rounds = new PrismaRoundStore(database);
  });

  afterAll(async () => {
    await database.close();
    await place.dispose();
  });

  describe('tenants', () => {
    it('is empty until the first tenant is made', async () => {
      expect(await tenants.isEmpty()).toBe(true);
      tenant = await tenants.create(newTenant());
      expect(await tenants.isEmpty()).toBe(false);
    });

    it('gives back a tenant as it was made, activations in order of their names', async () => {
      const made = await tenants.create(
        newTenant({
          title: 'Zürich “office”',
          access: 'open',
          instructions: 'Be kind.\nTwice.',
          activations: [
            { module: 'weather', configuration: { unit: 'C', nested: { list: [1, null, 'x'] } } },
            { module: 'Zebra', configuration: {} },
            { module: 'calendar', configuration: {} },
          ],
        }),
      );
      expect(made).toMatchObject({ title: 'Zürich “office”', status: 'active', access: 'open', revision: 1 });
      expect(made.instructions).toBe('Be kind.\nTwice.');
      expect(made.activations).toEqual([
        { module: 'Zebra', configuration: {} },
        { module: 'calendar', configuration: {} },
        { module: 'weather', configuration: { unit: 'C', nested: { list: [1, null, 'x'] } } },
      ]);
      expect(await tenants.findBySlug(made.slug)).toEqual(made);
    });

    it('knows nothing of a slug that nobody has', async () => {
      expect(await tenants.findBySlug('nobody')).toBeUndefined();
    });

    it('refuses a slug that another tenant has, also to one of two that ask at once', async () => {
      const wanted = newTenant({ title: 'first' });
      const both = await Promise.allSettled([tenants.create(wanted), tenants.create(wanted)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await expect(tenants.create({ ...wanted, title: 'later' })).rejects.toThrow(SlugTakenError);
      expect((await tenants.findBySlug(wanted.slug))?.title).toBe('first');
    });

    it('makes thousands at once and leaves those alone that exist', async () => {
      const here = await tenants.create(newTenant({ title: 'here before', activations: [] }));
      const many = Array.from({ length: 10_000 }, () =>
        newTenant({ activations: [{ module: 'echo', configuration: { n: 1 } }] }),
      );
      const batch = [...many, { ...many[0]!, slug: here.slug }];
      await tenants.createMany(batch);
      await tenants.createMany(batch.slice(0, 2_000));
      expect(await tenants.findBySlug(here.slug)).toEqual(here);
      expect((await tenants.findBySlug(many[9_999]!.slug))?.activations).toEqual(many[9_999]!.activations);
      expect(await database.client.activation.count({ where: { module: 'echo' } })).toBe(10_000);
    });

    it('raises the revision with each activation that changes something, and with no other', async () => {
      const { id, slug } = await tenants.create(newTenant());
      expect(await tenants.setActivation(id, 'echo', true)).toMatchObject({ revision: 2 });
      expect(await tenants.setActivation(id, 'echo', true)).toMatchObject({ revision: 2 });
      const on = await tenants.findBySlug(slug);
      expect(on).toMatchObject({ revision: 2, activations: [{ module: 'echo', configuration: {} }] });
      expect(await tenants.setActivation(id, 'echo', false)).toMatchObject({ revision: 3, activations: [] });
      expect(await tenants.setActivation(id, 'echo', false)).toMatchObject({ revision: 3, activations: [] });
    });

    it('loses no change when several come at once', async () => {
      const { id, slug } = await tenants.create(newTenant());
      const modules = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      await Promise.all([...modules, ...modules].map((module) => tenants.setActivation(id, module, true)));
      const after = await tenants.findBySlug(slug);
      expect(after?.revision).toBe(9);
      expect(after?.activations.map(({ module }) => module)).toEqual(modules);
    });

    it('suspends and resumes at a new revision', async () => {
      const { id, slug } = await tenants.create(newTenant());
      expect(await tenants.setStatus(id, 'suspended')).toMatchObject({ status: 'suspended', revision: 2 });
      expect(await tenants.setStatus(id, 'suspended')).toMatchObject({ status: 'suspended', revision: 2 });
      expect(await tenants.findBySlug(slug)).toMatchObject({ status: 'suspended', revision: 2 });
      expect(await tenants.setStatus(id, 'active')).toMatchObject({ status: 'active', revision: 3 });
    });

    it('lists a thousand at most, the newest first, as they are found by their slug', async () => {
      const [one, two] = [await tenants.create(newTenant()), await tenants.create(newTenant({ title: 'Last' }))];
      const suspended = await tenants.setStatus(two.id, 'suspended');
      await database.client.$executeRaw`
        UPDATE tenants SET created_at = now() + interval '1 minute' WHERE id = ${two.id}::uuid`;
      await database.client.$executeRaw`
        UPDATE tenants SET created_at = now() + interval '1 second' WHERE id = ${one.id}::uuid`;
      const listed = await tenants.list();
      expect(listed).toHaveLength(1_000); // thousands were made above
      expect(listed.slice(0, 2)).toEqual([suspended, one]);
    });

    it('changes nothing for a tenant that is not there', async () => {
      expect(await tenants.setActivation(randomUUID(), 'echo', true)).toBeUndefined();
      expect(await tenants.setStatus(randomUUID(), 'suspended')).toBeUndefined();
    });
  });

  describe('rounds', () => {
    function newRound(given: Partial<Round> = {}): Round {
      const expiresAt = new Date(Date.now() + 10 * MINUTE_MS);
      return { tenantId: tenant.id, id: randomUUID(), number: 1, answers: {}, steps: {}, expiresAt, ...given };
    }

    async function opened(given: Partial<Round> = {}): Promise<Round> {
      const round = newRound(given);
      await rounds.open(round);
      return round;
    }

    it('gives the round to the first who takes it, as it was opened', async () => {
      const round = await opened({
        number: 3,
        answers: { slot: { action: 'accept', content: { zeta: 1, alpha: '09:00' } } },
        steps: { free: ['09:00', '10:00'], nothing: null, odd: 'nul \u0000, half \ud83d, 😀' },
      });
      const found = await rounds.take(round.tenantId, round.id);
      expect(found).toEqual({ state: 'taken', round });
      expect(JSON.stringify(found)).toContain('{"zeta":1,"alpha":"09:00"}');
    });

    it('gives it to exactly one of many who try at once, on whatever node', async () => {
      const round = await opened();
      const other = engine.name === 'Postgres' ? await openDatabase(place.value) : undefined;
      const nodes = [rounds, other ? new PrismaRoundStore(other) : rounds];
      const tries = Array.from({ length: 8 }, (_, index) => nodes[index % 2]!.take(round.tenantId, round.id));
      const states = (await Promise.all(tries)).map(({ state }) => state).sort();
      await other?.close();
      expect(states).toEqual([...Array<string>(7).fill('running'), 'taken']);
    });

    it('says what became of a round to those who come later', async () => {
      const { tenantId, id } = await opened();
      await rounds.take(tenantId, id);
      expect(await rounds.take(tenantId, id)).toEqual({ state: 'running' });
      await rounds.settle(tenantId, id, '{"done":true}');
      expect(await rounds.take(tenantId, id)).toEqual({ state: 'settled', outcome: '{"done":true}' });
      expect(await rounds.take(tenantId, id)).toEqual({ state: 'settled', outcome: '{"done":true}' });
    });

    it('opens the next round together with the outcome', async () => {
      const { tenantId, id } = await opened();
      await rounds.take(tenantId, id);
      const next = newRound({ number: 2, steps: { free: ['09:00'] } });
      await rounds.settle(tenantId, id, 'a question', next);
      expect(await rounds.take(tenantId, next.id)).toEqual({ state: 'taken', round: next });
      expect(await rounds.take(tenantId, id)).toEqual({ state: 'settled', outcome: 'a question' });
    });

    it('keeps neither outcome nor next round when one of them cannot be kept', async () => {
      const { tenantId, id } = await opened();
      const there = await opened();
      await rounds.take(tenantId, id);
      await expect(rounds.settle(tenantId, id, 'lost', there)).rejects.toThrow();
      expect(await rounds.take(tenantId, id)).toEqual({ state: 'running' });
    });

    it('refuses to settle a round that is not taken, is settled, or is gone, and opens no next one', async () => {
      const next = newRound({ number: 2 });
      const { tenantId, id } = await opened();
      await expect(rounds.settle(tenantId, id, 'early', next)).rejects.toThrow(RoundNotTakenError);
      await rounds.take(tenantId, id);
      await rounds.settle(tenantId, id, 'once');
      await expect(rounds.settle(tenantId, id, 'twice', next)).rejects.toThrow(RoundNotTakenError);
      await expect(rounds.settle(tenantId, randomUUID(), 'nowhere', next)).rejects.toThrow(RoundNotTakenError);
      expect(await rounds.take(tenantId, next.id)).toEqual({ state: 'gone' });
      expect(await rounds.take(tenantId, id)).toEqual({ state: 'settled', outcome: 'once' });
    });

    it('is gone for another tenant, and for everybody when it never was or has expired', async () => {
      const other = await tenants.create(newTenant());
      const round = await opened();
      const expired = await opened({ expiresAt: new Date(Date.now() - 1_000) });
      expect(await rounds.take(other.id, round.id)).toEqual({ state: 'gone' });
      expect(await rounds.take(round.tenantId, randomUUID())).toEqual({ state: 'gone' });
      expect(await rounds.take(expired.tenantId, expired.id)).toEqual({ state: 'gone' });
      expect(await rounds.take(round.tenantId, round.id)).toMatchObject({ state: 'taken' });
    });

    it('lets a call settle what expired while the call ran, and open the next round', async () => {
      const { tenantId, id } = await opened();
      await rounds.take(tenantId, id);
      const past = { expiresAt: new Date(Date.now() - 1_000) };
      await database.client.round.update({ where: { tenantId_id: { tenantId, id } }, data: past });
      const next = newRound({ number: 2 });
      await rounds.settle(tenantId, id, 'late', next);
      expect(await rounds.take(tenantId, id)).toEqual({ state: 'gone' });
      expect(await rounds.take(tenantId, next.id)).toMatchObject({ state: 'taken' });
    });

    it('keeps the same round id apart for two tenants', async () => {
      const other = await tenants.create(newTenant());
      const mine = await opened();
      const theirs = await opened({ tenantId: other.id, id: mine.id, number: 2 });
      expect(await rounds.take(other.id, mine.id)).toEqual({ state: 'taken', round: theirs });
      expect(await rounds.take(tenant.id, mine.id)).toEqual({ state: 'taken', round: mine });
    });

    it('sweeps what expired before the time given, a thousand at once, and nothing else', async () => {
      const before = new Date(Date.now() - MINUTE_MS);
      await rounds.sweep(before);
      const stale = Array.from({ length: 1_200 }, () => newRound({ expiresAt: new Date(Date.now() - 2 * MINUTE_MS) }));
      await database.client.round.createMany({ data: stale });
      const live = await opened();
      const recent = await opened({ expiresAt: new Date(Date.now() - 1_000) });
      expect([await rounds.sweep(before), await rounds.sweep(before), await rounds.sweep(before)]).toEqual([
        1000, 200, 0,
      ]);
      expect(await database.client.round.count({ where: { id: { in: [live.id, recent.id] } } })).toBe(2);
    });

    it('goes with its tenant', async () => {
      const leaving = await tenants.create(newTenant({ activations: [{ module: 'echo', configuration: {} }] }));
      await opened({ tenantId: leaving.id });
      await database.client.tenant.delete({ where: { id: leaving.id } });
      expect(await database.client.round.count({ where: { tenantId: leaving.id } })).toBe(0);
      expect(await database.client.activation.count({ where: { tenantId: leaving.id } })).toBe(0);
    });
  });

  it('answers a ping, and not beyond what its signal allows', async () => {
    await database.ping();
    await expect(database.ping(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
