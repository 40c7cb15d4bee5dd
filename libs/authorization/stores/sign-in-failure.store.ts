/** Counts failed sign-ins, over all nodes. Keys are hashes of what they count for. */
export abstract class SignInFailureStore {
  /** Counts one failure for each key, and returns the new counts. A window begins with its first failure. */
  abstract add(keys: readonly string[], windowMs: number): Promise<readonly number[]>;

  /** Takes one back from each key, as if it had not been counted. */
  abstract takeBack(keys: readonly string[]): Promise<void>;

  /** Forgets the failures of a key. */
  abstract clear(key: string): Promise<void>;

  /** Deletes up to 1,000 whose window has ended; returns how many. */
  abstract sweep(before: Date): Promise<number>;
}
