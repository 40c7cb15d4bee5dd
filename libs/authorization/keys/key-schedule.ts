import type { SigningAlgorithm, SigningKeyRecord } from '../stores/signing-key.store.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Access tokens are signed with the first, ID tokens with either, as the client registered. */
export const ALGORITHMS = ['ES256', 'RS256'] as const satisfies readonly SigningAlgorithm[];

/** How old the newest key of an algorithm may become before the next is made. */
export const KEY_LIFE_MS = 90 * DAY;
/** So long a new key is published before it signs, so that whoever caches the key set has it by then. */
export const PUBLISHED_BEFORE_MS = 1 * DAY;
/** So long a key that signs no more stays published: longer than anything that it signed is good for. */
export const KEPT_AFTER_MS = 7 * DAY;

export interface KeyPlan {
  /** The keys to publish; of each algorithm the one that signs stands first. */
  readonly published: readonly SigningKeyRecord[];
  /** Algorithms that need a new key. */
  readonly missing: readonly SigningAlgorithm[];
  /** Keys that nothing good is signed with any more. */
  readonly spent: readonly SigningKeyRecord[];
}

/** What is to be done with the keys at this moment. @param keys the oldest first @param now milliseconds since the epoch */
export function planKeys(keys: readonly SigningKeyRecord[], now: number): KeyPlan {
  const plans = ALGORITHMS.map((algorithm) => planOne(algorithm, newestFirst(keys, algorithm), now));
  return {
    published: plans.flatMap((plan) => plan.published),
    missing: plans.flatMap((plan) => plan.missing),
    spent: plans.flatMap((plan) => plan.spent),
  };
}

function newestFirst(keys: readonly SigningKeyRecord[], algorithm: SigningAlgorithm): readonly SigningKeyRecord[] {
  return keys
    .filter((key) => key.algorithm === algorithm)
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

function planOne(algorithm: SigningAlgorithm, keys: readonly SigningKeyRecord[], now: number): KeyPlan {
  const ageOf = (key: SigningKeyRecord): number => now - key.createdAt.getTime();
  const [newest] = keys;
  const signer = keys.find((key) => ageOf(key) >= PUBLISHED_BEFORE_MS) ?? keys.at(-1);
  const retiredSince = signer ? ageOf(signer) - PUBLISHED_BEFORE_MS : 0;
  const older = keys.filter((key) => signer && ageOf(key) > ageOf(signer));
  const spent = retiredSince > KEPT_AFTER_MS ? older : [];
  const others = keys.filter((key) => key !== signer && !spent.includes(key));
  return {
    published: signer ? [signer, ...others] : [],
    missing: !newest || ageOf(newest) >= KEY_LIFE_MS ? [algorithm] : [],
    spent,
  };
}
