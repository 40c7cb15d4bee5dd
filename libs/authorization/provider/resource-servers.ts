import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider';
import { ACCESS_TOKEN_LIFE_S } from '../stores/grant.store.js';
import type { ClientRecord } from '../stores/client.store.js';
import { type AccountRules, noSuchTarget } from './account-rules.js';
import type { ProtectedResource } from './protected-resources.js';
import type { IssuerParts } from './provider-parts.js';

/** The resource as the provider wants to know it: who may have which scopes there. */
export async function resourceServerOf(
  ctx: KoaContextWithOIDC,
  { resource, client }: { readonly resource: string; readonly client: Client },
  { issuer, resources, stores }: IssuerParts,
  rules: AccountRules,
): Promise<ResourceServer> {
  const target = await resources.find(issuer, resource);
  const asked = ctx.oidc.params?.['resource'];
  if (!target || (Array.isArray(asked) && asked.length > 1)) throw noSuchTarget();
  if (target.tenantId !== null && resources.isOwnClient(issuer, client.clientId)) throw noSuchTarget();
  const record = await stores.clients.find(client.clientId);
  if (record && record.tenantId !== null && record.tenantId !== target.tenantId) {
    throw new errors.InvalidTarget('the client is registered for another MCP server');
  }
  if (ctx.oidc.params?.['grant_type'] === 'client_credentials') checkOwnRight(client, record, target);
  const scopes = await scopesFor(ctx, target, rules);
  const allowed = record ? allowedScopes(record.metadata, target) : undefined;
  return {
    scope: (allowed ? scopes.filter((scope) => allowed.has(scope)) : scopes).join(' '),
    audience: resource,
    accessTokenTTL: ACCESS_TOKEN_LIFE_S,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  };
}

/** Nobody agrees to what a client does for itself, so only a tenant's admin can have allowed it, and there alone. */
function checkOwnRight(client: Client, record: ClientRecord | undefined, target: ProtectedResource): void {
  const isItsOwn = target.tenantId !== null && record?.tenantId === target.tenantId;
  if (isItsOwn && client.clientAuthMethod !== 'none') return;
  throw new errors.UnauthorizedClient('ask the admin of the MCP server to register the client');
}

/** At the token endpoint, what the account may grant now: a role that became smaller counts from the next refresh. */
async function scopesFor(
  ctx: KoaContextWithOIDC,
  target: ProtectedResource,
  rules: AccountRules,
): Promise<readonly string[]> {
  const accountId = ctx.oidc.route === 'token' ? ctx.oidc.entities.Account?.accountId : undefined;
  return accountId === undefined ? target.scopes : rules.grantable(accountId, target);
}

/** The scopes to which an admin bound the client; undefined when it is bound to none. */
export function allowedScopes(
  metadata: Readonly<Record<string, unknown>>,
  target: ProtectedResource,
): ReadonlySet<string> | undefined {
  const { scope } = metadata;
  if (typeof scope !== 'string') return undefined;
  const named = scope.split(' ');
  return new Set(target.scopes.filter((one) => named.includes(one)));
}
