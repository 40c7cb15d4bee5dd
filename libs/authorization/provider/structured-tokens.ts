import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { IssuerParts } from './provider-parts.js';

/**
 * Access tokens are JWTs, which the provider neither revokes nor introspects; it says so once the client has
 * authenticated. This answers in its place: revoking one ends its grant (RFC 7009 section 2.1 permits it), and a
 * confidential client may look at its own (RFC 7662).
 */
export async function answerStructuredTokens(ctx: KoaContextWithOIDC, parts: IssuerParts): Promise<void> {
  const { error } = (ctx.body ?? {}) as { error?: unknown };
  if (error !== 'unsupported_token_type') return;
  const { route, client, params } = ctx.oidc;
  const claims = await verify(params?.['token'], parts);
  const own = claims?.['client_id'] === client?.clientId ? claims : undefined;
  const mayLook = client?.clientAuthMethod !== 'none';
  if (route === 'introspection') introspect(ctx, own && mayLook && (await isAlive(own, parts)) ? own : undefined);
  else if (route === 'revocation') await revoke(ctx, own, parts);
}

async function verify(token: unknown, { issuer, keySet }: IssuerParts): Promise<JWTPayload | undefined> {
  if (typeof token !== 'string') return undefined;
  const keyOf: JWTVerifyGetKey = ({ kid, alg }) => {
    const known = keySet.publicKeys.get(kid ?? '');
    if (known?.algorithm !== alg) throw new Error('no such key');
    return known.key;
  };
  try {
    return (await jwtVerify(token, keyOf, { issuer, typ: 'at+jwt', clockTolerance: 30 })).payload;
  } catch {
    return undefined;
  }
}

async function isAlive(claims: JWTPayload, { issuer, stores }: IssuerParts): Promise<boolean> {
  const grant = String(claims['grant']);
  return grant.startsWith('client:') || (await stores.grants.find(issuer, grant)) !== undefined;
}

function introspect(ctx: KoaContextWithOIDC, claims: JWTPayload | undefined): void {
  const { grant: _grant, ...shown } = claims ?? {};
  ctx.status = 200;
  ctx.body = claims ? { active: true, token_type: 'Bearer', ...shown } : { active: false };
}

/** A token that is not the client's, or no good, is as good as revoked (RFC 7009 section 2.2). */
async function revoke(ctx: KoaContextWithOIDC, claims: JWTPayload | undefined, parts: IssuerParts): Promise<void> {
  const grant = claims?.['grant'];
  if (typeof grant === 'string' && grant.startsWith('client:')) return; // nothing stands behind it; it lives for minutes
  if (typeof grant === 'string') {
    for (const { tenantId, subject } of await parts.stores.grants.revoke(parts.issuer, grant)) {
      parts.onRevoked(tenantId, subject);
    }
  }
  ctx.status = 200;
  ctx.body = '';
}
