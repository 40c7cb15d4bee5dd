import { describe, expect, it } from '@jest/globals';
import type { Revocation } from '#access/revocation.store.js';
import type { Change } from '#events/change.js';
import { RevocationWatch } from './revocation-watch.js';

function setUp(revocations: readonly Revocation[]) {
  const asked: number[] = [];
  const [forgotten, routed, all] = [[] as Revocation[], [] as Change[], [] as string[]];
  const watch = new RevocationWatch(
    {
      revokedWithin: async (milliseconds) => {
        asked.push(milliseconds);
        return revocations;
      },
    },
    { forget: (revocation) => forgotten.push(revocation), forgetAll: () => all.push('all') },
    { route: (change) => routed.push(change), isHeard: (tenantId) => tenantId === 'heard' },
    { intervalMs: 60_000, onFailure: () => undefined },
  );
  return { watch, asked, forgotten, routed, all };
}

describe('revocations that no bus brought', () => {
  it('stop tokens, and streams where somebody listens', async () => {
    const revocations = [
      { tenantId: 'heard', subject: 'a' },
      { tenantId: 'quiet', subject: 'b' },
    ];
    const { watch, asked, forgotten, routed, all } = setUp(revocations);
    await watch.look();
    expect([forgotten, routed, all]).toEqual([revocations, [{ type: 'revocation', ...revocations[0] }], []]);
    expect(asked[0]).toBeGreaterThanOrEqual(30_000);
  });

  it('are taken for more than there are when the store tells of as many as it can', async () => {
    const { watch, all } = setUp(Array<Revocation>(50_000).fill({ tenantId: 'quiet', subject: 'a' }));
    await watch.look();
    expect(all).toEqual(['all']);
  });
});
