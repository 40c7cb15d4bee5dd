export type TenantRouting = 'path' | 'host' | 'both';

/** Where tenants are found. */
export interface TenantPlaces {
  readonly routing: TenantRouting;
  /** The public origin of the platform, such as `https://mcp.example.com`. */
  readonly publicOrigin: () => string;
}

/** One of the places where a tenant is: in the path form or the host form. All of it is built from the public origin. */
export interface TenantAddress {
  readonly slug: string;
  /** The URL of the MCP endpoint, which is the tenant's resource identifier there (RFC 8707). */
  readonly resource: string;
  /** The origin, which is the issuer of its tokens unless the tenant has an external one. */
  readonly origin: string;
}

const IN_PATH = /^\/t\/([^/?#]{1,100})\/mcp\/?(?:\?|$)/;
/** What an absolute-form target begins with (RFC 9112 section 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]+/i;
const BELOW_HOST = /^\/mcp\/?(?:\?|$)/;

/**
 * The tenant's address that a request's target names. The slug is as it is written: nothing in it is decoded, so that a
 * tenant has one URL in each form. Undefined when the target is no tenant's endpoint.
 */
export function addressOf(target: string, host: string | undefined, places: TenantPlaces): TenantAddress | undefined {
  const path = originForm(target);
  const inPath = places.routing === 'host' ? undefined : IN_PATH.exec(path)?.[1];
  if (inPath !== undefined) return pathAddress(inPath, places.publicOrigin());
  if (places.routing === 'path' || !BELOW_HOST.test(path)) return undefined;
  return hostAddress(slugOfHost(host, places) ?? '', places.publicOrigin());
}

/** The path and query of a request's target, which may be in absolute form. */
export function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(ORIGIN, '');
}

/** The slug that a `Host` names in the host form; undefined when it names no tenant. */
export function slugOfHost(host: string | undefined, { routing, publicOrigin }: TenantPlaces): string | undefined {
  if (routing === 'path') return undefined;
  const suffix = `.${hostOf(publicOrigin())}`;
  const name = (host ?? '').toLowerCase();
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

export function pathAddress(slug: string, publicOrigin: string): TenantAddress {
  return { slug, resource: `${publicOrigin}/t/${slug}/mcp`, origin: publicOrigin };
}

export function hostAddress(slug: string, publicOrigin: string): TenantAddress {
  const origin = publicOrigin.replace('://', `://${slug}.`);
  return { slug, resource: `${origin}/mcp`, origin };
}

/** The address by which a tenant is made known: in the path form unless there is only the host form. */
export function mainAddress(slug: string, { routing, publicOrigin }: TenantPlaces): TenantAddress {
  return routing === 'host' ? hostAddress(slug, publicOrigin()) : pathAddress(slug, publicOrigin());
}

function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3);
}
