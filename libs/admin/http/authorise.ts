import { permits, type AdminScope } from '../access/admin-scopes.js';
import { type AdminCaller, scopesIn } from '../access/admin-caller.js';
import type { AdminTenant, AdminTenantRows } from '../stores/admin-tenant.rows.js';
import type { Permission } from './admin-route.js';
import { Problem } from './problem.js';

/** What the path may hold as a slug. */
const MAX_SLUG = 63;

/**
 * Whether the caller may use the route, and the tenant that it is about. A tenant that is not the caller's is looked up
 * all the same, and answered as one that is not there.
 * @throws Problem `not_found`, `insufficient_scope`, `operators_only`
 */
export async function authorise(
  permission: Permission,
  caller: AdminCaller,
  slug: string | undefined,
  tenants: Pick<AdminTenantRows, 'find'>,
): Promise<AdminTenant | undefined> {
  if (permission.to === 'tenant' || permission.to === 'signers')
    return authoriseInTenant(permission.scope, caller, slug ?? '', tenants);
  if (permission.to === 'operators') {
    if (!caller.everywhere) throw new Problem('operators_only', 'This wants the key or the account of an operator.');
    requireScope(caller.everywhere, permission.scope);
  }
  if (permission.to === 'callers' && permission.scope !== undefined)
    requireScope([...(caller.everywhere ?? []), ...[...caller.tenants.values()].flat()], permission.scope);
  return undefined;
}

async function authoriseInTenant(
  scope: AdminScope,
  caller: AdminCaller,
  slug: string,
  tenants: Pick<AdminTenantRows, 'find'>,
): Promise<AdminTenant> {
  const tenant = slug.length > MAX_SLUG || slug.includes('\0') ? undefined : await tenants.find(slug);
  const scopes = tenant && scopesIn(caller, tenant.id);
  if (!scopes) throw new Problem('not_found', 'There is no such tenant.');
  requireScope(scopes, scope);
  return tenant;
}

function requireScope(scopes: readonly AdminScope[], needed: AdminScope): void {
  if (permits(scopes, needed)) return;
  throw new Problem('insufficient_scope', `This wants a key or token with the scope ${needed}.`, {
    scope: needed,
    headers: { 'www-authenticate': `Bearer realm="admin", error="insufficient_scope", scope="${needed}"` },
  });
}
