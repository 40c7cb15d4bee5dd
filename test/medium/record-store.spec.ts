import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewRecord } from '#authorization/stores/record.store.js';
import { databaseEngines } from '../support/databases.js';
import { eightTimes, inHours, ISSUER, newRecord, openNodes } from './store-fixtures.js';
import type { Node } from './store-fixtures.js';

const engines = await databaseEngines();
const MINUTE_MS = 60_000;

describe.each(engines)('records of the authorization server on $name', (engine) => {
  let nodes: [Node, Node];
  let node: Node;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    ({ nodes, dispose } = await openNodes(engine));
    [node] = nodes;
  });

  afterAll(() => dispose());

  async function saved(given: Partial<NewRecord> = {}): Promise<NewRecord> {
    const record = newRecord(given);
    await node.records.save(record);
    return record;
  }

  /** Makes it look as if the record had been consumed so long ago. */
  async function age({ idHash }: NewRecord, milliseconds: number): Promise<void> {
    await node.database.client.$executeRaw`
      UPDATE oauth_records SET consumed_at = now() - make_interval(secs => ${milliseconds / 1_000}::double precision)
      WHERE id_hash = ${idHash}`;
  }

  it('come back as they were put in: order, odd text and all', async () => {
    const payload = {
      zeta: 1,
      alpha: { list: [null, true, 1.5, 'Zürich “office” 😀'] },
      odd: 'nul \u0000, half \ud83d',
      ['__proto__']: 'a name like any other',
      big: 'x'.repeat(1_000_000),
    };
    const record = await saved({ payload });
    const found = await node.records.find(record);
    expect(found).toEqual({ payload, consumedAt: null, consumedMsAgo: null });
    expect(JSON.stringify(found?.payload)).toBe(JSON.stringify(payload));
  });

  it('are found by issuer, kind and id, all three', async () => {
    const record = await saved();
    expect(await node.records.find(record)).toBeDefined();
    expect(await node.records.find({ ...record, issuer: 'https://other.example' })).toBeUndefined();
    expect(await node.records.find({ ...record, kind: 'RefreshToken' })).toBeUndefined();
    expect(await node.records.find({ ...record, idHash: 'another' })).toBeUndefined();
  });

  it('are found by user code and by uid, at their issuer', async () => {
    const [userCodeHash, uidHash] = [randomUUID(), randomUUID()];
    await saved({ kind: 'DeviceCode', userCodeHash, payload: { is: 'device' } });
    await saved({ kind: 'Session', uidHash, payload: { is: 'session' } });
    expect((await node.records.findByUserCode(ISSUER, userCodeHash))?.payload).toEqual({ is: 'device' });
    expect((await node.records.findByUid(ISSUER, uidHash))?.payload).toEqual({ is: 'session' });
    expect(await node.records.findByUserCode('https://other.example', userCodeHash)).toBeUndefined();
    expect(await node.records.findByUid('https://other.example', uidHash)).toBeUndefined();
  });

  it('are not found, nor consumed, when they have expired', async () => {
    const names = { userCodeHash: randomUUID(), uidHash: randomUUID(), expiresAt: new Date(Date.now() - 1_000) };
    const record = await saved(names);
    expect(await node.records.find(record)).toBeUndefined();
    expect(await node.records.findByUserCode(ISSUER, names.userCodeHash)).toBeUndefined();
    expect(await node.records.findByUid(ISSUER, names.uidHash)).toBeUndefined();
    expect(await node.records.consume(record, 0)).toBe(false);
    expect(await node.records.consume(record, MINUTE_MS)).toBe(false);
  });

  it('are replaced when saved again, and stay consumed', async () => {
    const record = await saved({ payload: { version: 1 }, uidHash: randomUUID() });
    await node.records.consume(record, 0);
    const uidHash = randomUUID();
    await node.records.save({ ...record, payload: { version: 2 }, uidHash });
    const found = await node.records.find(record);
    expect(await node.records.findByUid(ISSUER, uidHash)).toMatchObject({ payload: { version: 2 } });
    expect(found).toEqual({ payload: { version: 2 }, consumedAt: expect.any(Date), consumedMsAgo: expect.any(Number) });
    expect(await node.records.consume(record, 0)).toBe(false);
  });

  it('say when they were consumed, by the clock of the database', async () => {
    const record = await saved();
    await node.records.consume(record, 0);
    await age(record, 5 * MINUTE_MS);
    const found = await node.records.find(record);
    expect(found?.consumedMsAgo).toBeGreaterThanOrEqual(5 * MINUTE_MS - 1);
    expect(found?.consumedMsAgo).toBeLessThan(6 * MINUTE_MS);
  });

  it('are consumed by exactly one of many at once, on whatever node', async () => {
    for (let round = 0; round < 20; round++) {
      const record = await saved();
      const won = await eightTimes(nodes, (one) => one.records.consume(record, 0));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await node.records.consume(record, 0)).toBe(false);
    }
  });

  it('are consumed by all who come within the grace, from the first one on, and by none after it', async () => {
    const record = await saved();
    const won = await eightTimes(nodes, (one) => one.records.consume(record, MINUTE_MS));
    expect(won).toEqual(Array(8).fill(true));
    const first = await node.records.find(record);
    expect(await node.records.consume(record, MINUTE_MS)).toBe(true);
    expect((await node.records.find(record))?.consumedAt).toEqual(first?.consumedAt);
    await age(record, MINUTE_MS + 10);
    expect(await eightTimes(nodes, (one) => one.records.consume(record, MINUTE_MS))).toEqual(Array(8).fill(false));
  });

  it('that never were are not consumed', async () => {
    expect(await node.records.consume(newRecord(), MINUTE_MS)).toBe(false);
  });

  it('are removed one by one, or by kind and grant', async () => {
    const grantId = randomUUID();
    const [code, token, other] = [
      await saved({ grantId }),
      await saved({ kind: 'RefreshToken', grantId }),
      await saved({ grantId: randomUUID() }),
    ];
    const elsewhere = await saved({ grantId, issuer: 'https://other.example' });
    await node.records.removeOfGrant(ISSUER, 'AuthorizationCode', grantId);
    const left = await Promise.all([code, token, other, elsewhere].map((one) => node.records.find(one)));
    expect(left.map((one) => one !== undefined)).toEqual([false, true, true, true]);
    await node.records.remove(token);
    await node.records.remove(token);
    expect(await node.records.find(token)).toBeUndefined();
    expect(await node.records.find(other)).toBeDefined();
  });

  it('are swept when they expired before the time given, a thousand at once', async () => {
    const stale = Array.from({ length: 1_200 }, () => ({ ...newRecord({ expiresAt: inHours(-2) }), payload: {} }));
    await node.database.client.oAuthRecord.createMany({ data: stale });
    const [live, recent] = [await saved(), await saved({ expiresAt: new Date(Date.now() - MINUTE_MS) })];
    const sweep = (): Promise<number> => node.records.sweep(inHours(-1));
    expect([await sweep(), await sweep(), await sweep()]).toEqual([1_000, 200, 0]);
    const idHash = { in: [live.idHash, recent.idHash] };
    expect(await node.database.client.oAuthRecord.count({ where: { idHash } })).toBe(2);
  });

  it('are swept by many at once without two deleting the same', async () => {
    const stale = Array.from({ length: 500 }, () => ({ ...newRecord({ expiresAt: inHours(-2) }), payload: {} }));
    await node.database.client.oAuthRecord.createMany({ data: stale });
    const swept = await eightTimes(nodes, (one) => one.records.sweep(inHours(-1)));
    const rest = await node.records.sweep(inHours(-1));
    expect(swept.reduce((sum, count) => sum + count, rest)).toBe(500);
  });
});
