import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isCovered } from '#access/scope-rules.js';
import { CONNECT_SCOPE, EVERY_SCOPE } from '#tenancy/access-policy.js';
import type { Account, AccountStore } from '../stores/account.store.js';
import type { ProtectedTenant, ProtectedTenants } from './protected-tenants.js';

/** Who may do what in which tenant. */
export class AccountRules {
  constructor(
    private readonly issuer: string,
    private readonly accounts: AccountStore,
    private readonly tenants: ProtectedTenants,
  ) {}

  /** Whether the account that is signed in is one that this tenant takes. */
  async fits(ctx: KoaContextWithOIDC): Promise<boolean> {
    const tenant = await this.tenantOf(ctx);
    const account = await this.accounts.find(ctx.oidc.session?.accountId ?? '');
    return account?.status === 'active' && accountFits(account, tenant);
  }

  /** Whether the account that is signed in is a member of the tenant. */
  async isMember(ctx: KoaContextWithOIDC): Promise<boolean> {
    const tenant = await this.tenantOf(ctx);
    const accountId = ctx.oidc.session?.accountId;
    return accountId !== undefined && (await this.accounts.roleIn(tenant.id, accountId)) !== undefined;
  }

  /** The active account that a token is for, as long as it fits the tenant and is a member of it. */
  async holderOf(accountId: string, resource: string): Promise<Account | undefined> {
    const account = await this.accounts.find(accountId);
    const tenant = await this.tenants.find(this.issuer, resource);
    if (account?.status !== 'active' || !tenant || !accountFits(account, tenant)) return undefined;
    return (await this.accounts.roleIn(tenant.id, accountId)) === undefined ? undefined : account;
  }

  /** Which of the tenant's scopes the account may grant. */
  async grantable(accountId: string, tenant: ProtectedTenant): Promise<readonly string[]> {
    const role = await this.accounts.roleIn(tenant.id, accountId);
    return role === undefined ? [] : scopesOfRole(role, tenant);
  }

  /** The tenant that a request is for. @throws errors.InvalidTarget */
  async tenantOf({ oidc }: KoaContextWithOIDC): Promise<ProtectedTenant> {
    const resource = oidc.params?.['resource'];
    const tenant = typeof resource === 'string' ? await this.tenants.find(this.issuer, resource) : undefined;
    if (!tenant) throw noSuchTarget();
    return tenant;
  }
}

/** What a request is told that names no tenant of the issuer, or several. */
export function noSuchTarget(): errors.InvalidTarget {
  return new errors.InvalidTarget('resource must be the URL of one MCP server of this issuer');
}

/** People of a tenant's own provider are good there alone; where passwords are off, nobody else is. */
export function accountFits(account: Account, tenant: Pick<ProtectedTenant, 'id' | 'policy'>): boolean {
  return account.tenantId === null ? tenant.policy.passwordSignIn : account.tenantId === tenant.id;
}

/** What a role may grant; a role that the tenant does not name may only connect. */
export function scopesOfRole(
  role: string,
  { policy, scopes }: Pick<ProtectedTenant, 'policy' | 'scopes'>,
): readonly string[] {
  const may = new Set(Object.hasOwn(policy.roles, role) ? policy.roles[role] : []);
  return scopes.filter((scope) => scope === CONNECT_SCOPE || may.has(EVERY_SCOPE) || isCovered(may, scope));
}
