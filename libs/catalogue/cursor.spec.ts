import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '#protocol/key-ring.js';
import { CursorCodec } from './cursor.js';

const [old, fresh] = [randomBytes(32), randomBytes(32)];
const codec = new CursorCodec(new KeyRing([old]).derive('cursors'));

describe('a cursor', () => {
  it('opens for its tenant and list only', () => {
    const cursor = codec.seal('t1', 'tools', 'größe');
    expect(codec.open('t1', 'tools', cursor)).toBe('größe');
    expect(codec.open('t2', 'tools', cursor)).toBeUndefined();
    expect(codec.open('t1', 'prompts', cursor)).toBeUndefined();
  });

  it('tells when a single character was changed', () => {
    const cursor = codec.seal('t1', 'tools', 'last');
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(codec.open('t1', 'tools', cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeUndefined();
    }
  });

  it('stays good while its key is in the ring', () => {
    const cursor = codec.seal('t1', 'tools', 'last');
    expect(new CursorCodec(new KeyRing([fresh, old]).derive('cursors')).open('t1', 'tools', cursor)).toBe('last');
    expect(new CursorCodec(new KeyRing([fresh]).derive('cursors')).open('t1', 'tools', cursor)).toBeUndefined();
  });

  it.each(['', 'x', '====', 'A'.repeat(100_000)])('is refused when it is nonsense', (cursor) => {
    expect(codec.open('t1', 'tools', cursor)).toBeUndefined();
  });
});
