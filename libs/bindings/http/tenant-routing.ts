export type TenantRouting = 'path' | 'host' | 'both';

/** Where a tenant's endpoint stands in the path form. */
export const PATH_ROUTE = '/t/:slug/mcp';

/** Where a tenant's endpoint stands in the host form, below its own host name. */
export const HOST_ROUTE = '/mcp';

/** The slug that a `Host` names in the host form, or an empty string, which is no tenant's. */
export function slugOfHost(host: string | undefined, publicOrigin: string): string {
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
