import { isJsonObject } from '#protocol/json.js';
import type { ExternalIssuer } from '#tenancy/access-policy.js';
import { expiryOf, isName, isSubject, scopesIn, type TokenClaims } from './token-claims.js';
import type { VerifiedToken } from './token-verifier.js';

/** What only ID tokens have (OpenID Connect Core sections 2 and 3.3.2.11). */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash'];
/** What Keycloak writes as `typ` into tokens that are no access tokens. */
const OTHER_TYPES = ['ID', 'Refresh', 'Offline', 'Logout'];
/** Where issuers name the client: RFC 9068; Keycloak, Auth0 and Entra v2; Entra v1; Okta. */
const CLIENT_CLAIMS = ['client_id', 'azp', 'appid', 'cid'];

/** Reads the payload of a token of another's. Undefined when it is no access token for this audience. */
export function readExternalClaims(
  claims: TokenClaims,
  issuer: ExternalIssuer,
  audience: string,
): VerifiedToken | undefined {
  if (claims['iss'] !== issuer.issuer || !isFor(audience, claims['aud']) || !isAccessToken(claims)) return undefined;
  const expiresAt = expiryOf(claims['exp']);
  const subject = claims['sub'];
  const scopes = readScopes(claims, issuer);
  if (!isSubject(subject) || expiresAt === undefined || !scopes) return undefined;
  const clientId = CLIENT_CLAIMS.map((name) => claims[name]).find(isName);
  return { subject, clientId, scopes, expiresAt, revocation: undefined };
}

function isFor(audience: string, claim: unknown): boolean {
  return Array.isArray(claim)
    ? claim.every((one) => typeof one === 'string') && claim.includes(audience)
    : claim === audience;
}

function isAccessToken(claims: TokenClaims): boolean {
  return !OF_ID_TOKENS.some((name) => Object.hasOwn(claims, name)) && !OTHER_TYPES.includes(claims['typ'] as string);
}

/** The tenant's scopes that the token's scopes and groups stand for; undefined when a claim is of a wrong type. */
function readScopes(claims: TokenClaims, issuer: ExternalIssuer): ReadonlySet<string> | undefined {
  const given: string[] = [];
  for (const name of issuer.scopeClaims) {
    const claim = claimAt(claims, name);
    const scopes = claim === undefined ? [] : scopesIn(claim);
    if (!scopes) return undefined;
    given.push(...scopes);
  }
  return new Set(given.flatMap((scope) => mapScope(scope, issuer)));
}

function mapScope(scope: string, { scopeMap, onlyMapped }: ExternalIssuer): readonly string[] {
  const mapped = Object.hasOwn(scopeMap, scope) ? scopeMap[scope] : undefined;
  return mapped ?? (onlyMapped ? [] : [scope]);
}

/** A claim by its name; where there is none, by a path with dots, such as Keycloak's `realm_access.roles`. */
function claimAt(claims: TokenClaims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      claims,
    );
}
