import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LoginTakenError, UnknownAccountError } from '#authorization/stores/account.store.js';
import type { UpstreamIdentity } from '#authorization/stores/account.store.js';
import { databaseEngines } from '../support/databases.js';
import { eightTimes, HOUR_MS, inHours, ISSUER, newRecord, openNodes } from './store-fixtures.js';
import type { Node } from './store-fixtures.js';

const engines = await databaseEngines();

describe.each(engines)('accounts on $name', (engine) => {
  let nodes: [Node, Node];
  let node: Node;
  let dispose: () => Promise<void>;
  let tenantId: string;
  let otherId: string;

  beforeAll(async () => {
    ({ nodes, dispose } = await openNodes(engine));
    [node] = nodes;
    [tenantId, otherId] = [(await node.tenant()).id, (await node.tenant()).id];
  });

  afterAll(() => dispose());

  it('are none until the first is made', async () => {
    expect(await node.accounts.isEmpty()).toBe(true);
    await node.account();
    expect(await node.accounts.isEmpty()).toBe(false);
  });

  it('are found by id, and by address in any case', async () => {
    const made = await node.accounts.create({ login: 'Ada@Example.org', name: 'Ada Müller 😀', passwordHash: 'hash' });
    expect(made).toEqual({
      id: expect.any(String),
      tenantId: null,
      login: 'ada@example.org',
      name: 'Ada Müller 😀',
      email: 'ada@example.org',
      passwordHash: 'hash',
      status: 'active',
    });
    expect(await node.accounts.find(made.id)).toEqual(made);
    expect(await node.accounts.findByLogin('ADA@example.ORG')).toEqual(made);
  });

  it('are not found by what is nobody’s, whatever was typed', async () => {
    expect(await node.accounts.find(randomUUID())).toBeUndefined();
    expect(await node.accounts.find('not an id')).toBeUndefined();
    expect(await node.accounts.findByLogin('nobody@example.org')).toBeUndefined();
    expect(await node.accounts.findByLogin('a\0b')).toBeUndefined();
  });

  it('become the first operator once, and never by the sign-in of a tenant', async () => {
    const [first, second] = [await node.account(), await node.account()];
    const identity = { tenantId: otherId, issuer: ISSUER, subject: randomUUID(), name: 'Up', email: null };
    const upstream = await node.accounts.findOrCreateUpstream(identity, 'owner');
    expect(await node.accounts.makeFirstOperator(upstream.id)).toBe(false);
    expect(await node.accounts.makeFirstOperator(first)).toBe(true);
    expect(await node.accounts.makeFirstOperator(second)).toBe(false);
    expect(await node.database.client.account.findMany({ where: { operator: true }, select: { id: true } })).toEqual([
      { id: first },
    ]);
  });

  it('have an address each, also when many ask for one at once', async () => {
    const login = `${randomUUID()}@example.org`;
    const made = await Promise.allSettled(
      nodes.flatMap((one) => [1, 2].map(() => one.accounts.create({ login, name: 'Ada', passwordHash: 'hash' }))),
    );
    const failures = made.filter((one) => one.status === 'rejected').map((one): unknown => one.reason);
    expect(failures).toHaveLength(3);
    expect(failures.every((reason) => reason instanceof LoginTakenError)).toBe(true);
  });

  it('get a new password', async () => {
    const id = await node.account();
    await node.accounts.setPassword(id, 'another');
    expect(await node.accounts.find(id)).toMatchObject({ passwordHash: 'another' });
  });

  describe('that come by a tenant’s provider', () => {
    function newIdentity(given: Partial<UpstreamIdentity> = {}): UpstreamIdentity {
      const issuer = 'https://login.example';
      return { tenantId, issuer, subject: randomUUID(), name: 'Ada', email: 'ada@example.org', ...given };
    }

    it('are made once, with one membership, however many first times there are at once', async () => {
      const identity = newIdentity();
      const made = await eightTimes(nodes, (one) => one.accounts.findOrCreateUpstream(identity, 'member'));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      const { id, ...account } = made[0]!;
      const expected = { tenantId, login: null, name: 'Ada', email: 'ada@example.org', passwordHash: null };
      expect(account).toEqual({ ...expected, status: 'active' });
      expect(await node.accounts.find(id)).toEqual(made[0]);
      expect(await node.accounts.roleIn(tenantId, id)).toBe('member');
      const { identity: identities, membership, account: accounts } = node.database.client;
      const { issuer, subject } = identity;
      expect(await identities.count({ where: { issuer, subject } })).toBe(1);
      expect(await membership.count({ where: { accountId: id } })).toBe(1);
      expect(await accounts.count({ where: { tenantId } })).toBe(1);
    });

    it('follow the provider’s name and address, and keep role and membership as they are', async () => {
      const identity = newIdentity();
      const { id } = await node.accounts.findOrCreateUpstream(identity, 'member');
      await node.accounts.setMembership(tenantId, id, 'admin');
      const later = await node.accounts.findOrCreateUpstream({ ...identity, name: 'Ada L.', email: null }, 'member');
      expect(later).toMatchObject({ id, name: 'Ada L.', email: null });
      expect(await node.accounts.find(id)).toEqual(later);
      expect(await node.accounts.roleIn(tenantId, id)).toBe('admin');
      await node.accounts.removeMembership(tenantId, id);
      await node.accounts.findOrCreateUpstream(identity, 'member');
      expect(await node.accounts.roleIn(tenantId, id)).toBeUndefined();
    });

    it('are no members when no role is given', async () => {
      const { id } = await node.accounts.findOrCreateUpstream(newIdentity(), undefined);
      expect(await node.accounts.roleIn(tenantId, id)).toBeUndefined();
    });

    it('are others for another tenant, provider or subject', async () => {
      const identity = newIdentity();
      const all = [identity, { ...identity, tenantId: otherId }, { ...identity, issuer: 'https://x.example' }];
      const ids = await Promise.all(all.map((one) => node.accounts.findOrCreateUpstream(one, 'member')));
      expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
    });

    it('cannot become members of another tenant', async () => {
      const { id } = await node.accounts.findOrCreateUpstream(newIdentity(), 'member');
      await expect(node.accounts.setMembership(otherId, id, 'admin')).rejects.toThrow(UnknownAccountError);
      expect(await node.accounts.roleIn(otherId, id)).toBeUndefined();
    });

    it('go with their tenant, as do memberships of others', async () => {
      const leaving = await node.tenant();
      const { id } = await node.accounts.findOrCreateUpstream(newIdentity({ tenantId: leaving.id }), 'member');
      const guest = await node.account();
      await node.accounts.setMembership(leaving.id, guest, 'member');
      await node.database.client.tenant.delete({ where: { id: leaving.id } });
      expect(await node.accounts.find(id)).toBeUndefined();
      expect(await node.database.client.identity.count({ where: { tenantId: leaving.id } })).toBe(0);
      expect(await node.accounts.roleIn(leaving.id, guest)).toBeUndefined();
      expect(await node.accounts.find(guest)).toBeDefined();
    });
  });

  it('are listed, the newest first, whoever vouches for them', async () => {
    const [first, second] = [await node.account(), await node.account()];
    const identity = { tenantId, issuer: ISSUER, subject: randomUUID(), name: 'Guest', email: null };
    const { id: guest } = await node.accounts.findOrCreateUpstream(identity, undefined);
    await laterBySeconds([first, second, guest]);
    const [newest, ...rest] = await node.accounts.list();
    expect(newest).toEqual(await node.accounts.find(guest));
    expect(rest.slice(0, 2).map(({ id }) => id)).toEqual([second, first]);
  });

  it('are listed by the thousand at most, as are members', async () => {
    const { id: crowded } = await node.tenant();
    await node.database.client.$executeRaw`
      WITH made AS (
        INSERT INTO accounts (id, name) SELECT gen_random_uuid(), 'One of many' FROM generate_series(1, 1100) RETURNING id
      )
      INSERT INTO memberships (tenant_id, account_id, role) SELECT ${crowded}::uuid, id, 'member' FROM made`;
    expect(await node.accounts.list()).toHaveLength(1_000);
    expect(await node.accounts.membersOf(crowded)).toHaveLength(1_000);
  });

  /** Has the accounts be made a minute from now, each a second after the one before. */
  async function laterBySeconds(ids: readonly string[]): Promise<void> {
    for (const [index, id] of ids.entries()) {
      await node.database.client.$executeRaw`
        UPDATE accounts SET created_at = now() + make_interval(secs => ${60 + index}::double precision)
        WHERE id = ${id}::uuid`;
    }
  }

  describe('as members', () => {
    it('are listed for their tenant alone, with their roles', async () => {
      const { id: team } = await node.tenant();
      const [ann, bob] = [await node.account(), await node.account()];
      await node.accounts.setMembership(team, ann, 'owner');
      await node.accounts.setMembership(team, bob, 'member');
      await node.accounts.setStatus(bob, 'disabled');
      const members = await node.accounts.membersOf(team);
      expect(new Map(members.map(({ account, role }) => [account.id, role]))).toEqual(
        new Map([
          [ann, 'owner'],
          [bob, 'member'],
        ]),
      );
      expect(members.find(({ account }) => account.id === bob)?.account).toEqual(await node.accounts.find(bob));
      expect(await node.accounts.membersOf(randomUUID())).toEqual([]);
    });

    it('have a role in each tenant, which may change', async () => {
      const id = await node.account();
      expect(await node.accounts.roleIn(tenantId, id)).toBeUndefined();
      await node.accounts.setMembership(tenantId, id, 'member');
      await node.accounts.setMembership(tenantId, id, 'admin');
      expect(await node.accounts.roleIn(tenantId, id)).toBe('admin');
      expect(await node.accounts.roleIn(otherId, id)).toBeUndefined();
      expect(await node.accounts.roleIn(tenantId, 'not an id')).toBeUndefined();
    });

    it('must be there', async () => {
      for (const id of [randomUUID(), 'not an id']) {
        await expect(node.accounts.setMembership(tenantId, id, 'member')).rejects.toThrow(UnknownAccountError);
      }
    });

    it('lose their grants in the tenant with the membership, and no others', async () => {
      const [accountId, colleague] = [await node.account(), await node.account()];
      await node.accounts.setMembership(tenantId, accountId, 'member');
      await node.accounts.setMembership(otherId, accountId, 'member');
      const [here, there, theirs] = [
        await node.grant({ tenantId, accountId }),
        await node.grant({ tenantId: otherId, accountId }),
        await node.grant({ tenantId, accountId: colleague }),
      ];
      expect(await node.accounts.removeMembership(tenantId, accountId)).toEqual([{ tenantId, subject: here.id }]);
      expect(await node.accounts.roleIn(tenantId, accountId)).toBeUndefined();
      expect(await node.accounts.roleIn(otherId, accountId)).toBe('member');
      expect(await node.revocations.isRevoked({ tenantId, subject: here.id })).toBe(true);
      expect(await Promise.all([here, there, theirs].map((one) => node.recordsOf(one)))).toEqual([0, 1, 1]);
      expect(await node.accounts.removeMembership(tenantId, accountId)).toEqual([]);
      expect(await node.accounts.removeMembership(tenantId, 'not an id')).toEqual([]);
    });
  });

  it('administer the tenants where they are owner or admin, as long as they are active and the platform’s', async () => {
    const id = await node.account();
    await node.accounts.setMembership(tenantId, id, 'admin');
    await node.accounts.setMembership(otherId, id, 'member');
    expect(await node.accounts.adminRights(id)).toEqual({ operator: false, tenantIds: [tenantId] });
    await node.accounts.setMembership(otherId, id, 'owner');
    await node.database.client.account.update({ where: { id }, data: { operator: true } });
    const { operator, tenantIds = [] } = (await node.accounts.adminRights(id)) ?? {};
    expect([operator, new Set(tenantIds)]).toEqual([true, new Set([tenantId, otherId])]);
    await node.accounts.setStatus(id, 'disabled');
    expect(await node.accounts.adminRights(id)).toBeUndefined();
    const upstream = { tenantId, issuer: 'https://id.example', subject: randomUUID(), name: 'Ada', email: null };
    const { id: theirs } = await node.accounts.findOrCreateUpstream(upstream, 'admin');
    expect(await node.accounts.adminRights(theirs)).toBeUndefined();
    expect(await node.accounts.adminRights('not an id')).toBeUndefined();
  });

  describe('when disabled', () => {
    it('lose all grants and sessions, and come back without them', async () => {
      const [accountId, other] = [await node.account(), await node.account()];
      const grants = [await node.grant({ tenantId, accountId }), await node.grant({ tenantId: otherId, accountId })];
      const kept = await node.grant({ tenantId, accountId: other });
      const [session, interaction, theirs] = [
        newRecord({ kind: 'Session', accountId }),
        newRecord({ kind: 'Interaction', accountId }),
        newRecord({ kind: 'Session', accountId: other }),
      ];
      for (const record of [session, interaction, theirs]) await node.records.save(record);
      const revoked = await node.accounts.setStatus(accountId, 'disabled');
      expect(new Set(revoked)).toEqual(new Set(grants.map((one) => ({ tenantId: one.tenantId, subject: one.id }))));
      expect(await node.accounts.find(accountId)).toMatchObject({ status: 'disabled' });
      for (const grant of grants) expect(await node.grants.find(ISSUER, grant.id)).toBeUndefined();
      expect(await node.grants.find(ISSUER, kept.id)).toEqual(kept);
      const left = await Promise.all([session, interaction, theirs].map((one) => node.records.find(one)));
      expect(left.map((record) => record !== undefined)).toEqual([false, true, true]);
      expect(await node.accounts.setStatus(accountId, 'active')).toEqual([]);
      expect(await node.accounts.find(accountId)).toMatchObject({ status: 'active' });
    });
  });

  describe('and failed sign-ins', () => {
    const keys = (): string[] => [randomUUID(), randomUUID()];

    it('are taken back without going below none', async () => {
      const [a, b] = keys() as [string, string];
      await node.failures.add([a], HOUR_MS);
      await node.failures.add([a], HOUR_MS);
      await node.failures.takeBack([a, b]);
      expect(await node.failuresOf([a, b])).toEqual([1, 0]);
      await node.failures.takeBack([a]);
      await node.failures.takeBack([a]);
      expect(await node.failuresOf([a])).toEqual([0]);
    });

    it('are counted for each key, in the order of the keys, and lost by none of many at once', async () => {
      const [a, b] = keys() as [string, string];
      expect(await node.failures.add([b, a], HOUR_MS)).toEqual([1, 1]);
      await eightTimes(nodes, (one, index) => one.failures.add(index % 2 ? [a, b] : [b, a], HOUR_MS));
      await node.failures.add([a, a], HOUR_MS);
      expect(await node.failuresOf([a, 'nobody', b, a])).toEqual([10, 0, 9, 10]);
      expect(await node.failures.add([], HOUR_MS)).toEqual([]);
    });

    it('begin anew when the window that began with the first has ended', async () => {
      const [a, b] = keys() as [string, string];
      await node.failures.add([a], HOUR_MS);
      const { expiresAt } = await node.database.client.signInFailure.findUniqueOrThrow({ where: { key: a } });
      await node.failures.add([a, b], 2 * HOUR_MS);
      const again = await node.database.client.signInFailure.findUniqueOrThrow({ where: { key: a } });
      expect(again).toEqual({ key: a, count: 2, expiresAt });
      await node.database.client.$executeRaw`
        UPDATE sign_in_failures SET expires_at = now() - interval '1 second' WHERE key = ${a}`;
      expect(await node.failuresOf([a, b])).toEqual([0, 1]);
      expect(await node.failures.add([a, b], HOUR_MS)).toEqual([1, 2]);
      expect(await node.failuresOf([a, b])).toEqual([1, 2]);
    });

    it('are forgotten when told to', async () => {
      const [a, b] = keys() as [string, string];
      await node.failures.add([a, b], HOUR_MS);
      await node.failures.clear(a);
      expect(await node.failuresOf([a, b])).toEqual([0, 1]);
    });

    it('are swept when their window ended before the time given', async () => {
      const [a, b] = keys() as [string, string];
      await node.failures.add([a, b], HOUR_MS);
      await node.database.client.$executeRaw`
        UPDATE sign_in_failures SET expires_at = now() - interval '2 hours' WHERE key = ${a}`;
      expect(await node.failures.sweep(inHours(-1))).toBe(1);
      expect(await node.failuresOf([a, b])).toEqual([0, 1]);
    });
  });
});
