import { describe, expect, it } from '@jest/globals';
import { nextLookInMs } from './poll-schedule.js';

describe('the wait until the next look', () => {
  it('is the interval, and a little more at random', () => {
    expect([nextLookInMs(10, 0, 0), nextLookInMs(10, 0, 1)]).toEqual([10_000, 11_000]);
  });

  it('doubles with each failure, up to an hour, and is never shorter than the interval', () => {
    expect([1, 2, 3, 50].map((failures) => nextLookInMs(60, failures, 0))).toEqual([
      120_000, 240_000, 480_000, 3_600_000,
    ]);
    expect(nextLookInMs(86_400, 3, 0)).toBe(86_400_000);
  });
});
