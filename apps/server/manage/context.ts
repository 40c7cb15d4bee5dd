import type { AdminStore } from '#admin/stores/admin.store.js';
import { StaticTokens } from '#access/static-tokens.js';
import type { StaticTokenStore } from '#access/static-token.store.js';
import type { Passwords } from '#authorization/accounts/passwords.js';
import type { Account, AccountStore } from '#authorization/stores/account.store.js';
import type { ClientStore } from '#authorization/stores/client.store.js';
import type { GrantStore } from '#authorization/stores/grant.store.js';
import type { KeyRing } from '#protocol/key-ring.js';
import type { TenantRecord, TenantStore } from '#tenancy/tenant.store.js';

/** What the commands work on. */
export interface ManageContext {
  readonly tenants: TenantStore;
  readonly accounts: AccountStore;
  readonly clients: ClientStore;
  readonly grants: GrantStore;
  readonly tokens: StaticTokenStore;
  readonly admin: AdminStore;
  readonly passwords: Passwords;
  readonly keys: KeyRing;
  /** The URL of a tenant's MCP endpoint. */
  urlOf(slug: string): string;
  /** Where files named by arguments are read from. */
  readFile(path: string): Promise<string>;
}

/** What was asked for cannot be done; the message says why, and what to do. */
export class ManageError extends Error {}

/** Told to nobody at once: a server that runs finds revocations in the database within ten seconds. */
export function staticTokensOf({ tokens }: ManageContext): StaticTokens {
  return new StaticTokens(tokens, () => Promise.resolve());
}

/** @throws ManageError */
export async function tenantOf({ tenants }: ManageContext, slug = ''): Promise<TenantRecord> {
  const tenant = await tenants.findBySlug(slug);
  if (tenant) return tenant;
  throw new ManageError(`There is no tenant "${slug}". Those that there are: tenant list`);
}

/** @param who the e-mail address, or the id for people of a tenant's own provider @throws ManageError */
export async function accountOf({ accounts }: ManageContext, who = ''): Promise<Account> {
  const account = (await accounts.findByLogin(who)) ?? (await accounts.find(who));
  if (account) return account;
  throw new ManageError(`There is no account for "${who}". Add it: account add ${who}`);
}

/** "1 grant has ended", "2 grants have ended". */
export function grantsEnded({ length }: readonly unknown[]): string {
  if (length === 0) return 'no grant had to end';
  return length === 1 ? '1 grant has ended' : `${length} grants have ended`;
}
