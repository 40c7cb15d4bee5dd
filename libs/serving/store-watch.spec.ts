import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StoreWatch } from './store-watch.js';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** Looks into a store that answers when it is told to. */
class Watch extends StoreWatch {
  looks: number[] = [];
  works = true;

  protected override lookBack(milliseconds: number): Promise<void> {
    this.looks.push(milliseconds);
    return this.works ? Promise.resolve() : Promise.reject(new Error('The store is gone.'));
  }
}

describe('a watch on a store', () => {
  it('looks back to its last look that succeeded and a little more, and tells of a failure once', async () => {
    const failures: unknown[] = [];
    const watch = new Watch({ intervalMs: 10_000, onFailure: (error) => failures.push(error) });
    watch.start();
    await jest.advanceTimersByTimeAsync(10_000);
    watch.works = false;
    await jest.advanceTimersByTimeAsync(20_000);
    watch.works = true;
    await jest.advanceTimersByTimeAsync(20_000);
    expect([watch.looks, failures.length]).toEqual([[40_000, 40_000, 50_000, 60_000, 40_000], 1]);
    await watch.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('looks at once when it is asked to, and once more when it is asked meanwhile', async () => {
    const watch = new Watch({ intervalMs: 10_000, onFailure: () => undefined });
    watch.lookSoon();
    expect(watch.looks).toHaveLength(0);
    watch.start();
    for (let times = 0; times < 5; times += 1) watch.lookSoon();
    await jest.advanceTimersByTimeAsync(0);
    expect(watch.looks).toHaveLength(2);
    await watch.stop();
  });
});
