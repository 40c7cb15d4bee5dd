import type { Revocation } from '#access/revocation.store.js';
import type { JsonObject } from '#protocol/json.js';

/** An OAuth client as it is kept: client id documents are not, their hosts keep them. */
export interface ClientRecord {
  readonly id: string;
  /** The issuer with which it registered itself; null for those that an admin registered. */
  readonly issuer: string | null;
  /** The tenant whose admin registered it; null for those that registered themselves. */
  readonly tenantId: string | null;
  /** Client metadata (RFC 7591 section 2) without secrets. */
  readonly metadata: JsonObject;
  /** base64url of the secret's SHA-256. */
  readonly secretHash: string | null;
  readonly createdAt: Date;
  /** When somebody first agreed to what it asked for. */
  readonly usedAt: Date | null;
}

export type NewClient = Pick<ClientRecord, 'id' | 'issuer' | 'tenantId' | 'metadata' | 'secretHash'>;

/** Registered clients. */
export abstract class ClientStore {
  /** Makes the client, or replaces metadata and secret of the one with this id and the same issuer and tenant. */
  abstract save(client: NewClient): Promise<void>;

  abstract find(id: string): Promise<ClientRecord | undefined>;

  /** The clients of a tenant, the newest first; 1,000 at most. */
  abstract listOfTenant(tenantId: string): Promise<readonly ClientRecord[]>;

  /** Notes that somebody agreed to what it asked for; the first time counts. */
  abstract markUsed(id: string): Promise<void>;

  /**
   * Deletes it with its grants and refresh tokens, and writes revocations for the grants and, for a tenant's client, for
   * `client:ID`, in one transaction.
   * @returns the revocations written, for the caller to announce; empty when there was nothing to revoke
   */
  abstract remove(id: string): Promise<readonly Revocation[]>;

  /** Deletes up to 1,000 that registered themselves before this and were never used; returns how many. */
  abstract sweepUnused(before: Date): Promise<number>;
}
