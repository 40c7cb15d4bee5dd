import { baselineScopes, everyScope } from '#access/scope-rules.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { TenantStore } from '#tenancy/tenant.store.js';
import type { AccessPolicy } from '#tenancy/access-policy.js';
import { addressOf, hostAddress, pathAddress, slugOfHost, type TenantPlaces } from '#tenancy/tenant-address.js';

/** A tenant as the authorization server sees it: a resource that tokens are for. */
export interface ProtectedTenant {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly policy: AccessPolicy;
  /** Its resource identifier at this issuer. */
  readonly resource: string;
  /** Every scope that a token for it can have, the one to connect first. */
  readonly scopes: readonly string[];
  /** What a host gets that asks for nothing in particular. */
  readonly baseline: readonly string[];
}

/**
 * A resource indicator as tenants write theirs: scheme and host in lower case, no default port, no slash at the end.
 * Text that is no URL stays what it is.
 */
export function canonicalResource(text: string): string {
  if (!URL.canParse(text)) return text;
  const { href } = new URL(text);
  return href.endsWith('/') ? href.slice(0, -1) : href;
}

/** The tenants that this platform issues tokens for. */
export class ProtectedTenants {
  constructor(
    private readonly tenants: Pick<TenantDirectory, 'find'>,
    private readonly store: Pick<TenantStore, 'slugOf'>,
    readonly places: TenantPlaces,
  ) {}

  /** The tenant with this resource identifier, in canonical form, at this issuer. */
  async find(issuer: string, resource: string): Promise<ProtectedTenant | undefined> {
    if (!URL.canParse(resource)) return undefined;
    const { pathname, host, search } = new URL(resource);
    const address = search === '' ? addressOf(pathname, host, this.places) : undefined;
    if (address?.resource !== resource || address.origin !== issuer) return undefined;
    return asProtected(await this.tenants.find(address.slug), resource);
  }

  /** The tenant of an issuer that is one tenant's alone, as in the host form. Undefined for what a `Host` made of it else. */
  async ofIssuer(issuer: string): Promise<ProtectedTenant | undefined> {
    const slug = URL.canParse(issuer) ? slugOfHost(new URL(issuer).host, this.places) : undefined;
    if (slug === undefined) return undefined;
    const { origin, resource } = hostAddress(slug, this.places.publicOrigin());
    return origin === issuer ? asProtected(await this.tenants.find(slug), resource) : undefined;
  }

  /** The tenant with this id at this issuer. */
  async byId(issuer: string, tenantId: string): Promise<ProtectedTenant | undefined> {
    const slug = await this.store.slugOf(tenantId);
    return slug === undefined ? undefined : this.bySlug(issuer, slug);
  }

  /** The tenant with this slug at this issuer. */
  async bySlug(issuer: string, slug: string): Promise<ProtectedTenant | undefined> {
    const origin = this.places.publicOrigin();
    const address = issuer === origin ? pathAddress(slug, origin) : hostAddress(slug, origin);
    return address.origin === issuer ? asProtected(await this.tenants.find(slug), address.resource) : undefined;
  }
}

function asProtected(catalogue: Catalogue | undefined, resource: string): ProtectedTenant | undefined {
  if (!catalogue) return undefined;
  const { id, slug, title, access, status, accessPolicy: policy } = catalogue.tenant;
  if (access !== 'oauth' || status !== 'active' || policy.externalIssuer) return undefined;
  const { scopes: named } = catalogue.content;
  const scopes = everyScope(policy, named);
  return { id, slug, title, policy, resource, scopes, baseline: baselineScopes(policy, named) };
}
