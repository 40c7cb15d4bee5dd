import type { AdminScope } from './admin-scopes.js';

/** Who calls the admin API, and what they may do where. */
export interface AdminCaller {
  /** Who history and answers to repeated requests belong to, such as `key:ID` or `account:ID`. */
  readonly actor: string;
  /** What people call it. */
  readonly name: string;
  /** An operator's scopes: for the platform and for every tenant. Undefined for all others. */
  readonly everywhere: readonly AdminScope[] | undefined;
  /** The scopes of tenants' admins, by the tenant's id. A tenant that is not in it does not exist for the caller. */
  readonly tenants: ReadonlyMap<string, readonly AdminScope[]>;
}

/** What the caller may do in a tenant; undefined when the tenant does not exist for them. */
export function scopesIn(caller: AdminCaller, tenantId: string): readonly AdminScope[] | undefined {
  return caller.everywhere ?? caller.tenants.get(tenantId);
}
