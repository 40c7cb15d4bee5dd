import { describe, expect, it } from '@jest/globals';
import { BoundedCache } from './bounded-cache.js';

describe('a bounded cache', () => {
  it('lets go of what was not used for longest', () => {
    const cache = new BoundedCache<string>({ entries: 2, weight: 100 });
    cache.set('a', 'A', 1);
    cache.set('b', 'B', 1);
    cache.get('a');
    cache.set('c', 'C', 1);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  });

  it('keeps no more than its weight', () => {
    const cache = new BoundedCache<string>({ entries: 100, weight: 10 });
    cache.set('a', 'A', 6);
    cache.set('b', 'B', 6);
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'B']);
    cache.set('too heavy', 'C', 11);
    expect(cache.size).toBe(0);
  });

  it('weighs a replaced value once', () => {
    const cache = new BoundedCache<string>({ entries: 100, weight: 10 });
    for (const value of ['A', 'B', 'C']) cache.set('a', value, 8);
    cache.set('b', 'B', 2);
    expect([cache.get('a'), cache.get('b')]).toEqual(['C', 'B']);
  });
});
