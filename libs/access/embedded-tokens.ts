import type { GuardedPlace } from './challenges.js';
import { type AccessTokenStrategy, runStrategy } from './access-token.strategy.js';
import type { KeySource } from './key-source.js';
import type { RevocationStore } from './revocation.store.js';
import { expiryOf, isName, isSubject, scopesIn, type TokenClaims } from './token-claims.js';
import type { TokenTerms } from './token-terms.js';
import type { TokenRefusal, TokenVerifier, VerifiedToken } from './token-verifier.js';

const ALGORITHMS = ['ES256', 'RS256'];
/** Ids of our own keys; nothing else is looked for. */
const KEY_ID = /^[A-Za-z0-9_-]{1,128}$/;

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
  termsFor(place: Pick<GuardedPlace, 'tenant' | 'address'>): TokenTerms {
    return {
      keys: this.keys,
      takesHeader: ({ alg, kid, typ }) => typ === 'at+jwt' && ALGORITHMS.includes(alg) && KEY_ID.test(kid),
      read: (claims) => readClaims(claims, place),
      isRevoked: ({ revocation: subject }) =>
        subject === undefined
          ? Promise.resolve(false)
          : this.revocations.isRevoked({ tenantId: place.tenant.id, subject }),
    };
  }
}

function readClaims(
  claims: TokenClaims,
  { tenant, address }: Pick<GuardedPlace, 'tenant' | 'address'>,
): VerifiedToken | undefined {
  const { iss, aud, sub, client_id: clientId, scope = '', grant, exp, tenant: tenantId } = claims;
  if (iss !== address.origin || aud !== address.resource || tenantId !== tenant.id) return undefined;
  const expiresAt = expiryOf(exp);
  const scopes = typeof scope === 'string' ? scopesIn(scope) : undefined;
  if (!isSubject(sub) || !isName(clientId) || !isName(grant) || !scopes || expiresAt === undefined) return undefined;
  return { subject: sub, clientId, scopes: new Set(scopes), expiresAt, revocation: grant };
}
