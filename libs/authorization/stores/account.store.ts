import type { Revocation } from '#access/revocation.store.js';

export type AccountStatus = 'active' | 'disabled';

/** A person. */
export interface Account {
  readonly id: string;
  /** Set for people who come by a tenant's own provider: they exist in that tenant alone. */
  readonly tenantId: string | null;
  /** The e-mail address to sign in with, in lower case; null where there is no password sign-in. */
  readonly login: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly status: AccountStatus;
}

/** An account as a member of a tenant. */
export interface Member {
  readonly account: Account;
  readonly role: string;
}

/** What a person is called by who knows them: the address that they sign in with, or what their provider said. */
export function labelOf({ login, email, name }: Account): string {
  return login ?? email ?? name;
}

/** What a person may administer. */
export interface AdminRights {
  /** The whole platform. */
  readonly operator: boolean;
  /** The tenants in which the person is an admin (`ADMIN_ROLES`). */
  readonly tenantIds: readonly string[];
}

export interface NewAccount {
  /** Is put into lower case. */
  readonly login: string;
  readonly name: string;
  readonly passwordHash: string;
  /** Whether the person runs the platform; not unless it is said. */
  readonly operator?: boolean;
}

/** Who somebody is at a tenant's own OpenID provider. */
export interface UpstreamIdentity {
  readonly tenantId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email: string | null;
}

/** Thrown by `create` when somebody signs in with this address already. */
export class LoginTakenError extends Error {
  constructor() {
    super('An account with this e-mail address exists already.');
    this.name = 'LoginTakenError';
  }
}

/** Thrown by `setMembership` when there is no such account, or it exists in another tenant alone. */
export class UnknownAccountError extends Error {
  constructor() {
    super('There is no such account.');
    this.name = 'UnknownAccountError';
  }
}

/** People, and what they are in which tenant. */
export abstract class AccountStore {
  /** @throws LoginTakenError */
  abstract create(account: NewAccount): Promise<Account>;

  abstract find(id: string): Promise<Account | undefined>;

  /** @param login in any case */
  abstract findByLogin(login: string): Promise<Account | undefined>;

  /** The newest first; 1,000 at most. */
  abstract list(): Promise<readonly Account[]>;

  /**
   * The account of an upstream identity, made at the first time, with a membership when a role is given. Parallel first
   * times make one account. Later times change no membership: who was removed stays so, and who got another role keeps
   * it. Name and e-mail follow the provider.
   */
  abstract findOrCreateUpstream(identity: UpstreamIdentity, newcomerRole: string | undefined): Promise<Account>;

  /** The members of a tenant, disabled accounts too, the latest first; 1,000 at most. */
  abstract membersOf(tenantId: string): Promise<readonly Member[]>;

  /** Undefined when the account is no member. */
  abstract roleIn(tenantId: string, accountId: string): Promise<string | undefined>;

  /** What an active account of the platform may administer now; undefined when there is no such account. */
  abstract adminRights(accountId: string): Promise<AdminRights | undefined>;

  /** Makes a member, or changes the role. @throws UnknownAccountError */
  abstract setMembership(tenantId: string, accountId: string, role: string): Promise<void>;

  /**
   * Ends a membership and revokes the account's grants in the tenant, in one transaction (as `GrantStore.revoke` does).
   * @returns the revocations written, for the caller to announce; empty when there was nothing to revoke
   */
  abstract removeMembership(tenantId: string, accountId: string): Promise<readonly Revocation[]>;

  /** Makes the account an operator if there is none yet; returns whether it did. */
  abstract makeFirstOperator(accountId: string): Promise<boolean>;

  /** Makes the account an operator, or ends that; returns false for one of a tenant's own sign-in, which cannot be one. */
  abstract setOperator(accountId: string, operator: boolean): Promise<boolean>;

  abstract setPassword(accountId: string, passwordHash: string): Promise<void>;

  /**
   * Disables or enables; disabling revokes all grants of the account and ends its sessions, in one transaction.
   * @returns the revocations written, for the caller to announce; empty when there was nothing to revoke
   */
  abstract setStatus(accountId: string, status: AccountStatus): Promise<readonly Revocation[]>;

  /** True while there is no account at all: the moment for the owner's. */
  abstract isEmpty(): Promise<boolean>;
}
