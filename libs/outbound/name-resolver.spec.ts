import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { lookup, Resolver } from 'node:dns/promises';
import { describe, expect, it } from '@jest/globals';
import { nameResolver } from './name-resolver.js';

describe('names that outsiders give', () => {
  it('hold up no other look-up when their name server never answers', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const resolver = new Resolver({ timeout: 300, tries: 1 });
    resolver.setServers([`127.0.0.1:${silent.address().port}`]);
    try {
      const resolve = nameResolver(false, resolver);
      const waiting = Promise.all(Array.from({ length: 20 }, (_, index) => resolve(`host-${index}.example`)));
      const first = await Promise.race([waiting.then(() => 'theirs'), lookup('localhost').then(() => 'ours')]);
      expect(first).toBe('ours');
      expect((await waiting).flat()).toEqual([]);
    } finally {
      silent.close();
      await once(silent, 'close');
    }
  });

  it('are looked for in the hosts file where the operator has names of that kind', async () => {
    expect((await nameResolver(true)('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
  });

  it('have no addresses when nobody knows them', async () => {
    expect(await nameResolver(true)('nobody-knows.invalid')).toEqual([]);
  });
});
