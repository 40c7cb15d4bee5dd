import type { Caller } from './caller.js';
import type { Revocation } from './revocation.store.js';

/** Stands for all tokens that one revocation would stop. */
interface Standing {
  revoked: boolean;
  /** How many tokens are remembered for it. */
  tokens: number;
}

interface Entry {
  caller: Caller;
  /** Until when it is believed, in milliseconds since the epoch. */
  readonly until: number;
  readonly standing: { readonly key: string; readonly of: Standing } | undefined;
  used: boolean;
}

/** Tokens that were verified, by digest. Those that were not used lately go first when there are too many. */
export class TokenMemory {
  private readonly entries = new Map<string, Entry>();
  private readonly standings = new Map<string, Standing>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(digest: string): Caller | undefined {
    const entry = this.entries.get(digest);
    if (entry === undefined) return undefined;
    if (entry.standing?.of.revoked === true || entry.until <= Date.now()) {
      this.delete(digest);
      return undefined;
    }
    entry.used = true;
    return entry.caller;
  }

  /** @param until in milliseconds since the epoch */
  set(digest: string, caller: Caller, until: number): void {
    this.delete(digest);
    const revocation = caller.token?.revocation;
    const standing = revocation === undefined ? undefined : this.stand(keyOf(caller.principal.tenantId, revocation));
    this.entries.set(digest, { caller, until, standing, used: false });
    if (this.entries.size > this.capacity) this.evictOne();
  }

  /** Puts another caller in the place of one that is remembered. */
  replace(digest: string, caller: Caller): void {
    const entry = this.entries.get(digest);
    if (entry) entry.caller = caller;
  }

  delete(digest: string): void {
    const entry = this.entries.get(digest);
    if (!entry) return;
    this.entries.delete(digest);
    const { standing } = entry;
    if (!standing) return;
    standing.of.tokens -= 1;
    if (standing.of.tokens === 0 && this.standings.get(standing.key) === standing.of)
      this.standings.delete(standing.key);
  }

  /** Forgets the tokens that this stops. */
  revoke({ tenantId, subject }: Revocation): void {
    const key = keyOf(tenantId, subject);
    const standing = this.standings.get(key);
    if (!standing) return;
    standing.revoked = true;
    this.standings.delete(key);
  }

  clear(): void {
    this.entries.clear();
    this.standings.clear();
  }

  private stand(key: string): NonNullable<Entry['standing']> {
    const known = this.standings.get(key);
    const standing = known ?? { revoked: false, tokens: 0 };
    standing.tokens += 1;
    if (!known) this.standings.set(key, standing);
    return { key, of: standing };
  }

  /** Second chance: whoever was used since the last round stays for another. */
  private evictOne(): void {
    for (const [digest, entry] of this.entries) {
      if (!entry.used) {
        this.delete(digest);
        return;
      }
      this.entries.delete(digest);
      entry.used = false;
      this.entries.set(digest, entry);
    }
  }
}

function keyOf(tenantId: string, subject: string): string {
  return `${tenantId} ${subject}`;
}
