import { describe, expect, it } from '@jest/globals';
import { BusyReadingError, ByteBudget } from './byte-budget.js';

describe('the bytes that are held of responses', () => {
  it('are bounded for each holder, and for all together', () => {
    const budget = new ByteBudget(100, 60);
    const [first, second, other] = [budget.open('one'), budget.open('one'), budget.open('two')];
    first.take(40);
    expect(() => second.take(30)).toThrow(BusyReadingError);
    second.take(20);
    expect(() => other.take(50)).toThrow(BusyReadingError);
    other.take(40);
  });

  it('are free for others when they are given back, once', () => {
    const budget = new ByteBudget(100, 100);
    const [first, second] = [budget.open('one'), budget.open('two')];
    first.take(100);
    first.release();
    first.release();
    second.take(100);
    second.release();
    expect(() => first.take(1)).toThrow(BusyReadingError);
  });
});
