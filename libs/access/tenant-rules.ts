import type { TenantRecord } from '#tenancy/tenant.store.js';
import { type Caller, type Grant, grantOf } from './caller.js';
import { withImplied } from './scope-rules.js';

/** What access needs to know of a tenant. */
export type GuardedTenant = Pick<TenantRecord, 'id' | 'access' | 'accessPolicy'>;

/** How many sets of scopes of one tenant are kept with what they permit. */
const MAX_SETS = 1_000;

interface GrantedScopes {
  readonly scopes: ReadonlySet<string>;
  readonly grant: Grant;
}

/** What of a tenant at one revision decides who may do what. */
export class TenantRules {
  /** Equal where the same tokens are good. */
  readonly tokens: string;
  /** Equal where the same scopes permit the same. */
  readonly implications: string;
  private readonly granted = new Map<string, GrantedScopes>();

  constructor(private readonly tenant: GuardedTenant) {
    const { access, accessPolicy } = tenant;
    this.tokens = JSON.stringify([access, accessPolicy.externalIssuer]);
    this.implications = JSON.stringify(accessPolicy.scopes.map(({ name, implies }) => [name, implies]));
  }

  /** What these scopes permit here; the same object for the same scopes. */
  grant(held: ReadonlySet<string>): GrantedScopes {
    const key = [...held].sort().join(' ');
    const known = this.granted.get(key);
    if (known) return known;
    const scopes = withImplied(held, this.tenant.accessPolicy.scopes);
    const granted = { scopes, grant: grantOf(scopes) };
    if (this.granted.size >= MAX_SETS) this.granted.clear();
    this.granted.set(key, granted);
    return granted;
  }
}

const known = new WeakMap<GuardedTenant, TenantRules>();

/** The rules of a tenant's record, made once for each. */
export function rulesOf(tenant: GuardedTenant): TenantRules {
  let rules = known.get(tenant);
  if (!rules) {
    rules = new TenantRules(tenant);
    known.set(tenant, rules);
  }
  return rules;
}

/**
 * The caller under the rules that the tenant has now; the same object when nothing has changed. Undefined when the tenant
 * does not let them in any more by what they showed.
 */
export function renewCaller(caller: Caller, tenant: GuardedTenant): Caller | undefined {
  const { token, principal } = caller;
  if (!token) return tenant.access === 'open' ? caller : undefined;
  const rules = rulesOf(tenant);
  if (token.rules === rules) return caller;
  if (token.rules.tokens !== rules.tokens) return undefined;
  const renewed = { ...token, rules };
  if (token.rules.implications === rules.implications) return { ...caller, token: renewed };
  const { scopes, grant } = rules.grant(token.scopes);
  return { principal: { ...principal, scopes }, grant, token: renewed };
}
