import { describe, expect, it } from '@jest/globals';
import { RateLimiter } from './rate-limit.js';

const LIMIT = { requests: 2, windowMs: 1_000 };

function limiterAt(start = 5_000) {
  const clock = { now: start };
  const limiter = new RateLimiter(() => clock.now);
  return { clock, take: (subject: string) => limiter.take(subject, LIMIT) };
}

describe('the rate limiter', () => {
  it('lets so many pass in a window, and tells the rest how long it still is', () => {
    const { clock, take } = limiterAt();
    expect([take('a'), take('a')]).toEqual([undefined, undefined]);
    clock.now += 400;
    expect(take('a')).toBe(600);
    clock.now += 599;
    expect(take('a')).toBe(1);
    clock.now += 1;
    expect(take('a')).toBeUndefined();
  });

  it('counts each subject by itself', () => {
    const { take } = limiterAt();
    take('a');
    take('a');
    expect([take('a'), take('b')]).toEqual([1_000, undefined]);
  });

  it('forgets the oldest where there are too many, and remembers the rest', () => {
    const { take } = limiterAt();
    for (const subject of ['first', 'first', 'second', 'second']) take(subject);
    for (let index = 0; index < 49_999; index += 1) take(`filler ${index}`);
    expect(take('second')).toBe(1_000);
    expect(take('first')).toBeUndefined();
  });

  it('takes a window that has begun anew for a young one', () => {
    const { clock, take } = limiterAt();
    take('old');
    for (let index = 0; index < 49_999; index += 1) take(`filler ${index}`);
    clock.now += 1_000;
    take('old');
    take('old');
    take('new');
    expect(take('old')).toBe(1_000);
  });
});
