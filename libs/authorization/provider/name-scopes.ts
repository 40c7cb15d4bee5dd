import type { KoaContextWithOIDC } from 'oidc-provider';
import { CONNECT_SCOPE } from '#tenancy/access-policy.js';
import type { IssuerParts } from './provider-parts.js';

/** The tenant whose scopes a request for the metadata wants to see, by its slug. */
const wanted = new WeakMap<object, string>();

export function wantScopesOf(request: object, slug: string): void {
  wanted.set(request, slug);
}

/**
 * Adds the tenant's scopes to the issuer's metadata, for hosts that look for them there (RFC 8414 section 2). An issuer
 * of many tenants names the scopes of the code modules that all of them may activate; what a tenant registered itself is
 * told in its own document alone.
 */
export async function nameScopes(
  ctx: KoaContextWithOIDC,
  { issuer, resources, platformScopes }: IssuerParts,
): Promise<void> {
  if (!ctx.path.startsWith('/.well-known/') || ctx.status !== 200) return;
  const slug = wanted.get(ctx.req);
  const tenant = slug === undefined ? await resources.ofIssuer(issuer) : await resources.bySlug(issuer, slug);
  const { scopes_supported: own = [], ...rest } = ctx.body as { scopes_supported?: readonly string[] };
  const scopes = tenant?.scopes ?? [CONNECT_SCOPE, ...platformScopes()];
  ctx.body = { ...rest, scopes_supported: [...new Set([...own, ...scopes])] };
}
