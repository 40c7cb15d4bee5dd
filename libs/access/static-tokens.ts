import { hash, randomBytes } from 'node:crypto';
import type { GuardedPlace } from './challenges.js';
import type { Revocation } from './revocation.store.js';
import type { NewStaticToken, StaticTokenRecord, StaticTokenStore } from './static-token.store.js';
import type { TokenRefusal, TokenVerifier, VerifiedToken } from './token-verifier.js';

const PREFIX = 'cwt_';
const BYTES = 32;
const TOKEN = /^cwt_[A-Za-z0-9_-]{43}$/;

/** A token that was just made. The token itself is shown once: it is kept nowhere. */
export interface IssuedToken {
  readonly token: string;
  readonly record: StaticTokenRecord;
}

/** Tokens that a tenant's admin issues to machines: random, kept as hashes. */
export class StaticTokens implements TokenVerifier {
  /** @param announce carries a revocation to every node */
  constructor(
    private readonly store: Pick<StaticTokenStore, 'create' | 'findByHash' | 'revoke'>,
    private readonly announce: (revocation: Revocation) => Promise<void>,
  ) {}

  async issue(request: Omit<NewStaticToken, 'hash'>): Promise<IssuedToken> {
    const token = `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
    const record = await this.store.create({ ...request, hash: hashOf(token) });
    return { token, record };
  }

  /** Stops the token, on this node at once. False when there is no such token. */
  async revoke(tenantId: string, id: string): Promise<boolean> {
    const revoked = await this.store.revoke(tenantId, id);
    if (revoked) await this.announce({ tenantId, subject: revocationOfToken(id) });
    return revoked;
  }

  async verify(token: string, { tenant }: GuardedPlace): Promise<VerifiedToken | TokenRefusal> {
    const record = TOKEN.test(token) ? await this.store.findByHash(tenant.id, hashOf(token)) : undefined;
    if (!record || record.revokedAt) return 'invalid';
    const expiresAt = record.expiresAt?.getTime() ?? Infinity;
    if (expiresAt <= Date.now()) return 'expired';
    return {
      subject: `token:${record.id}`,
      clientId: undefined,
      scopes: new Set(record.scopes),
      expiresAt,
      revocation: revocationOfToken(record.id),
    };
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** What the store of revocations calls a static token. */
export function revocationOfToken(id: string): string {
  return `static:${id}`;
}
