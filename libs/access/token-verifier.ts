import type { GuardedPlace } from './challenges.js';

/** A token that is good at a place. */
export interface VerifiedToken {
  /** Unique among the principals of the tenant. */
  readonly subject: string;
  readonly clientId: string | undefined;
  readonly scopes: ReadonlySet<string>;
  /** When it expires, tolerance included, in milliseconds since the epoch; infinite when it does not. */
  readonly expiresAt: number;
  /** What a revocation of it has as its subject; undefined when it cannot be revoked here. */
  readonly revocation: string | undefined;
}

/** Why a token is not good; what callers are told of it. */
export type TokenRefusal = 'expired' | 'invalid';

/** Looks at a token for the first time. */
export interface TokenVerifier {
  /** @throws when it cannot be told just now, as with keys or a store out of reach */
  verify(token: string, place: GuardedPlace): Promise<VerifiedToken | TokenRefusal>;
}

/** Who verifies the tokens of a tenant, by where they come from. */
export interface TokenVerifiers {
  readonly embedded: TokenVerifier;
  readonly external: TokenVerifier;
  readonly issuedByAdmin: TokenVerifier;
}
