import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { RoundStore } from '#invocation/round.store.js';
import { RoundSweeper } from './round.sweeper.js';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 6, 28);

describe('the round sweeper', () => {
  let sweeps: Date[];
  let sweep: () => Promise<number>;
  let sweeper: RoundSweeper;

  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    Logger.overrideLogger(false);
    sweeps = [];
    sweep = () => Promise.resolve(0);
    const rounds: Pick<RoundStore, 'sweep'> = {
      sweep: (before) => {
        sweeps.push(before);
        return sweep();
      },
    };
    sweeper = new RoundSweeper(rounds as RoundStore);
    sweeper.start();
  });

  afterEach(async () => {
    await sweeper.stop();
    Logger.overrideLogger(true);
    jest.useRealTimers();
  });

  it('sweeps each minute what expired ten minutes ago', async () => {
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(sweeps).toEqual([new Date(START - 9 * MINUTE_MS), new Date(START - 8 * MINUTE_MS)]);
  });

  it('goes on until nothing is left', async () => {
    const left = [1000, 1000, 7, 0];
    sweep = () => Promise.resolve(left.shift() ?? 0);
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect(sweeps).toHaveLength(4);
  });

  it('does not begin another sweep while one is under way', async () => {
    sweep = () => new Promise((resolve) => setTimeout(() => resolve(0), 2.5 * MINUTE_MS));
    await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(sweeps).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(sweeps).toHaveLength(2);
    await Promise.all([sweeper.stop(), jest.advanceTimersByTimeAsync(3 * MINUTE_MS)]);
  });

  it('survives a failure and tries again', async () => {
    sweep = () => Promise.reject(new Error('the database is away'));
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    sweep = () => Promise.resolve(0);
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect(sweeps).toHaveLength(2);
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
    expect(sweeps).toHaveLength(1);
  });
});
