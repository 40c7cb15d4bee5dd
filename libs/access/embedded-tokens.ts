import type { GuardedPlace } from './challenges.js';
import { type AccessTokenStrategy, runStrategy } from './access-token.strategy.js';
import { readEmbeddedClaims, takesEmbeddedHeader } from './embedded-claims.js';
import type { KeySource } from './key-source.js';
import type { RevocationStore } from './revocation.store.js';
import type { TokenTerms } from './token-terms.js';
import type { TokenRefusal, TokenVerifier, VerifiedToken } from './token-verifier.js';

/** Access tokens of the embedded authorization server (RFC 9068). */
export class EmbeddedTokens implements TokenVerifier {
  constructor(
    private readonly strategy: AccessTokenStrategy,
    private readonly keys: KeySource,
    private readonly revocations: Pick<RevocationStore, 'isRevoked'>,
  ) {}

  verify(token: string, place: GuardedPlace): Promise<VerifiedToken | TokenRefusal> {
    const headers = { authorization: `Bearer ${token}` };
    return runStrategy(this.strategy, { headers, tokenTerms: this.termsFor(place) });
  }

  /** On which terms a token is good at a place: for this resource alone, from the issuer of this origin. */
  termsFor({ tenant, address }: Pick<GuardedPlace, 'tenant' | 'address'>): TokenTerms {
    const audience = { issuer: address.origin, resource: address.resource, tenantId: tenant.id };
    return {
      keys: this.keys,
      takesHeader: takesEmbeddedHeader,
      read: (claims) => readEmbeddedClaims(claims, audience),
      isRevoked: ({ revocation: subject }) =>
        subject === undefined ? Promise.resolve(false) : this.revocations.isRevoked({ tenantId: tenant.id, subject }),
    };
  }
}
