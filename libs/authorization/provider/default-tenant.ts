import { errors } from 'oidc-provider';
import type { IssuerParts } from './provider-parts.js';
import type { ProtectedTenant } from './protected-resources.js';

/** The tenant of a request that names none: that of a registered client, or the only one of the issuer. */
export async function defaultTenant(
  clientId: string | undefined,
  { issuer, resources, stores }: Pick<IssuerParts, 'issuer' | 'resources' | 'stores'>,
): Promise<ProtectedTenant | undefined> {
  const record = clientId === undefined ? undefined : await stores.clients.find(clientId);
  return record?.tenantId == null ? resources.ofIssuer(issuer) : resources.byId(issuer, record.tenantId);
}

/** The provider's default resource: what was granted, when that is one; else the default tenant's. @throws errors.InvalidTarget */
export async function defaultResource(
  clientId: string,
  oneOf: readonly string[] | undefined,
  parts: IssuerParts,
): Promise<string> {
  const [only, ...others] = oneOf ?? [];
  if (only !== undefined && others.length === 0) return only;
  const tenant = await defaultTenant(clientId, parts);
  if (tenant) return tenant.resource;
  throw new errors.InvalidTarget('name the MCP server that the token is for: resource=<its URL>');
}
