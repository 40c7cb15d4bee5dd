import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewStaticToken } from '#access/static-token.store.js';
import { databaseEngines } from '../support/databases.js';
import { eightTimes, HOUR_MS, inHours, openNodes } from './store-fixtures.js';
import type { Node } from './store-fixtures.js';

const engines = await databaseEngines();

describe.each(engines)('stores of access on $name', (engine) => {
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

  describe('revocations', () => {
    const newSubject = (): { tenantId: string; subject: string } => ({ tenantId, subject: randomUUID() });

    it('stop their subject in their tenant', async () => {
      const revocation = newSubject();
      expect(await node.revocations.isRevoked(revocation)).toBe(false);
      await eightTimes(nodes, (one) => one.revocations.revoke(revocation, inHours(1)));
      expect(await node.revocations.isRevoked(revocation)).toBe(true);
      expect(await node.revocations.isRevoked({ ...revocation, tenantId: otherId })).toBe(false);
      expect(await node.revocations.isRevoked(newSubject())).toBe(false);
    });

    it('are told to other nodes while they are recent, the latest first', async () => {
      const [old, first, second] = [newSubject(), newSubject(), { ...newSubject(), tenantId: otherId }];
      for (const one of [old, first, second]) await node.revocations.revoke(one, inHours(1));
      await node.database.client.$executeRaw`
        UPDATE revocations SET revoked_at = now() - interval '2 minutes' WHERE subject = ${old.subject}`;
      await node.database.client.$executeRaw`
        UPDATE revocations SET revoked_at = now() - interval '30 seconds' WHERE subject = ${first.subject}`;
      const heard = await nodes[1].revocations.revokedWithin(60_000);
      const ours = heard.filter(({ subject }) => [old, first, second].some((one) => one.subject === subject));
      expect(ours).toEqual([second, first]);
    });

    it('stand until the later of two expiries', async () => {
      const revocation = newSubject();
      for (const hours of [2, 5, 1]) await node.revocations.revoke(revocation, inHours(hours));
      const { expiresAt } = await node.database.client.revocation.findFirstOrThrow({ where: revocation });
      expect(Math.abs(expiresAt.getTime() - inHours(5).getTime())).toBeLessThan(HOUR_MS);
    });

    it('are swept when they expired before the time given', async () => {
      const [stale, live] = [newSubject(), newSubject()];
      await node.revocations.revoke(stale, inHours(-2));
      await node.revocations.revoke(live, inHours(1));
      expect(await node.revocations.sweep(inHours(-1))).toBe(1);
      expect([await node.revocations.isRevoked(stale), await node.revocations.isRevoked(live)]).toEqual([false, true]);
    });
  });

  describe('static tokens', () => {
    function newToken(given: Partial<NewStaticToken> = {}): NewStaticToken {
      return { tenantId, name: 'Nightly build', hash: randomUUID(), scopes: [], expiresAt: null, ...given };
    }

    it('come back as they were made, without the hash', async () => {
      const token = newToken({
        name: 'Zürich “office” 😀',
        scopes: ['b:write', 'a:read', 'odd "}{,'],
        expiresAt: inHours(1),
      });
      const made = await node.staticTokens.create(token);
      const { hash, ...shown } = token;
      expect(made).toEqual({ ...shown, id: expect.any(String), createdAt: expect.any(Date), revokedAt: null });
      expect(await node.staticTokens.findByHash(tenantId, hash)).toEqual(made);
      expect(await node.staticTokens.list(tenantId)).toEqual([made]);
    });

    it('are found in their own tenant alone, expired ones too', async () => {
      const { hash } = newToken();
      const made = await node.staticTokens.create(newToken({ hash, expiresAt: inHours(-1) }));
      expect(await node.staticTokens.findByHash(tenantId, hash)).toEqual(made);
      expect(await node.staticTokens.findByHash(otherId, hash)).toBeUndefined();
      expect(await node.staticTokens.findByHash(tenantId, 'another')).toBeUndefined();
    });

    it('are listed with the newest first', async () => {
      const { id } = await node.tenant();
      const first = await node.staticTokens.create(newToken({ tenantId: id }));
      const second = await node.staticTokens.create(newToken({ tenantId: id }));
      await node.database.client.$executeRaw`
        UPDATE static_tokens SET created_at = now() - interval '1 hour' WHERE id = ${first.id}::uuid`;
      expect((await node.staticTokens.list(id)).map((token) => token.id)).toEqual([second.id, first.id]);
    });

    it('are revoked for good, together with what tells other nodes', async () => {
      const token = newToken();
      const { id } = await node.staticTokens.create(token);
      expect(await node.staticTokens.revoke(tenantId, id)).toBe(true);
      const revoked = await node.staticTokens.findByHash(tenantId, token.hash);
      expect(revoked?.revokedAt).toBeInstanceOf(Date);
      expect(await node.revocations.isRevoked({ tenantId, subject: `static:${id}` })).toBe(true);
      expect(await nodes[1].revocations.revokedWithin(60_000)).toContainEqual({ tenantId, subject: `static:${id}` });
      expect(await node.staticTokens.revoke(tenantId, id)).toBe(true);
      expect(await node.staticTokens.findByHash(tenantId, token.hash)).toEqual(revoked);
    });

    it('are not revoked by another tenant, and not when there is none', async () => {
      const token = newToken();
      const { id } = await node.staticTokens.create(token);
      expect(await node.staticTokens.revoke(otherId, id)).toBe(false);
      expect(await node.staticTokens.revoke(tenantId, randomUUID())).toBe(false);
      expect(await node.staticTokens.revoke(tenantId, 'not an id')).toBe(false);
      expect((await node.staticTokens.findByHash(tenantId, token.hash))?.revokedAt).toBeNull();
      expect(await node.revocations.isRevoked({ tenantId: otherId, subject: `static:${id}` })).toBe(false);
    });
  });

  it('lose what belongs to a tenant when the tenant goes', async () => {
    const { id } = await node.tenant();
    const hash = randomUUID();
    await node.staticTokens.create({ tenantId: id, name: 'x', hash, scopes: [], expiresAt: null });
    await node.revocations.revoke({ tenantId: id, subject: hash }, inHours(1));
    await node.database.client.tenant.delete({ where: { id } });
    expect(await node.staticTokens.findByHash(id, hash)).toBeUndefined();
    expect(await node.revocations.isRevoked({ tenantId: id, subject: hash })).toBe(false);
  });
});
