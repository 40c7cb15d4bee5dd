import { describe, expect, it } from '@jest/globals';
import { MAX_PASSWORD_LENGTH, Passwords, TooBusyError } from './passwords.js';

/** Tells what is derived, and derives nothing but a copy of the beginning of the password. */
class WatchedPasswords extends Passwords {
  readonly derived: object[] = [];

  protected override async derive(password: string, salt: Buffer, cost: object): Promise<Buffer> {
    this.derived.push({ password, saltBytes: salt.length, ...cost });
    return Promise.resolve(Buffer.alloc(32, password));
  }
}

const COST = { N: 2 ** 15, r: 8, p: 3, saltBytes: 16 };

describe('a password', () => {
  const passwords = new Passwords();

  it('is good for its hash alone, and a hash tells nothing of it but the cost', async () => {
    const [first, second] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(first).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(second).not.toBe(first);
    expect(await passwords.verify('correct horse', first)).toBe(true);
    expect(await passwords.verify('correct house', first)).toBe(false);
  });

  it('is the same however its characters are composed', async () => {
    const hash = await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9');
    expect(await passwords.verify('cafe\u0301 cafe\u0301 cafe\u0301', hash)).toBe(true);
  });

  it('is good for a hash of lesser cost, made before it was raised', async () => {
    const hash = 'scrypt$10$8$1$AAAAAAAAAAAAAAAAAAAAAA$JCfTwIIfMVjAewWOoFh8xJS95VUoX1mxmP8HKzXpSdU';
    const watched = new WatchedPasswords();
    await watched.verify('x', hash);
    expect(watched.derived).toEqual([expect.objectContaining({ N: 1024, r: 8, p: 1, saltBytes: 16 })]);
  });
});

describe('the cost of a password', () => {
  it.each<[string, string | null | undefined]>([
    ['there is no account', undefined],
    ['the account has no password', null],
    ['the hash is not one of ours', 'plain text'],
  ])('is one derivation where %s, as for a hash of today, and it is not good', async (_what, hash) => {
    const watched = new WatchedPasswords();
    expect(await watched.verify('a password', hash)).toBe(false);
    expect(watched.derived).toEqual([{ password: 'a password', maxmem: expect.any(Number), ...COST }]);
  });

  it('is one derivation where there is an account, the same', async () => {
    const watched = new WatchedPasswords();
    const hash = await watched.hash('a password');
    watched.derived.length = 0;
    expect(await watched.verify('a password', hash)).toBe(true);
    expect(watched.derived).toEqual([{ password: 'a password', maxmem: expect.any(Number), ...COST }]);
  });

  it('does not grow with the password, and who sends a longer one than there can be does not get in by its beginning', async () => {
    const watched = new WatchedPasswords();
    const hash = await watched.hash('a'.repeat(MAX_PASSWORD_LENGTH));
    expect(await watched.verify('a'.repeat(MAX_PASSWORD_LENGTH), hash)).toBe(true);
    expect(await watched.verify('a'.repeat(MAX_PASSWORD_LENGTH + 1), hash)).toBe(false);
    expect(watched.derived.at(-1)).toMatchObject({ password: 'a'.repeat(MAX_PASSWORD_LENGTH) });
  });

  it('is borne by few at once: more wait, and too many are turned away at once', async () => {
    const passwords = new Passwords();
    const hash = 'scrypt$10$8$1$AAAAAAAAAAAAAAAAAAAAAA$JCfTwIIfMVjAewWOoFh8xJS95VUoX1mxmP8HKzXpSdU';
    const attempts = await Promise.allSettled(Array.from({ length: 70 }, () => passwords.verify('x', hash)));
    const turnedAway = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(turnedAway.map(({ reason }) => reason as unknown)).toEqual(Array(4).fill(expect.any(TooBusyError)));
    await expect(passwords.verify('x', hash)).resolves.toBe(false);
  });
});
