import { describe, expect, it } from '@jest/globals';
import type { SigningAlgorithm, SigningKeyRecord } from '../stores/signing-key.store.js';
import { KEPT_AFTER_MS, KEY_LIFE_MS, planKeys, PUBLISHED_BEFORE_MS } from './key-schedule.js';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;

/** A key that was made so many days ago. */
function key(id: string, ageDays: number, algorithm: SigningAlgorithm = 'ES256'): SigningKeyRecord {
  return { id, algorithm, sealed: '', createdAt: new Date(NOW - ageDays * DAY) };
}

function plan(...keys: readonly SigningKeyRecord[]) {
  const { published, missing, spent } = planKeys([...keys, key('rs', 2, 'RS256')], NOW);
  const ids = (list: readonly SigningKeyRecord[]) => list.map(({ id }) => id).filter((id) => id !== 'rs');
  return { published: ids(published), missing, spent: ids(spent) };
}

describe('the schedule of signing keys', () => {
  it('wants a key of each algorithm at first', () => {
    expect(planKeys([], NOW)).toEqual({ published: [], missing: ['ES256', 'RS256'], spent: [] });
  });

  it('has the only key sign at once, and keeps it for ninety days', () => {
    expect(plan(key('a', 0))).toEqual({ published: ['a'], missing: [], spent: [] });
    expect(plan(key('a', 89.9))).toEqual({ published: ['a'], missing: [], spent: [] });
    expect(plan(key('a', 90))).toEqual({ published: ['a'], missing: ['ES256'], spent: [] });
  });

  it('publishes a new key for a day before it signs', () => {
    expect(plan(key('a', 90.9), key('b', 0.9))).toEqual({ published: ['a', 'b'], missing: [], spent: [] });
    expect(plan(key('a', 91), key('b', 1))).toEqual({ published: ['b', 'a'], missing: [], spent: [] });
  });

  it('keeps a key for a week after it signed last, and no longer', () => {
    expect(plan(key('a', 98), key('b', 8))).toMatchObject({ published: ['b', 'a'], spent: [] });
    expect(plan(key('a', 98.1), key('b', 8.1))).toMatchObject({ published: ['b'], spent: ['a'] });
  });

  it('goes on where nobody looked for long', () => {
    expect(plan(key('a', 400), key('b', 300))).toEqual({ published: ['b'], missing: ['ES256'], spent: ['a'] });
  });

  it('takes what two nodes made at once as they are, in one order', () => {
    expect(plan(key('a', 0.5), key('b', 0.4))).toEqual({ published: ['a', 'b'], missing: [], spent: [] });
  });

  it('looks at each algorithm by itself', () => {
    const { missing, published } = planKeys([key('es', 91), key('rs', 5, 'RS256')], NOW);
    expect([missing, published.map(({ id }) => id)]).toEqual([['ES256'], ['es', 'rs']]);
  });

  it('keeps keys for longer than anything that they signed', () => {
    expect(KEPT_AFTER_MS).toBeGreaterThan(3_600_000);
    expect(PUBLISHED_BEFORE_MS + KEPT_AFTER_MS).toBeLessThan(KEY_LIFE_MS);
  });
});
