import { describe, expect, it, jest } from '@jest/globals';
import { Turns } from './turns.js';

describe('turns', () => {
  it('are taken one after the other, and by another tenant at once', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const first = Promise.withResolvers<undefined>();
    const one = turns.take('a', async () => {
      await first.promise;
      order.push('a1');
    });
    const two = turns.take('a', () => Promise.resolve(order.push('a2')));
    await turns.take('b', () => Promise.resolve(order.push('b')));
    first.resolve(undefined);
    await Promise.all([one, two]);
    expect(order).toEqual(['b', 'a1', 'a2']);
  });

  it('come to the next when one fails', async () => {
    const turns = new Turns();
    const failed = turns.take('a', () => Promise.reject(new Error('no')));
    const next = turns.take('a', () => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });

  it('are not given to more than may wait', async () => {
    const turns = new Turns();
    const first = Promise.withResolvers<undefined>();
    const waiting = Array.from({ length: 200 }, () => turns.take('a', () => first.promise));
    await expect(turns.take('a', () => Promise.resolve())).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(turns.take('b', () => Promise.resolve('yes'))).resolves.toBe('yes');
    first.resolve(undefined);
    await Promise.all(waiting);
    await expect(turns.take('a', () => Promise.resolve('yes'))).resolves.toBe('yes');
  });

  it('are not given to who waited for too long', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      const turns = new Turns();
      const first = Promise.withResolvers<undefined>();
      const started = Promise.withResolvers<undefined>();
      const one = turns.take('a', () => {
        started.resolve(undefined);
        return first.promise;
      });
      await started.promise;
      const late = expect(turns.take('a', () => Promise.resolve())).rejects.toMatchObject({ kind: 'unavailable' });
      jest.advanceTimersByTime(20_000);
      first.resolve(undefined);
      await one;
      await late;
    } finally {
      jest.useRealTimers();
    }
  });
});
