import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewClient } from '#authorization/stores/client.store.js';
import { IdTakenError } from '#persistence/database-errors.js';
import { databaseEngines } from '../support/databases.js';
import { eightTimes, HOUR_MS, inHours, ISSUER, openNodes } from './store-fixtures.js';
import type { Node } from './store-fixtures.js';

const engines = await databaseEngines();
const OTHER_ISSUER = 'https://other.example';

describe.each(engines)('stores of the authorization server on $name', (engine) => {
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

  describe('clients', () => {
    function newClient(given: Partial<NewClient> = {}): NewClient {
      return { id: randomUUID(), issuer: ISSUER, tenantId: null, metadata: {}, secretHash: null, ...given };
    }

    async function saved(given: Partial<NewClient> = {}): Promise<NewClient> {
      const client = newClient(given);
      await node.clients.save(client);
      return client;
    }

    it('come back as they were saved', async () => {
      const metadata = { client_name: 'Zürich “office” 😀', redirect_uris: ['http://127.0.0.1/cb'] };
      const client = await saved({ metadata, secretHash: 'hash' });
      expect(await node.clients.find(client.id)).toEqual({ ...client, createdAt: expect.any(Date), usedAt: null });
      expect(await node.clients.find(randomUUID())).toBeUndefined();
      expect(await node.clients.find('a\0b')).toBeUndefined();
    });

    it('get new metadata from their own issuer and tenant only', async () => {
      const client = await saved({ metadata: { version: 1 } });
      await node.clients.markUsed(client.id);
      await node.clients.save({ ...client, metadata: { version: 2 } });
      for (const owner of [{ issuer: OTHER_ISSUER }, { issuer: null, tenantId }]) {
        await expect(node.clients.save({ ...client, ...owner, metadata: {} })).rejects.toThrow(IdTakenError);
      }
      expect(await node.clients.find(client.id)).toMatchObject({ metadata: { version: 2 }, usedAt: expect.any(Date) });
    });

    it('are listed for their tenant alone, the newest first', async () => {
      const first = await saved({ issuer: null, tenantId });
      const second = await saved({ issuer: null, tenantId });
      await saved({ issuer: null, tenantId: otherId });
      await saved();
      await node.database.client.$executeRaw`
        UPDATE oauth_clients SET created_at = now() - interval '1 hour' WHERE id = ${first.id}`;
      expect((await node.clients.listOfTenant(tenantId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    });

    it('are marked as used once', async () => {
      const { id } = await saved();
      await node.clients.markUsed(id);
      await node.database.client.$executeRaw`UPDATE oauth_clients SET used_at = '2026-01-01Z' WHERE id = ${id}`;
      await node.clients.markUsed(id);
      expect((await node.clients.find(id))?.usedAt).toEqual(new Date('2026-01-01Z'));
    });

    it('go with their grants and refresh tokens, and leave revocations', async () => {
      const client = await saved({ issuer: null, tenantId });
      const grant = await node.grant({ tenantId, accountId, clientId: client.id });
      const other = await node.grant({ tenantId, accountId });
      const revoked = await node.clients.remove(client.id);
      expect(new Set(revoked)).toEqual(
        new Set([
          { tenantId, subject: grant.id },
          { tenantId, subject: `client:${client.id}` },
        ]),
      );
      for (const one of revoked) expect(await node.revocations.isRevoked(one)).toBe(true);
      expect(await node.clients.find(client.id)).toBeUndefined();
      expect([await node.recordsOf(grant), await node.recordsOf(other)]).toEqual([0, 1]);
      expect(await node.clients.remove(client.id)).toEqual([]);
    });

    it('that registered themselves take their grants in all tenants along', async () => {
      const { id } = await saved();
      const [here, there] = [
        await node.grant({ tenantId, accountId, clientId: id }),
        await node.grant({ tenantId: otherId, accountId, clientId: id }),
      ];
      expect(new Set(await node.clients.remove(id))).toEqual(
        new Set([
          { tenantId, subject: here.id },
          { tenantId: otherId, subject: there.id },
        ]),
      );
    });

    it('that are none, such as those described by a document, keep their grants', async () => {
      const grant = await node.grant({ tenantId, accountId, clientId: 'https://client.example/metadata.json' });
      expect(await node.clients.remove(grant.clientId)).toEqual([]);
      expect(await node.grants.find(ISSUER, grant.id)).toEqual(grant);
    });

    it('are swept when they registered themselves long ago and were never used', async () => {
      const [unused, used, fresh, ofTenant] = [
        await saved(),
        await saved(),
        await saved(),
        await saved({ issuer: null, tenantId }),
      ];
      await node.clients.markUsed(used.id);
      await node.database.client.$executeRaw`
        UPDATE oauth_clients SET created_at = now() - interval '15 days' WHERE id <> ${fresh.id}`;
      const before = new Date(Date.now() - 14 * 24 * HOUR_MS);
      expect(await node.clients.sweepUnused(before)).toBeGreaterThanOrEqual(1);
      expect(await node.clients.sweepUnused(before)).toBe(0);
      const left = await Promise.all([unused, used, fresh, ofTenant].map(({ id }) => node.clients.find(id)));
      expect(left.map((client) => client !== undefined)).toEqual([false, true, true, true]);
    });
  });

  describe('signing keys', () => {
    const key = (algorithm: 'ES256' | 'RS256') => ({ id: randomUUID(), algorithm, sealed: 'sealed' });

    it('are added by one of many nodes that start at once, for each algorithm', async () => {
      const added = await eightTimes(nodes, (one, index) =>
        one.keys.addUnlessNewer(key(index < 4 ? 'ES256' : 'RS256'), inHours(-1)),
      );
      expect(added.filter(Boolean)).toHaveLength(2);
      expect((await node.keys.all()).map(({ algorithm }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    });

    it('are added when those there are have grown old, and listed with the oldest first', async () => {
      await node.database.client.$executeRaw`UPDATE signing_keys SET created_at = now() - interval '2 hours'`;
      const next = key('ES256');
      expect(await node.keys.addUnlessNewer(next, inHours(-1))).toBe(true);
      expect(await node.keys.addUnlessNewer(key('ES256'), inHours(-1))).toBe(false);
      const all = await node.keys.all();
      expect(all).toHaveLength(3);
      expect(all.at(-1)).toEqual({ ...next, createdAt: expect.any(Date) });
    });

    it('are gone when removed', async () => {
      const [oldest] = await node.keys.all();
      await node.keys.remove(oldest!.id);
      await node.keys.remove(oldest!.id);
      expect((await node.keys.all()).map(({ id }) => id)).not.toContain(oldest!.id);
    });
  });

  it('lose what belongs to a tenant when the tenant goes, and nothing else', async () => {
    const { id } = await node.tenant();
    const client = { id: randomUUID(), issuer: null, tenantId: id, metadata: {}, secretHash: null };
    await node.clients.save(client);
    const [gone, kept] = [await node.grant({ tenantId: id, accountId }), await node.grant({ tenantId, accountId })];
    await node.database.client.tenant.delete({ where: { id } });
    expect(await node.clients.find(client.id)).toBeUndefined();
    expect(await node.grants.find(ISSUER, gone.id)).toBeUndefined();
    expect(await node.grants.find(ISSUER, kept.id)).toEqual(kept);
    expect(await node.accounts.find(accountId)).toBeDefined();
  });
});
