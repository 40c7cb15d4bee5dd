import { randomBytes, scrypt as scryptWithCallback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const scrypt = promisify<string, Buffer, number, object, Buffer>(scryptWithCallback);

/** 32 MiB of memory, three times over: one of OWASP's equivalent choices (Password Storage Cheat Sheet). */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 128 * 2 ** 20 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const FORMAT = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

/** How many hashes are made at once; each takes a thread of the pool and its memory. */
const MAX_AT_ONCE = 2;
/** How many may wait. */
const MAX_WAITING = 64;

export const MAX_PASSWORD_LENGTH = 256;

/** 120 bits: nobody guesses it, and it can be typed. */
const MADE_UP_BYTES = 15;

/** A password for somebody who is to be shown it once. */
export function makeUpPassword(): string {
  return randomBytes(MADE_UP_BYTES).toString('base64url');
}

/** More people sign in at once than can be checked. */
export class TooBusyError extends Error {
  constructor() {
    super('Too many sign-ins at once.');
    this.name = 'TooBusyError';
  }
}

/** Passwords, hashed with scrypt off the event loop, few at a time. */
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Nobody's: what is verified where there is no account. */
  private readonly decoy = encode(randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));

  /** `scrypt$log2(N)$r$p$salt$key` @throws TooBusyError */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return encode(salt, await this.derive(password, salt, COST));
  }

  /**
   * Whether the password is that of the hash. Without a hash it takes as long and is false, so that time does not tell
   * whether an account exists. @throws TooBusyError
   */
  async verify(password: string, hash: string | null | undefined): Promise<boolean> {
    const known = typeof hash === 'string' && FORMAT.test(hash);
    const [, log2 = '', r = '', p = '', salt = '', key = ''] = FORMAT.exec(known ? hash : this.decoy) ?? [];
    const cost = { N: 2 ** Number(log2), r: Number(r), p: Number(p), maxmem: COST.maxmem };
    const derived = await this.derive(password.slice(0, MAX_PASSWORD_LENGTH), Buffer.from(salt, 'base64url'), cost);
    const same = timingSafeEqual(derived, Buffer.from(key, 'base64url'));
    return same && known && password.length <= MAX_PASSWORD_LENGTH;
  }

  protected async derive(password: string, salt: Buffer, cost: object): Promise<Buffer> {
    await this.turn();
    try {
      return await scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost);
    } finally {
      this.giveTurn();
    }
  }

  private async turn(): Promise<void> {
    if (this.running < MAX_AT_ONCE) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= MAX_WAITING) throw new TooBusyError();
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** To who waits longest, or back. */
  private giveTurn(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}

function encode(salt: Buffer, key: Buffer): string {
  return `scrypt$${Math.log2(COST.N)}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}
