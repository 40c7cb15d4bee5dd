import { expiryOf, isName, isSubject, scopesIn, type TokenClaims } from './token-claims.js';
import type { TokenHeader } from './token-header.js';
import type { VerifiedToken } from './token-verifier.js';

const ALGORITHMS = ['ES256', 'RS256'];
/** Ids of our own keys; nothing else is looked for. */
const KEY_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** What an access token of the embedded authorization server must name: exactly this. */
export interface EmbeddedAudience {
  readonly issuer: string;
  /** The resource identifier. */
  readonly resource: string;
  /** The tenant whose resource it is; null for the platform's own, whose tokens name none. */
  readonly tenantId: string | null;
}

/** Whether a header is such as the embedded authorization server writes (RFC 9068 section 2.1). */
export function takesEmbeddedHeader({ alg, kid, typ }: TokenHeader): boolean {
  return typ === 'at+jwt' && ALGORITHMS.includes(alg) && KEY_ID.test(kid);
}

/** What the claims say, when they are for this audience and whole; undefined otherwise. */
export function readEmbeddedClaims(claims: TokenClaims, audience: EmbeddedAudience): VerifiedToken | undefined {
  const { iss, aud, sub, client_id: clientId, scope = '', grant, exp, tenant = null } = claims;
  if (iss !== audience.issuer || aud !== audience.resource || tenant !== audience.tenantId) return undefined;
  const expiresAt = expiryOf(exp);
  const scopes = typeof scope === 'string' ? scopesIn(scope) : undefined;
  if (!isSubject(sub) || !isName(clientId) || !isName(grant) || !scopes || expiresAt === undefined) return undefined;
  return { subject: sub, clientId, scopes: new Set(scopes), expiresAt, revocation: grant };
}
