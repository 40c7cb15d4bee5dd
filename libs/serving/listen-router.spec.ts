import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Caller } from '#access/caller.js';
import { renewCaller } from '#access/tenant-rules.js';
import type { Exchange } from './exchange.js';
import { ListenRouter } from './listen-router.js';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const TENANT = 'id-of-acme';

function setUp() {
  const router = new ListenRouter(
    { refresh: () => Promise.resolve(undefined) },
    { renew: renewCaller },
    { maxPerPrincipal: 100, onFailure: () => undefined },
  );
  const ended: string[] = [];
  const open = (id: string, token: { expiresAt?: number; revocation?: string } | undefined): void => {
    const principal = { tenantId: TENANT, subject: 'ada', clientId: 'host', scopes: new Set<string>() };
    const caller = { principal, token: token && { expiresAt: Infinity, revocation: undefined, ...token } };
    const channel = { send: () => undefined, finish: () => ended.push(id), onClose: () => undefined };
    router.open(
      {
        envelope: { id },
        catalogue: { tenant: { id: TENANT }, serverMeta: '{}' },
        caller: caller as unknown as Caller,
        channel,
        view: {},
      } as unknown as Exchange,
      {},
    );
  };
  return { router, ended, open };
}

describe('a listen stream', () => {
  it('ends when its token expires', () => {
    const { router, ended, open } = setUp();
    const now = Date.now();
    open('soon', { expiresAt: now + 5_000 });
    open('later', { expiresAt: now + 60_000 });
    open('never', { expiresAt: Infinity });
    open('without', undefined);
    jest.advanceTimersByTime(4_000);
    expect(ended).toEqual([]);
    jest.advanceTimersByTime(2_000);
    expect(ended).toEqual(['soon']);
    jest.advanceTimersByTime(60_000);
    expect([ended, router.size]).toEqual([['soon', 'later'], 2]);
  });

  it('ends when its token is revoked, and no other does', () => {
    const { router, ended, open } = setUp();
    open('one', { revocation: 'grant-1' });
    open('two', { revocation: 'grant-2' });
    open('without', undefined);
    router.route({ type: 'revocation', tenantId: 'id-of-other', subject: 'grant-1' });
    expect(ended).toEqual([]);
    router.route({ type: 'revocation', tenantId: TENANT, subject: 'grant-1' });
    expect([ended, router.size]).toEqual([['one'], 2]);
  });

  it('has no timer left when the platform stops', () => {
    const { router, ended, open } = setUp();
    open('one', { expiresAt: Date.now() + 5_000 });
    router.stop();
    expect([ended, jest.getTimerCount()]).toEqual([['one'], 0]);
  });
});
