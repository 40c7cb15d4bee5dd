import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '#protocol/key-ring.js';
import { StateSealer } from './sealed-state.js';

const secret = randomBytes(32);
const sealer = new StateSealer(new KeyRing([secret]).derive('state'));
const handle = { roundId: '6f1c8a52-0f5e-4c56-9d13-3c0a6d5d9f10', expiresAt: Date.now() + 60_000 };

describe('sealed state', () => {
  it('opens for what it is bound to', () => {
    expect(sealer.open(sealer.seal(handle, 'mine'), 'mine')).toEqual(handle);
    expect(sealer.open(sealer.seal(handle, 'mine'), 'yours')).toBeUndefined();
  });

  it('is another every time and shows nothing of what it holds', () => {
    const [one, two] = [sealer.seal(handle, 'mine'), sealer.seal(handle, 'mine')];
    expect(one).not.toBe(two);
    expect(one).not.toContain(handle.roundId);
  });

  it('tells when a single character was changed', () => {
    const state = sealer.seal(handle, 'mine');
    for (let at = 0; at < state.length; at += 1) {
      const other = state[at] === 'A' ? 'B' : 'A';
      expect(sealer.open(state.slice(0, at) + other + state.slice(at + 1), 'mine')).toBeUndefined();
    }
  });

  it('lapses', () => {
    expect(sealer.open(sealer.seal({ ...handle, expiresAt: Date.now() - 1 }, 'mine'), 'mine')).toBeUndefined();
  });

  it('survives a rotation of keys as long as the old key is kept', () => {
    const state = sealer.seal(handle, 'mine');
    const fresh = randomBytes(32);
    expect(new StateSealer(new KeyRing([fresh, secret]).derive('state')).open(state, 'mine')).toEqual(handle);
    expect(new StateSealer(new KeyRing([fresh]).derive('state')).open(state, 'mine')).toBeUndefined();
    expect(new StateSealer(new KeyRing([secret]).derive('other')).open(state, 'mine')).toBeUndefined();
  });
});
