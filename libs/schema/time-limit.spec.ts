import { describe, expect, it } from '@jest/globals';
import { TimeIsUp, withinTime } from './time-limit.js';

describe('a time limit', () => {
  it('returns what the work returns, and throws what it throws', () => {
    expect(withinTime(1000, () => 5)).toBe(5);
    expect(() => withinTime(1000, () => JSON.parse('{') as unknown)).toThrow(SyntaxError);
  });

  it('stops a loop and a regular expression', () => {
    expect(() =>
      withinTime(20, () => {
        for (;;);
      }),
    ).toThrow(TimeIsUp);
    expect(() => withinTime(20, () => /^(a+)+$/.test(`${'a'.repeat(60)}!`))).toThrow(TimeIsUp);
    expect(withinTime(1000, () => 'still works')).toBe('still works');
  });
});
