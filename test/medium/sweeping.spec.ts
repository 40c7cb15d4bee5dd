import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '#persistence/database.js';
import { PersistenceModule } from '#persistence/persistence.module.js';
import { PrismaRoundStore } from '#persistence/prisma-round.store.js';
import { databaseEngines } from '../support/databases.js';
import { HOUR_MS, inHours, newRecord, Node } from './store-fixtures.js';

const engines = await databaseEngines();
const MINUTE_MS = 60_000;

describe.each(engines)('sweeping on $name', (engine) => {
  beforeEach(() => {
    const others = ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'] as const;
    jest.useFakeTimers({ doNotFake: [...others, 'hrtime', 'clearImmediate', 'clearTimeout'] });
  });

  afterEach(() => void jest.useRealTimers());

  /** One row of each kind that expires. */
  async function fill(node: Node, expiresAt: Date): Promise<void> {
    const { id: tenantId } = await node.tenant();
    const accountId = await node.account();
    await node.grants.save({
      ...{ id: randomUUID(), issuer: 'i', tenantId, accountId, clientId: 'c', resource: 'r', payload: {} },
      expiresAt,
    });
    await node.records.save(newRecord({ expiresAt }));
    await node.revocations.revoke({ tenantId, subject: randomUUID() }, expiresAt);
    const round = { tenantId, id: randomUUID(), number: 1, answers: {}, steps: {}, expiresAt };
    await new PrismaRoundStore(node.database).open(round);
    await node.database.client.signInFailure.create({ data: { key: randomUUID(), count: 1, expiresAt } });
    const createdAt = new Date(expiresAt.getTime() - 14 * 24 * HOUR_MS);
    const { client } = node.database;
    await client.oAuthClient.create({ data: { id: randomUUID(), issuer: 'i', metadata: {}, createdAt } });
    const past = new Date(expiresAt.getTime() - HOUR_MS);
    const change = { type: 'resource', tenantId, uri: 'a:b' };
    await client.outboxEntry.create({ data: { tenantId, change, createdAt: past, sentAt: past } });
    await client.webhookMessage.create({ data: { tenantId, id: randomUUID(), takenAt: past } });
    const answer = { actor: 'a', key: randomUUID(), requestHash: '', response: '' };
    await client.idempotencyRecord.create({ data: { ...answer, expiresAt } });
    const key = { name: 'k', hash: randomUUID(), scopes: [], createdBy: 'a' };
    await client.adminKey.create({ data: { ...key, expiresAt } });
    const at = new Date(expiresAt.getTime() - 366 * 24 * HOUR_MS);
    await client.historyEntry.create({ data: { tenantId, actor: 'a', action: 'b', revision: 1, at } });
    const { id } = await node.tenant();
    await client.tenant.update({ where: { id }, data: { deletesAt: expiresAt, instructions: 'to be deleted' } });
  }

  async function counts({ client }: Database): Promise<readonly number[]> {
    return Promise.all([
      client.oAuthGrant.count(),
      client.oAuthRecord.count(),
      client.revocation.count(),
      client.round.count(),
      client.signInFailure.count(),
      client.oAuthClient.count(),
      client.outboxEntry.count({ where: { sentAt: { not: null } } }),
      client.webhookMessage.count(),
      client.idempotencyRecord.count(),
      client.adminKey.count(),
      client.historyEntry.count(),
      client.tenant.count({ where: { instructions: 'to be deleted' } }),
    ]);
  }

  it('deletes, once a minute, what every store holds beyond its time, and nothing else', async () => {
    const place = engine.empty();
    const app = await Test.createTestingModule({ imports: [PersistenceModule.register(place.value)] }).compile();
    app.useLogger(false);
    await app.init();
    const node = new Node(app.get(Database));
    await fill(node, inHours(-1));
    await fill(node, inHours(1));
    expect(await counts(node.database)).toEqual(Array(12).fill(2));
    jest.advanceTimersByTime(MINUTE_MS);
    while ((await counts(node.database)).some((count) => count > 1)) await delay(5);
    jest.advanceTimersByTime(MINUTE_MS);
    expect(await counts(node.database)).toEqual(Array(12).fill(1));
    await app.close();
    await place.dispose();
  });
});
