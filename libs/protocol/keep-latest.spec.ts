import { expect, it } from '@jest/globals';
import { keepLatest } from './keep-latest.js';

it('keeps the entries that were put last, and no more than it may', () => {
  const map = new Map<string, number>();
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    keepLatest(map, key, value, 2);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
