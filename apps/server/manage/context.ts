import { StaticTokens } from '#access/static-tokens.js';
import type { StaticTokenStore } from '#access/static-token.store.js';
import type { Passwords } from '#authorization/accounts/passwords.js';
import type { Account, AccountStore } from '#authorization/stores/account.store.js';
import type { ClientStore } from '#authorization/stores/client.store.js';
import type { KeyRing } from '#protocol/key-ring.js';
import type { TenantRecord, TenantStore } from '#tenancy/tenant.store.js';

/** What the commands work on. */
export interface ManageContext {
  readonly tenants: TenantStore;
  readonly accounts: AccountStore;
  readonly clients: ClientStore;
  readonly tokens: StaticTokenStore;
  readonly passwords: Passwords;
  readonly keys: KeyRing;
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
export async function tenantOf({ tenants }: ManageContext, slug: string | undefined): Promise<TenantRecord> {
  const tenant = await tenants.findBySlug(slug ?? '');
  if (tenant) return tenant;
  throw new ManageError(`There is no tenant "${slug ?? ''}".`);
}

/** @throws ManageError */
export async function accountOf({ accounts }: ManageContext, email: string | undefined): Promise<Account> {
  const account = await accounts.findByLogin(email ?? '');
  if (account) return account;
  throw new ManageError(`There is no account for "${email ?? ''}". Add it: account add ${email ?? 'EMAIL'}`);
}
