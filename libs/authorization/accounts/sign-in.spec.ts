import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Account, AccountStatus } from '../stores/account.store.js';
import { SignInFailureStore } from '../stores/sign-in-failure.store.js';
import { Passwords } from './passwords.js';
import { networkOf, PasswordSignIn, type SignInAttempt } from './sign-in.js';

/** Failures in memory, by a clock that the test moves. */
class MemoryFailures extends SignInFailureStore {
  nowMs = 0;
  private readonly counted = new Map<string, { count: number; readonly until: number }>();

  override add(keys: readonly string[], windowMs: number): Promise<readonly number[]> {
    return Promise.resolve(
      keys.map((key) => {
        const window = this.current(key) ?? { count: 0, until: this.nowMs + windowMs };
        this.counted.set(key, window);
        return (window.count += 1);
      }),
    );
  }

  override takeBack(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const window = this.current(key);
      if (window) window.count -= 1;
    }
    return Promise.resolve();
  }

  override clear(key: string): Promise<void> {
    this.counted.delete(key);
    return Promise.resolve();
  }

  override sweep(): Promise<number> {
    return Promise.resolve(0);
  }

  get keys(): readonly string[] {
    return [...this.counted.keys()];
  }

  private current(key: string) {
    const window = this.counted.get(key);
    return window && window.until > this.nowMs ? window : undefined;
  }
}

class CountedPasswords extends Passwords {
  derived = 0;

  protected override derive(password: string): Promise<Buffer> {
    this.derived += 1;
    return Promise.resolve(Buffer.alloc(32, password));
  }
}

const GOOD = 'the right password';
const MINUTE = 60_000;

let failures: MemoryFailures;
let passwords: CountedPasswords;
let account: Account;
let signIn: PasswordSignIn;

beforeEach(async () => {
  failures = new MemoryFailures();
  passwords = new CountedPasswords();
  account = accountOf('active', await passwords.hash(GOOD));
  passwords.derived = 0;
  const findByLogin = (login: string) => Promise.resolve(login === 'ada@example.com' ? account : undefined);
  signIn = new PasswordSignIn({ findByLogin }, failures, passwords);
});

function accountOf(status: AccountStatus, passwordHash: string): Account {
  return { id: 'ada', tenantId: null, login: 'ada@example.com', name: 'Ada', email: null, passwordHash, status };
}

async function attempt(given: Partial<SignInAttempt> = {}): Promise<string> {
  const all = { login: 'ada@example.com', password: 'wrong', address: '192.0.2.1', isKnownBrowser: false, ...given };
  return (await signIn.attempt(all)).type;
}

async function fail(times: number, given: Partial<SignInAttempt> = {}): Promise<void> {
  for (let count = 0; count < times; count += 1) expect(await attempt(given)).toBe('refused');
}

describe('a sign-in', () => {
  it('succeeds with the right password of an active account', async () => {
    expect(await attempt({ password: GOOD })).toBe('signed_in');
    account = { ...account, status: 'disabled' };
    expect(await attempt({ password: GOOD })).toBe('refused');
  });

  it('costs one derivation whether there is such an account or not, and is refused alike', async () => {
    for (const login of ['ada@example.com', 'nobody@example.com']) {
      passwords.derived = 0;
      expect([await attempt({ login }), passwords.derived]).toEqual(['refused', 1]);
    }
  });

  it('that is put off costs none', async () => {
    await fail(8);
    passwords.derived = 0;
    expect([await attempt(), passwords.derived]).toEqual(['throttled', 0]);
  });
});

describe('failures', () => {
  it('of one account from one address are eight in fifteen minutes; then even the right password waits', async () => {
    await fail(8);
    expect(await attempt({ password: GOOD })).toBe('throttled');
    failures.nowMs += 15 * MINUTE;
    expect(await attempt({ password: GOOD })).toBe('signed_in');
  });

  it('are not counted anew while they are put off: nobody waits for ever', async () => {
    await fail(8);
    failures.nowMs += 14 * MINUTE;
    expect(await attempt()).toBe('throttled');
    failures.nowMs += MINUTE;
    expect(await attempt({ password: GOOD })).toBe('signed_in');
  });

  it('at another address or of another account do not count', async () => {
    await fail(8);
    expect(await attempt({ address: '192.0.2.2', password: GOOD })).toBe('signed_in');
    expect(await attempt({ login: 'bob@example.com' })).toBe('refused');
  });

  it('are forgotten when the right password comes', async () => {
    await fail(7);
    expect(await attempt({ password: GOOD })).toBe('signed_in');
    await fail(8);
  });

  it('of one account count together however its login is written', async () => {
    await fail(4);
    await fail(4, { login: ' ADA@example.com' });
    expect(await attempt()).toBe('throttled');
  });

  it('of strangers anywhere are a hundred an hour, and lock out no browser that signed in before', async () => {
    for (let count = 0; count < 100; count += 1) await fail(1, { address: `198.51.100.${count}` });
    expect(await attempt({ address: '203.0.113.1', password: GOOD })).toBe('throttled');
    expect(await attempt({ address: '203.0.113.1', password: GOOD, isKnownBrowser: true })).toBe('signed_in');
  });

  it('of a browser that signed in before are ten, which keep nobody else out', async () => {
    await fail(10, { isKnownBrowser: true });
    expect(await attempt({ isKnownBrowser: true, password: GOOD })).toBe('throttled');
    expect(await attempt({ password: GOOD })).toBe('signed_in');
  });

  it('of any accounts at one address are three hundred', async () => {
    for (let count = 0; count < 300; count += 1) await fail(1, { login: `person-${count}@example.com` });
    expect(await attempt({ password: GOOD })).toBe('throttled');
  });

  it('count before they are known to be ones, so that many at once do not slip through', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => attempt()));
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(8);
  });

  it('are kept without saying whose they are', async () => {
    await attempt();
    expect(failures.keys).toHaveLength(3);
    for (const key of failures.keys) expect(key).toMatch(/^[\w-]{43}$/);
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
