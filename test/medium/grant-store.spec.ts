import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GrantEndedError, GrantExistsError, REVOCATION_LIFE_MS } from '#authorization/stores/grant.store.js';
import { IdTakenError } from '#persistence/database-errors.js';
import { databaseEngines } from '../support/databases.js';
import { eightTimes, inHours, ISSUER, newGrant, newRecord, openNodes } from './store-fixtures.js';
import type { Node } from './store-fixtures.js';

const engines = await databaseEngines();
const OTHER_ISSUER = 'https://other.example';

describe.each(engines)('grants on $name', (engine) => {
  let nodes: [Node, Node];
  let node: Node;
  let dispose: () => Promise<void>;
  let tenantId: string;
  let otherId: string;
  let accountId: string;

  beforeAll(async () => {
    ({ nodes, dispose } = await openNodes(engine));
    [node] = nodes;
    [tenantId, otherId] = [(await node.tenant()).id, (await node.tenant()).id];
    accountId = await node.account();
  });

  afterAll(() => dispose());

  it('come back as they were saved, by id and by key', async () => {
    const payload = { zeta: 1, alpha: 'Zürich \u0000 😀', resources: { [ISSUER]: 'b a' } };
    const grant = await node.grant({ tenantId, accountId, payload });
    expect(await node.grants.find(ISSUER, grant.id)).toEqual(grant);
    expect(JSON.stringify((await node.grants.findByKey(grant))?.payload)).toBe(JSON.stringify(payload));
  });

  it('are not found at another issuer, for another key, or when they have expired', async () => {
    const grant = await node.grant({ tenantId, accountId });
    const expired = await node.grant({ tenantId, accountId, expiresAt: new Date(Date.now() - 1_000) });
    expect(await node.grants.find(OTHER_ISSUER, grant.id)).toBeUndefined();
    expect(await node.grants.find(ISSUER, 'a\0b')).toBeUndefined();
    for (const changed of [
      { issuer: OTHER_ISSUER },
      { accountId: randomUUID() },
      { clientId: 'x' },
      { resource: 'x' },
    ]) {
      expect(await node.grants.findByKey({ ...grant, ...changed })).toBeUndefined();
    }
    expect(await node.grants.find(ISSUER, expired.id)).toBeUndefined();
    expect(await node.grants.findByKey(expired)).toBeUndefined();
  });

  it('get a new payload and expiry when saved again', async () => {
    const grant = await node.grant({ tenantId, accountId });
    const changed = { ...grant, payload: { changed: true }, expiresAt: inHours(5) };
    await node.grants.save(changed);
    expect(await node.grants.find(ISSUER, grant.id)).toEqual(changed);
  });

  it('are refused under an id that belongs to another key, and nothing changes', async () => {
    const grant = await node.grant({ tenantId, accountId });
    const theirs = { ...newGrant({ tenantId: otherId, accountId }), id: grant.id, payload: { mine: true } };
    await expect(node.grants.save(theirs)).rejects.toThrow(IdTakenError);
    expect(await node.grants.find(ISSUER, grant.id)).toEqual(grant);
  });

  it('exist once for a key: of many first ones at once one is kept', async () => {
    const key = newGrant({ tenantId, accountId });
    const saves = await Promise.allSettled(
      nodes.flatMap((one) => [1, 2, 3, 4].map(() => one.grants.save({ ...key, id: randomUUID() }))),
    );
    const failures = saves.filter((one) => one.status === 'rejected').map((one): unknown => one.reason);
    expect(failures).toHaveLength(7);
    expect(failures.every((reason) => reason instanceof GrantExistsError)).toBe(true);
    expect(await node.grants.findByKey(key)).toBeDefined();
  });

  it('make room for a successor once they have expired', async () => {
    const expired = await node.grant({ tenantId, accountId, expiresAt: new Date(Date.now() - 1_000) });
    const successor = { ...expired, id: randomUUID(), expiresAt: inHours(1) };
    await node.grants.save(successor);
    expect(await node.grants.findByKey(expired)).toEqual(successor);
  });

  it('are listed for their tenant alone, the newest first', async () => {
    const [mine, theirs] = [await node.tenant(), await node.tenant()];
    const [first, second] = [
      await node.grant({ tenantId: mine.id, accountId }),
      await node.grant({ tenantId: mine.id, accountId }),
    ];
    await node.grant({ tenantId: theirs.id, accountId });
    await node.database.client.$executeRaw`
      UPDATE oauth_grants SET created_at = now() - interval '1 hour' WHERE id = ${first.id}`;
    expect(await node.grants.listOfTenant(mine.id)).toEqual([second, first]);
  });

  it('end with the records that name them, and leave a revocation for longer than any token lives', async () => {
    const grant = await node.grant({ tenantId, accountId });
    const other = await node.grant({ tenantId, accountId });
    await node.records.save(newRecord({ kind: 'AuthorizationCode', grantId: grant.id }));
    expect(await node.grants.revoke(OTHER_ISSUER, grant.id)).toEqual([]);
    expect(await node.grants.revoke(ISSUER, grant.id)).toEqual([{ tenantId, subject: grant.id }]);
    expect(await node.grants.find(ISSUER, grant.id)).toBeUndefined();
    expect([await node.recordsOf(grant), await node.recordsOf(other)]).toEqual([0, 1]);
    expect(await node.revocations.isRevoked({ tenantId, subject: grant.id })).toBe(true);
    expect(await node.revocations.isRevoked({ tenantId, subject: other.id })).toBe(false);
    expect(await node.revocations.isRevoked({ tenantId: otherId, subject: grant.id })).toBe(false);
    const [row] = await node.database.client.$queryRaw<{ ms: number }[]>`
      SELECT extract(epoch FROM expires_at - revoked_at)::double precision * 1000 AS ms
      FROM revocations WHERE subject = ${grant.id}`;
    expect(row?.ms).toBeCloseTo(REVOCATION_LIFE_MS, -1);
  });

  it('do not come back under an id that was revoked, also when both happen at once', async () => {
    const ended = await node.grant({ tenantId, accountId });
    await node.grants.revoke(ISSUER, ended.id);
    await expect(node.grants.save(ended)).rejects.toThrow(GrantEndedError);
    expect(await node.grants.findByKey(ended)).toBeUndefined();
    for (let round = 0; round < 10; round += 1) {
      const grant = await node.grant({ tenantId, accountId });
      await eightTimes(nodes, async (one, index) => {
        if (index === 3) await one.grants.revoke(ISSUER, grant.id);
        else await one.grants.save(grant).catch(() => undefined);
      });
      expect(await node.grants.findByKey(grant)).toBeUndefined();
    }
  });

  it('leave people at the consent page when they end', async () => {
    const grant = await node.grant({ tenantId, accountId });
    await node.records.save(newRecord({ kind: 'Interaction', grantId: grant.id }));
    const before = await node.recordsOf(grant);
    await node.grants.revoke(ISSUER, grant.id);
    expect([before, await node.recordsOf(grant)]).toEqual([2, 1]);
  });

  it('end once when many revoke at once', async () => {
    const grant = await node.grant({ tenantId, accountId });
    const revoked = await eightTimes(nodes, (one) => one.grants.revoke(ISSUER, grant.id));
    expect(revoked.flat()).toEqual([{ tenantId, subject: grant.id }]);
  });

  it('are swept when they expired before the time given', async () => {
    const stale = await node.grant({ tenantId, accountId, expiresAt: inHours(-2) });
    const recent = await node.grant({ tenantId, accountId, expiresAt: new Date(Date.now() - 1_000) });
    expect(await node.grants.sweep(inHours(-1))).toBe(1);
    const where = { id: { in: [stale.id, recent.id] } };
    expect(await node.database.client.oAuthGrant.findMany({ where, select: { id: true } })).toEqual([
      { id: recent.id },
    ]);
  });

  describe('for what is the platform’s own', () => {
    it('are found without a tenant, and listed for none', async () => {
      const grant = await node.grant({ tenantId: null, accountId });
      expect(await node.grants.find(ISSUER, grant.id)).toEqual(grant);
      expect(await node.grants.listOfTenant(tenantId)).not.toContainEqual(expect.objectContaining({ id: grant.id }));
      const changed = { ...grant, payload: { changed: true } };
      await node.grants.save(changed);
      expect(await node.grants.findByKey(grant)).toEqual(changed);
      await expect(node.grants.save({ ...changed, tenantId })).rejects.toThrow(IdTakenError);
    });

    it('end on every node with the records that name them, and do not come back', async () => {
      const grant = await node.grant({ tenantId: null, accountId });
      expect(await node.grants.revoke(ISSUER, grant.id)).toEqual([]);
      for (const { grants } of nodes) expect(await grants.find(ISSUER, grant.id)).toBeUndefined();
      expect(await node.recordsOf(grant)).toBe(0);
      await expect(node.grants.save(grant)).rejects.toThrow(GrantEndedError);
      const successor = { ...grant, id: randomUUID() };
      await node.grants.save(successor);
      await expect(node.grants.save(grant)).rejects.toThrow(GrantExistsError);
      expect(await node.grants.findByKey(grant)).toEqual(successor);
    });

    it('end with their account, and not with a membership', async () => {
      const person = await node.account();
      await node.accounts.setMembership(tenantId, person, 'admin');
      const grant = await node.grant({ tenantId: null, accountId: person });
      await node.accounts.removeMembership(tenantId, person);
      expect(await node.grants.find(ISSUER, grant.id)).toEqual(grant);
      expect(await node.accounts.setStatus(person, 'disabled')).toEqual([]);
      expect(await node.grants.find(ISSUER, grant.id)).toBeUndefined();
      expect(await node.recordsOf(grant)).toBe(0);
    });
  });
});
