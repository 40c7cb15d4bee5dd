import { describe, expect, it } from '@jest/globals';
import { Cancellation } from './cancellation.js';

const limit = { ms: 60_000, error: () => new Error('late') };
const never = new Promise<never>(() => undefined);

describe('cancellation', () => {
  it('ends the wait and fires the signal, also one that is looked at afterwards', async () => {
    const cancellation = new Cancellation();
    const race = cancellation.race(never, limit);
    cancellation.cancel(new Error('gone'));
    cancellation.cancel(new Error('second'));
    await expect(race).rejects.toThrow('gone');
    expect(cancellation.signal.aborted).toBe(true);
    expect(cancellation.signal.reason).toMatchObject({ message: 'gone' });
  });

  it('interrupts without ending the wait, and can still be ended', async () => {
    const cancellation = new Cancellation();
    const { signal } = cancellation;
    const race = cancellation.race(Promise.resolve('done'), limit);
    cancellation.interrupt(new Error('gone'));
    expect(signal.aborted).toBe(true);
    await expect(race).resolves.toBe('done');
    const second = cancellation.race(never, { ms: 1, error: () => new Error('late') });
    await expect(second).rejects.toThrow('late');
  });

  it('does not wait at all when it was cancelled before', async () => {
    const cancellation = new Cancellation();
    cancellation.cancel(new Error('gone'));
    await expect(cancellation.race(never, limit)).rejects.toThrow('gone');
  });

  it('passes on what the work throws, and makes an error of what is none', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what handlers may do
    await expect(new Cancellation().race(Promise.reject('text'), limit)).rejects.toThrow('not an error');
  });
});
