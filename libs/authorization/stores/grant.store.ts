import type { Revocation } from '#access/revocation.store.js';
import type { JsonObject } from '#protocol/json.js';

/** What identifies a grant: there is one for each of these. */
export interface GrantKey {
  readonly issuer: string;
  readonly accountId: string;
  readonly clientId: string;
  /** The resource identifier. */
  readonly resource: string;
}

/** What an account allowed a client to do at one resource. The id goes into tokens as the claim `grant`. */
export interface GrantRecord extends GrantKey {
  readonly id: string;
  /** Null when the resource is the platform's own. */
  readonly tenantId: string | null;
  /** As the provider wrote it. */
  readonly payload: JsonObject;
  readonly expiresAt: Date;
}

/** Thrown by `save` when another grant for the same key came first. */
export class GrantExistsError extends Error {
  constructor() {
    super('There is a grant for this account, client and resource already.');
    this.name = 'GrantExistsError';
  }
}

/** Thrown by `save` when the grant was revoked meanwhile: tokens of its id are refused, so it must not come back. */
export class GrantEndedError extends Error {
  constructor() {
    super('The grant was revoked.');
    this.name = 'GrantEndedError';
  }
}

/** Grants. */
export abstract class GrantStore {
  /**
   * Makes the grant, or replaces payload and expiry of the one with this id.
   * @throws GrantExistsError, GrantEndedError
   */
  abstract save(grant: GrantRecord): Promise<void>;

  /** Undefined when there is none at this issuer, or it has expired. */
  abstract find(issuer: string, id: string): Promise<GrantRecord | undefined>;

  /** Undefined when there is none, or it has expired. */
  abstract findByKey(key: GrantKey): Promise<GrantRecord | undefined>;

  /** The grants of a tenant that have not expired, the newest first; 1,000 at most. */
  abstract listOfTenant(tenantId: string): Promise<readonly GrantRecord[]>;

  /**
   * Ends a grant: its row and the records that name it go, and a revocation with its id stands for `REVOCATION_LIFE_MS`, so
   * that access tokens of it are refused. All in one transaction. Of a grant for the platform's own resource there is no
   * revocation: who takes its tokens looks for the grant each time.
   * @returns the revocation written, for the caller to announce; empty when there was no grant, or none of a tenant
   */
  abstract revoke(issuer: string, id: string): Promise<readonly Revocation[]>;

  /** Deletes up to 1,000 expired ones; returns how many. */
  abstract sweep(before: Date): Promise<number>;
}

/** How long access tokens live, in seconds. Revocations of their grants are kept for longer. */
export const ACCESS_TOKEN_LIFE_S = 600;
/** How long a revocation stands, in milliseconds: longer than the longest access token with every clock's error. */
export const REVOCATION_LIFE_MS = 2 * 3_600_000;
