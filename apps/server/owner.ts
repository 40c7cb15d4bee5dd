import { makeUpPassword, type Passwords } from '#authorization/accounts/passwords.js';
import { type Account, type AccountStore, LoginTakenError } from '#authorization/stores/account.store.js';
import type { TenantStore } from '#tenancy/tenant.store.js';

export interface OwnerParts {
  readonly accounts: AccountStore;
  readonly tenants: TenantStore;
  readonly passwords: Passwords;
  /** Told when there are accounts, and none with this address: it counts at the first start only. */
  onUnknown(): void;
}

export interface OwnerSettings {
  readonly email: string;
  /** Undefined to have one made. */
  readonly password: string | undefined;
  /** The tenants to own. */
  readonly slugs: readonly string[];
}

/**
 * Makes the owner's account when there is no account yet. Returns the password when one was made up, to be shown this
 * once: it is kept as a hash. The owner is an operator. A password from the settings is the owner's from then on, also when it is another than
 * before: so who runs the platform gets in again.
 */
export async function ensureOwner(parts: OwnerParts, settings: OwnerSettings): Promise<string | undefined> {
  if (await parts.accounts.isEmpty()) return create(parts, settings);
  const owner = await parts.accounts.findByLogin(settings.email);
  if (!owner) {
    parts.onUnknown();
    return undefined;
  }
  await parts.accounts.makeFirstOperator(owner.id); // an older version knew no operators
  if (settings.password !== undefined) await restorePassword(parts, owner, settings.password);
  return undefined;
}

async function create(
  { accounts, tenants, passwords }: OwnerParts,
  settings: OwnerSettings,
): Promise<string | undefined> {
  const password = settings.password ?? makeUpPassword();
  const passwordHash = await passwords.hash(password);
  try {
    const { id } = await accounts.create({ login: settings.email, name: 'Owner', passwordHash, operator: true });
    for (const slug of settings.slugs) {
      const tenant = await tenants.findBySlug(slug);
      if (tenant) await accounts.setMembership(tenant.id, id, 'owner');
    }
    return settings.password === undefined ? password : undefined;
  } catch (error) {
    if (error instanceof LoginTakenError) return undefined; // another node was first, and showed its password
    throw error;
  }
}

async function restorePassword({ accounts, passwords }: OwnerParts, owner: Account, password: string): Promise<void> {
  if (await passwords.verify(password, owner.passwordHash)) return;
  await accounts.setPassword(owner.id, await passwords.hash(password));
}
