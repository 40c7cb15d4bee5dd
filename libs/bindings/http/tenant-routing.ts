export type TenantRouting = 'path' | 'host' | 'both';

const IN_PATH = /^\/t\/([^/?#]{1,100})\/mcp\/?(?:\?|$)/;
/** What an absolute-form target begins with (RFC 9112 section 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]+/i;
const BELOW_HOST = /^\/mcp\/?(?:\?|$)/;

/**
 * The slug that a request's target names, as it is written: nothing in it is decoded, so that a tenant has one URL.
 * Undefined when the target is no tenant's endpoint.
 */
export function slugOf(
  target: string,
  host: string | undefined,
  where: { readonly routing: TenantRouting; readonly publicOrigin: () => string },
): string | undefined {
  const path = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const inPath = where.routing === 'host' ? undefined : IN_PATH.exec(path)?.[1];
  if (inPath !== undefined || where.routing === 'path') return inPath;
  return BELOW_HOST.test(path) ? slugOfHost(host, where.publicOrigin()) : undefined;
}

/** The slug that a `Host` names in the host form, or an empty string, which is no tenant's. */
function slugOfHost(host: string | undefined, publicOrigin: string): string {
  const suffix = `.${new URL(publicOrigin).host}`;
  const name = (host ?? '').toLowerCase();
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
}

/** The public URL of a tenant's endpoint, which is its resource identifier too. */
export function tenantUrl(slug: string, publicOrigin: string, routing: TenantRouting): string {
  if (routing !== 'host') return `${publicOrigin}/t/${slug}/mcp`;
  const { protocol, host } = new URL(publicOrigin);
  return `${protocol}//${slug}.${host}/mcp`;
}
