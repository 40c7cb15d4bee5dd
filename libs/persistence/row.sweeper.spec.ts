import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RowSweeper } from './row.sweeper.js';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 6, 28);

describe('the sweeper', () => {
  let sweeps: Date[];
  let others: Date[];
  let sweep: () => Promise<number>;
  let sweeper: RowSweeper;

  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    Logger.overrideLogger(false);
    [sweeps, others] = [[], []];
    sweep = () => Promise.resolve(0);
    const run = (before: Date): Promise<number> => {
      sweeps.push(before);
      return sweep();
    };
    const runOther = (before: Date): Promise<number> => Promise.resolve(others.push(before) * 0);
    sweeper = new RowSweeper([
      { what: 'expired rounds', keptMs: 10 * MINUTE_MS, run },
      { what: 'unused clients', keptMs: 60 * MINUTE_MS, run: runOther },
    ]);
    sweeper.start();
  });

  afterEach(async () => {
    await sweeper.stop();
    Logger.overrideLogger(true);
    jest.useRealTimers();
  });

  it('sweeps each minute what was of no use for as long as its kind is kept', async () => {
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(sweeps).toEqual([new Date(START - 9 * MINUTE_MS), new Date(START - 8 * MINUTE_MS)]);
    expect(others).toEqual([new Date(START - 59 * MINUTE_MS), new Date(START - 58 * MINUTE_MS)]);
  });

  it('goes on until nothing is left', async () => {
    const left = [1000, 1000, 7, 0];
    sweep = () => Promise.resolve(left.shift() ?? 0);
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect(sweeps).toHaveLength(4);
  });

  it('leaves the rest to the next minute when there is no end of it', async () => {
    sweep = () => Promise.resolve(1000);
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect([sweeps.length, others.length]).toEqual([100, 1]);
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect([sweeps.length, others.length]).toEqual([200, 2]);
  });

  it('does not begin another sweep while one is under way', async () => {
    sweep = () => new Promise((resolve) => setTimeout(() => resolve(0), 2.5 * MINUTE_MS));
    await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(sweeps).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(sweeps).toHaveLength(2);
    await Promise.all([sweeper.stop(), jest.advanceTimersByTimeAsync(3 * MINUTE_MS)]);
  });

  it('survives a failure, goes on with the other kinds, and tries again', async () => {
    sweep = () => Promise.reject(new Error('the database is away'));
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect([sweeps.length, others.length]).toEqual([1, 1]);
    sweep = () => Promise.resolve(0);
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect([sweeps.length, others.length]).toEqual([2, 2]);
  });

  it('stops when the sweep under way has ended, and then for good', async () => {
    sweep = () => new Promise((resolve) => setTimeout(() => resolve(1000), 1_000));
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    let stopped = false;
    const stop = sweeper.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(500);
    expect(stopped).toBe(false);
    await jest.advanceTimersByTimeAsync(500);
    await stop;
    await jest.advanceTimersByTimeAsync(5 * MINUTE_MS);
    expect([sweeps.length, others.length]).toEqual([1, 0]);
  });
});
