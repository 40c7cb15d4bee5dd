import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KeyRing } from '#protocol/key-ring.js';
import { type SigningKeyRecord, SigningKeyStore } from '../stores/signing-key.store.js';
import { SealedKeyError, SigningKeys } from './signing-keys.js';

const DAY = 86_400_000;

/** Keys in memory, by the clock of the test. */
class MemoryKeys extends SigningKeyStore {
  nowMs = 1_000 * DAY;
  reads = 0;
  rows: SigningKeyRecord[] = [];

  override all(): Promise<readonly SigningKeyRecord[]> {
    this.reads += 1;
    return Promise.resolve([...this.rows]);
  }

  override addUnlessNewer(key: Omit<SigningKeyRecord, 'createdAt'>, since: Date): Promise<boolean> {
    const isThere = this.rows.some(({ algorithm, createdAt }) => algorithm === key.algorithm && createdAt > since);
    if (!isThere) this.rows.push({ ...key, createdAt: new Date(this.nowMs) });
    return Promise.resolve(!isThere);
  }

  override reseal(id: string, sealed: string): Promise<void> {
    this.rows = this.rows.map((row) => (row.id === id ? { ...row, sealed } : row));
    return Promise.resolve();
  }

  override remove(id: string): Promise<void> {
    this.rows = this.rows.filter((row) => row.id !== id);
    return Promise.resolve();
  }
}

const [secret, other] = [randomBytes(32), randomBytes(32)];
let store: MemoryKeys;

beforeEach(() => {
  store = new MemoryKeys();
});

const node = (...secrets: Buffer[]): SigningKeys =>
  new SigningKeys(
    store,
    new KeyRing(secrets.length > 0 ? secrets : [secret]).derive('signing keys'),
    () => store.nowMs,
  );
const kidsOf = async (keys: SigningKeys, algorithm = 'ES256'): Promise<(string | undefined)[]> =>
  (await keys.set()).jwks.keys.filter(({ alg }) => alg === algorithm).map(({ kid }) => kid);

describe('signing keys', () => {
  it('are made when there are none, one of each algorithm, and are the same on all nodes', async () => {
    const [one, two] = [node(), node()];
    const [first, second] = await Promise.all([one.set(), two.set()]);
    expect(first.jwks.keys.map(({ alg, use, d }) => [alg, use, typeof d])).toEqual([
      ['ES256', 'sig', 'string'],
      ['RS256', 'sig', 'string'],
    ]);
    expect(second.jwks).toEqual(first.jwks);
  });

  it('are sealed in the store', async () => {
    const { jwks } = await node().set();
    for (const { sealed } of store.rows) for (const { d = '' } of jwks.keys) expect(sealed).not.toContain(d);
  });

  it('are changed: the next is published a day before it signs, the last for a week after', async () => {
    const keys = node();
    const [first] = await kidsOf(keys);
    const before = (await keys.set()).version;
    store.nowMs += 90 * DAY;
    const [signer, next] = await kidsOf(keys);
    expect(signer).toBe(first);
    expect(next).toBeDefined();
    expect((await keys.set()).version).not.toBe(before);
    store.nowMs += 1 * DAY;
    expect(await kidsOf(keys)).toEqual([next, first]);
    store.nowMs += 7 * DAY + 1;
    expect(await kidsOf(keys)).toEqual([next]);
    expect(store.rows).toHaveLength(2);
  });

  it('are read once a minute, and the set stays the same object as long as nothing changed', async () => {
    const keys = node();
    const set = await keys.set();
    const { reads } = store;
    store.nowMs += 59_000;
    expect([await keys.set(), store.reads]).toEqual([set, reads]);
    store.nowMs += 1_000;
    const later = await Promise.all([keys.set(), keys.set(), keys.set()]);
    expect(later.every((one) => one === set)).toBe(true);
    expect(store.reads).toBe(reads + 1);
  });

  it('are found by id for their own algorithm alone', async () => {
    const keys = node();
    const [kid = ''] = await kidsOf(keys);
    expect((await keys.find(kid, 'ES256'))?.type).toBe('public');
    expect(await keys.find(kid, 'RS256')).toBeUndefined();
    expect(await keys.find('another', 'ES256')).toBeUndefined();
  });

  it('are looked for again where one is not known, not more often than every five seconds', async () => {
    const keys = node();
    await keys.set();
    const { reads } = store;
    await Promise.all(Array.from({ length: 20 }, (_, index) => keys.find(`unknown-${index}`, 'ES256')));
    expect(store.reads).toBe(reads);
    store.rows = [];
    const [kid = ''] = await kidsOf(node());
    store.nowMs += 5_000;
    expect(await keys.find(kid, 'ES256')).toBeDefined();
  });

  it('open with a secret key that is not the first any more', async () => {
    const first = await node(secret).set();
    expect((await node(other, secret).set()).jwks).toEqual(first.jwks);
    expect((await node(other).set()).jwks).toEqual(first.jwks); // by then they are sealed with the first
  });

  it('that were sealed with another secret key are named in the error, which says what to do', async () => {
    const [kid = ''] = await kidsOf(node(secret));
    const failing = node(other).set();
    await expect(failing).rejects.toThrow(SealedKeyError);
    await expect(failing).rejects.toThrow(new RegExp(`"${kid}".*SECRET_KEY.*signing_keys`));
  });

  it('do not open under another id', async () => {
    await node().set();
    store.rows = store.rows.map((row) => ({ ...row, id: `${row.id}x` }));
    await expect(node().set()).rejects.toThrow(SealedKeyError);
  });

  it('are asked for again after a failure', async () => {
    const [kid] = await kidsOf(node());
    const all = store.all.bind(store);
    store.all = () => Promise.reject(new Error('no database'));
    const keys = node();
    await expect(keys.set()).rejects.toThrow('no database');
    store.all = all;
    expect(await kidsOf(keys)).toEqual([kid]);
  });
});
