import type { JsonObject } from '#protocol/json.js';

/** What the authorization server remembers under an id: a session, an interaction, a code, a refresh token. */
export interface NewRecord {
  readonly issuer: string;
  /** The provider's model, such as `RefreshToken`. */
  readonly kind: string;
  /** base64url of the id's SHA-256; who reads the table cannot use what is in it. */
  readonly idHash: string;
  readonly payload: JsonObject;
  readonly grantId: string | null;
  readonly accountId: string | null;
  readonly userCodeHash: string | null;
  readonly uidHash: string | null;
  readonly expiresAt: Date;
}

export interface RecordRow {
  readonly payload: JsonObject;
  /** When it was used up, by the database's clock; null when it was not. */
  readonly consumedAt: Date | null;
  /** How long ago that was, in milliseconds, by the database's clock. */
  readonly consumedMsAgo: number | null;
}

export type RecordKey = Pick<NewRecord, 'issuer' | 'kind' | 'idHash'>;

/** Records of the authorization server. Expired ones are not found. */
export abstract class RecordStore {
  /** Makes the record or replaces it, whether consumed or not; what was consumed stays so. */
  abstract save(record: NewRecord): Promise<void>;

  abstract find(key: RecordKey): Promise<RecordRow | undefined>;

  abstract findByUserCode(issuer: string, userCodeHash: string): Promise<RecordRow | undefined>;

  abstract findByUid(issuer: string, uidHash: string): Promise<RecordRow | undefined>;

  /**
   * Uses the record up, atomically: of any number of callers on any nodes one gets true. With a grace, those who come
   * within so many milliseconds of the first get true as well.
   */
  abstract consume(key: RecordKey, graceMs: number): Promise<boolean>;

  abstract remove(key: RecordKey): Promise<void>;

  /** Deletes the records of one kind that name the grant. */
  abstract removeOfGrant(issuer: string, kind: string, grantId: string): Promise<void>;

  /** Deletes up to 1,000 that expired before this; returns how many. */
  abstract sweep(before: Date): Promise<number>;
}
