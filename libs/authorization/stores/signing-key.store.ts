export type SigningAlgorithm = 'ES256' | 'RS256';

/** A key that signs tokens. */
export interface SigningKeyRecord {
  /** The `kid`. */
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  /** The private JWK, sealed with the platform's secret key. */
  readonly sealed: string;
  readonly createdAt: Date;
}

/** Keys of the platform, shared by all nodes. */
export abstract class SigningKeyStore {
  /** All keys, the oldest first. */
  abstract all(): Promise<readonly SigningKeyRecord[]>;

  /**
   * Adds a key unless one of its algorithm was made after `since`: of several nodes that find one missing, one adds it.
   * True when it was added. Runs under an advisory lock or as one statement that cannot run twice at once.
   */
  abstract addUnlessNewer(key: Omit<SigningKeyRecord, 'createdAt'>, since: Date): Promise<boolean>;

  /** Replaces what a key is sealed with. */
  abstract reseal(id: string, sealed: string): Promise<void>;

  abstract remove(id: string): Promise<void>;
}
