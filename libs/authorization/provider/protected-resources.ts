import { baselineScopes, everyScope } from '#access/scope-rules.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { TenantStore } from '#tenancy/tenant.store.js';
import { type AccessPolicy, EVERY_SCOPE, readAccessPolicy } from '#tenancy/access-policy.js';
import type { PlatformClient, PlatformResource } from '#tenancy/platform-resource.js';
import { addressOf, hostAddress, pathAddress, slugOfHost, type TenantPlaces } from '#tenancy/tenant-address.js';

interface Protected {
  readonly title: string;
  readonly policy: AccessPolicy;
  /** Its resource identifier at this issuer. */
  readonly resource: string;
  /** Every scope that a token for it can have, the one to connect first. */
  readonly scopes: readonly string[];
  /** What a host gets that asks for nothing in particular. */
  readonly baseline: readonly string[];
}

/** A tenant as the authorization server sees it. */
export interface ProtectedTenant extends Protected {
  readonly tenantId: string;
  readonly slug: string;
}

/** What tokens are for: a tenant, or something that is the platform's own. */
export type ProtectedResource = ProtectedTenant | (Protected & { readonly tenantId: null });

/** What the platform's own resources permit by role; who has one of these, `AccountRules` says. */
const PLATFORM_ROLES = { operator: [EVERY_SCOPE], admin: [EVERY_SCOPE] };

/**
 * A resource indicator as tenants write theirs: scheme and host in lower case, no default port, no slash at the end.
 * Text that is no URL stays what it is.
 */
export function canonicalResource(text: string): string {
  if (!URL.canParse(text)) return text;
  const { href } = new URL(text);
  return href.endsWith('/') ? href.slice(0, -1) : href;
}

/** Everything that this platform issues tokens for. */
export class ProtectedResources {
  constructor(
    private readonly tenants: Pick<TenantDirectory, 'find'>,
    private readonly store: Pick<TenantStore, 'slugOf'>,
    readonly places: TenantPlaces,
    private readonly platform: readonly PlatformResource[],
  ) {}

  /** What has this resource identifier, in canonical form, at this issuer. */
  async find(issuer: string, resource: string): Promise<ProtectedResource | undefined> {
    return this.ofPlatform(issuer, resource) ?? this.tenant(issuer, resource);
  }

  /** The clients that are part of the platform, where they are known: at the public origin. */
  ownClients(issuer: string): readonly PlatformClient[] {
    return issuer === this.places.publicOrigin() ? this.platform.flatMap(({ clients }) => clients) : [];
  }

  /** Whether the client is one of those. */
  isOwnClient(issuer: string, clientId: string): boolean {
    return this.ownClients(issuer).some(({ id }) => id === clientId);
  }

  /** A resource of the platform's own, which has one issuer: the public origin. */
  private ofPlatform(issuer: string, resource: string): ProtectedResource | undefined {
    const origin = this.places.publicOrigin();
    const found = issuer === origin && this.platform.find(({ path }) => resource === `${origin}${path}`);
    if (!found) return undefined;
    const { title, scopes, baseline } = found;
    const policy = readAccessPolicy({ scopes, roles: PLATFORM_ROLES });
    return { tenantId: null, title, policy, resource, scopes: scopes.map(({ name }) => name), baseline };
  }

  private async tenant(issuer: string, resource: string): Promise<ProtectedTenant | undefined> {
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
  const { id: tenantId, slug, title, access, status, accessPolicy: policy } = catalogue.tenant;
  if (access !== 'oauth' || status !== 'active' || policy.externalIssuer) return undefined;
  const { scopes: named } = catalogue.content;
  const scopes = everyScope(policy, named);
  return { tenantId, slug, title, policy, resource, scopes, baseline: baselineScopes(policy, named) };
}
