import type { AdminScope } from '../access/admin-scopes.js';
import type { PageTerms } from './page.js';

/** A key to the admin API as it is kept: never the key. */
export interface AdminKeyRow {
  readonly id: string;
  /** Null when it is no tenant's. */
  readonly tenantId: string | null;
  /** The slug of its tenant. */
  readonly tenant: string | null;
  /** Whose sign-in made it. */
  readonly accountId: string | null;
  readonly name: string;
  readonly scopes: readonly AdminScope[];
  /** The actor that made it. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly usedAt: Date | null;
}

export type NewAdminKey = Pick<
  AdminKeyRow,
  'tenantId' | 'accountId' | 'name' | 'scopes' | 'createdBy' | 'expiresAt'
> & {
  /** base64url of the key's SHA-256. */
  readonly hash: string;
};

/** What the account behind a key may do now. */
export interface KeyAccount {
  readonly operator: boolean;
  readonly active: boolean;
  /** By tenant. */
  readonly roles: readonly { readonly tenantId: string; readonly role: string }[];
}

/** Keys to the admin API. */
export interface AdminKeyRows {
  create(key: NewAdminKey): Promise<AdminKeyRow>;

  /** The key with this hash, revoked and expired ones too, and the account that it is of. */
  findByHash(
    hash: string,
  ): Promise<{ readonly key: AdminKeyRow; readonly account: KeyAccount | undefined } | undefined>;

  find(id: string): Promise<AdminKeyRow | undefined>;

  /** Those that still are good, the newest first. @param tenantIds only of these tenants; all keys when undefined */
  list(tenantIds: readonly string[] | undefined, page: PageTerms): Promise<readonly AdminKeyRow[]>;

  /** Keys that still are good. */
  count(tenantId: string | null): Promise<number>;

  revoke(id: string): Promise<void>;

  /** Notes that it was used, if that was not noted within the last minute. */
  markUsed(id: string): Promise<void>;
}
