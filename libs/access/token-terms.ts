import type { KeySource } from './key-source.js';
import type { TokenClaims } from './token-claims.js';
import type { TokenHeader } from './token-header.js';
import type { VerifiedToken } from './token-verifier.js';

/** On which terms a signed token is good. */
export interface TokenTerms {
  readonly keys: KeySource;
  /** Looked at before the signature: algorithm, type, the form of the key's id. */
  takesHeader(header: TokenHeader): boolean;
  /** Looked at when signature and times are good. Undefined when the token is not good here. */
  read(claims: TokenClaims): VerifiedToken | undefined;
  /** @throws when it cannot be told just now */
  isRevoked(token: VerifiedToken): Promise<boolean>;
}

/** What a signed token may be signed with: never a shared secret, and never nothing. */
export const SIGNATURES = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;
