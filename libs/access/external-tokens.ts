import type { ExternalIssuer } from '#tenancy/access-policy.js';
import { type AccessTokenStrategy, runStrategy } from './access-token.strategy.js';
import type { GuardedPlace } from './challenges.js';
import { readExternalClaims } from './external-claims.js';
import type { KeySource } from './key-source.js';
import { SIGNATURES, type TokenTerms } from './token-terms.js';
import type { TokenRefusal, TokenVerifier, VerifiedToken } from './token-verifier.js';

const TYPES = [undefined, 'jwt', 'at+jwt'];

/** Where the keys of an issuer that a tenant names are found. */
export interface IssuerKeys {
  of(issuer: string): KeySource;
}

/** Access tokens of an authorization server that is not ours. */
export class ExternalTokens implements TokenVerifier {
  constructor(
    private readonly strategy: AccessTokenStrategy,
    private readonly keys: IssuerKeys,
  ) {}

  verify(token: string, { tenant, address }: GuardedPlace): Promise<VerifiedToken | TokenRefusal> {
    const issuer = tenant.accessPolicy.externalIssuer;
    if (!issuer) return Promise.resolve('invalid');
    const tokenTerms = this.termsFor(issuer, issuer.expectedAudience ?? address.resource);
    return runStrategy(this.strategy, { headers: { authorization: `Bearer ${token}` }, tokenTerms });
  }

  private termsFor(issuer: ExternalIssuer, audience: string): TokenTerms {
    return {
      keys: this.keys.of(issuer.issuer),
      takesHeader: ({ alg, typ }) => (SIGNATURES as readonly string[]).includes(alg) && TYPES.includes(typ),
      read: (claims) => readExternalClaims(claims, issuer, audience),
      isRevoked: () => Promise.resolve(false),
    };
  }
}
