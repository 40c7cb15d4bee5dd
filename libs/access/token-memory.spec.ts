import { describe, expect, it } from '@jest/globals';
import { type Caller, grantOf } from './caller.js';
import { rulesOf } from './tenant-rules.js';
import { TokenMemory } from './token-memory.js';
import { placeOf } from '../../test/support/guarded-place.js';

const { tenant } = placeOf();
const LATER = Date.now() + 60_000;

function callerWith(revocation: string | undefined): Caller {
  const scopes = new Set<string>();
  return {
    principal: { tenantId: tenant.id, subject: 'someone', clientId: 'host', scopes },
    grant: grantOf(scopes),
    token: { scopes, expiresAt: LATER, revocation, rules: rulesOf(tenant) },
  };
}

describe('remembered tokens', () => {
  it('are known until their time is up', () => {
    const memory = new TokenMemory(10);
    const caller = callerWith('grant');
    memory.set('good', caller, LATER);
    memory.set('over', caller, Date.now() - 1);
    expect([memory.get('good'), memory.get('over'), memory.get('other')]).toEqual([caller, undefined, undefined]);
    expect(memory.size).toBe(1);
  });

  it('are forgotten with what stands behind them, and no others', () => {
    const memory = new TokenMemory(10);
    for (const digest of ['a', 'b']) memory.set(digest, callerWith('one'), LATER);
    memory.set('c', callerWith('two'), LATER);
    memory.set('d', callerWith(undefined), LATER);
    memory.revoke({ tenantId: 'another', subject: 'one' });
    expect(memory.get('a')).toBeDefined();
    memory.revoke({ tenantId: tenant.id, subject: 'one' });
    memory.revoke({ tenantId: tenant.id, subject: 'never seen' });
    expect(['a', 'b', 'c', 'd'].map((digest) => memory.get(digest) !== undefined)).toEqual([false, false, true, true]);
  });

  it('are good again when they are set after a revocation, until the next', () => {
    const memory = new TokenMemory(10);
    memory.set('a', callerWith('one'), LATER);
    memory.revoke({ tenantId: tenant.id, subject: 'one' });
    memory.set('a', callerWith('one'), LATER);
    memory.set('b', callerWith('one'), LATER);
    memory.delete('a');
    expect(memory.get('b')).toBeDefined();
    memory.revoke({ tenantId: tenant.id, subject: 'one' });
    expect(memory.get('b')).toBeUndefined();
  });

  it('stay within their number; those in use stay longest', () => {
    const memory = new TokenMemory(3);
    for (const digest of ['a', 'b', 'c', 'd', 'e', 'f']) {
      memory.set(digest, callerWith(digest), LATER);
      memory.get('a');
    }
    expect(memory.size).toBe(3);
    expect(memory.get('a')).toBeDefined();
  });
});
