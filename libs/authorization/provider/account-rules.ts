import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isCovered } from '#access/scope-rules.js';
import { CONNECT_SCOPE, EVERY_SCOPE } from '#tenancy/access-policy.js';
import type { Account, AccountStore } from '../stores/account.store.js';
import type { ProtectedResource, ProtectedResources } from './protected-resources.js';

/** Who may do what at which resource. */
export class AccountRules {
  constructor(
    private readonly issuer: string,
    private readonly accounts: AccountStore,
    private readonly resources: ProtectedResources,
  ) {}

  /** Whether the account that is signed in is one that this resource takes. */
  async fits(ctx: KoaContextWithOIDC): Promise<boolean> {
    const target = await this.targetOf(ctx);
    const account = await this.accounts.find(ctx.oidc.session?.accountId ?? '');
    return account?.status === 'active' && accountFits(account, target);
  }

  /** Whether the account that is signed in has a role at the resource. */
  async isMember(ctx: KoaContextWithOIDC): Promise<boolean> {
    const target = await this.targetOf(ctx);
    const accountId = ctx.oidc.session?.accountId;
    return accountId !== undefined && (await this.roleAt(target, accountId)) !== undefined;
  }

  /** The active account that a token is for, as long as it fits the resource and has a role there. */
  async holderOf(accountId: string, resource: string): Promise<Account | undefined> {
    const account = await this.accounts.find(accountId);
    const target = await this.resources.find(this.issuer, resource);
    if (account?.status !== 'active' || !target || !accountFits(account, target)) return undefined;
    return (await this.roleAt(target, accountId)) === undefined ? undefined : account;
  }

  /**
   * What the account is at the resource: its role in the tenant; at the platform's own, `operator`, or `admin` for who is
   * one of some tenant. Undefined when it is nothing there.
   */
  async roleAt({ tenantId }: ProtectedResource, accountId: string): Promise<string | undefined> {
    if (tenantId !== null) return this.accounts.roleIn(tenantId, accountId);
    const rights = await this.accounts.adminRights(accountId);
    if (!rights) return undefined;
    if (rights.operator) return 'operator';
    return rights.tenantIds.length > 0 ? 'admin' : undefined;
  }

  /** Which of the resource's scopes the account may grant. */
  async grantable(accountId: string, target: ProtectedResource): Promise<readonly string[]> {
    const role = await this.roleAt(target, accountId);
    return role === undefined ? [] : scopesOfRole(role, target);
  }

  /** The resource that a request is for. @throws errors.InvalidTarget */
  async targetOf({ oidc }: KoaContextWithOIDC): Promise<ProtectedResource> {
    const resource = oidc.params?.['resource'];
    const target = typeof resource === 'string' ? await this.resources.find(this.issuer, resource) : undefined;
    if (!target) throw noSuchTarget();
    return target;
  }
}

/** What a request is told that names no resource of the issuer, or several. */
export function noSuchTarget(): errors.InvalidTarget {
  return new errors.InvalidTarget('resource must be the URL of one MCP server of this issuer');
}

/** People of a tenant's own provider are good there alone, and never at what is the platform's own; where passwords are off, nobody else is. */
export function accountFits(account: Account, target: Pick<ProtectedResource, 'tenantId' | 'policy'>): boolean {
  return account.tenantId === null ? target.policy.passwordSignIn : account.tenantId === target.tenantId;
}

/** What a role may grant; a role that the resource does not name may only connect. */
export function scopesOfRole(
  role: string,
  { policy, scopes }: Pick<ProtectedResource, 'policy' | 'scopes'>,
): readonly string[] {
  const may = new Set(Object.hasOwn(policy.roles, role) ? policy.roles[role] : []);
  return scopes.filter((scope) => scope === CONNECT_SCOPE || may.has(EVERY_SCOPE) || isCovered(may, scope));
}
