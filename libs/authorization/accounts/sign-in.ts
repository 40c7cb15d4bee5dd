import { hash } from 'node:crypto';
import type { Account, AccountStore } from '../stores/account.store.js';
import type { SignInFailureStore } from '../stores/sign-in-failure.store.js';
import { type Passwords, TooBusyError } from './passwords.js';

const MINUTE = 60_000;

/**
 * How many failures each counter bears in its window. An attacker at one address meets the first two soon. One with many
 * addresses meets the last, which stops strangers only: a browser that signed in here before is counted on its own, so
 * that nobody can lock out the owner.
 */
const LIMITS = {
  /** One account from one address. */
  accountAtAddress: { failures: 8, windowMs: 15 * MINUTE },
  /** Any accounts from one address; generous, since whole offices share one. */
  address: { failures: 300, windowMs: 15 * MINUTE },
  /** One account from a browser that signed in to it before. */
  knownBrowser: { failures: 10, windowMs: 15 * MINUTE },
  /** One account from anywhere else. */
  strangers: { failures: 100, windowMs: 60 * MINUTE },
} as const;

/** What who is throttled is told to wait, in seconds. */
const RETRY_AFTER_S = 15 * 60;

export interface SignInAttempt {
  readonly login: string;
  readonly password: string;
  /** The client's network address. */
  readonly address: string;
  /** True when this browser signed in to this account before; see `KnownBrowsers`. */
  readonly isKnownBrowser: boolean;
}

export type SignInOutcome =
  | { readonly type: 'signed_in'; readonly account: Account }
  /** Wrong address or password, or the account is disabled: which of them is not told. */
  | { readonly type: 'refused' }
  | { readonly type: 'throttled'; readonly retryAfterS: number };

/** Sign-in with e-mail and password, throttled over all nodes. */
export class PasswordSignIn {
  constructor(
    private readonly accounts: Pick<AccountStore, 'findByLogin'>,
    private readonly failures: SignInFailureStore,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Costs one scrypt whether the account exists or not. An attempt is counted before it is made, so that many at once
   * do not slip through; success takes it back.
   * @throws TooBusyError
   */
  async attempt({ login, password, address, isKnownBrowser }: SignInAttempt): Promise<SignInOutcome> {
    const counters = countersOf(login, address, isKnownBrowser);
    if (await this.isThrottled(counters)) return { type: 'throttled', retryAfterS: RETRY_AFTER_S };
    const account = await this.accounts.findByLogin(login);
    const matches = await this.verify(password, account, counters);
    if (!matches || account?.status !== 'active') return { type: 'refused' };
    await Promise.all(counters.filter(({ ofAccount }) => ofAccount).map(({ key }) => this.failures.clear(key)));
    return { type: 'signed_in', account };
  }

  /** An attempt that could not be looked at is not one. */
  private async verify(password: string, account: Account | undefined, counters: readonly Counter[]): Promise<boolean> {
    try {
      return await this.passwords.verify(password, account?.passwordHash);
    } catch (error) {
      if (error instanceof TooBusyError) await this.failures.takeBack(counters.map(({ key }) => key));
      throw error;
    }
  }

  private async isThrottled(counters: readonly Counter[]): Promise<boolean> {
    const verdicts = await Promise.all(
      counters.map(async ({ key, limit }) => {
        const [count = 0] = await this.failures.add([key], limit.windowMs);
        return count > limit.failures;
      }),
    );
    return verdicts.includes(true);
  }
}

interface Counter {
  readonly key: string;
  readonly limit: { readonly failures: number; readonly windowMs: number };
  /** Whether a success of the account clears it. */
  readonly ofAccount: boolean;
}

function countersOf(login: string, address: string, isKnownBrowser: boolean): readonly Counter[] {
  const network = networkOf(address);
  const name = login.trim().toLowerCase();
  if (isKnownBrowser) return [counter('knownBrowser', name, true)];
  return [
    counter('accountAtAddress', `${name} ${network}`, true),
    counter('address', network, false),
    counter('strangers', name, false),
  ];
}

function counter(kind: keyof typeof LIMITS, subject: string, ofAccount: boolean): Counter {
  return { key: hash('sha256', `sign-in ${kind} ${subject}`, 'base64url'), limit: LIMITS[kind], ofAccount };
}

/** An IPv4 address as it is; of IPv6 the /64 that one customer has. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/i, '');
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
