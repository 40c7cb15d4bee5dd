import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

describe('a batcher', () => {
  it('does together what comes while it is busy, so many at a time, and gives each its result', async () => {
    const runs: number[][] = [];
    const batcher = new Batcher(async (items: readonly number[]) => {
      runs.push([...items]);
      await Promise.resolve();
      return items.map((item) => item * 2);
    }, 3);
    const results = await Promise.all([1, 2, 3, 4].map((item) => batcher.add(item)));
    expect([results, runs]).toEqual([
      [2, 4, 6, 8],
      [[1, 2, 3], [4]],
    ]);
    expect(await batcher.add(5)).toBe(10);
  });

  it('fails the items of a run that fails, and no others', async () => {
    const batcher = new Batcher((items: readonly number[]) => {
      return items.includes(1) ? Promise.reject(new Error('no')) : Promise.resolve(items);
    }, 1);
    const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
