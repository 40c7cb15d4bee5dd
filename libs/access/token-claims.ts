/** The payload of a token whose signature is good. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** How far clocks may be apart, in seconds. */
export const CLOCK_TOLERANCE_S = 30;

const MAX_LENGTH = 512;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/;
const MAX_SCOPES = 1_000;

/** Whether a claim is text that can name somebody: a string of 1 to 512 characters, none of them for control. */
export function isName(claim: unknown): claim is string {
  return typeof claim === 'string' && claim.length <= MAX_LENGTH && /^[^\p{Cc}\p{Cs}]+$/u.test(claim);
}

/** A name that a principal of a token can have; those of principals without one are taken. */
export function isSubject(claim: unknown): claim is string {
  return isName(claim) && claim !== 'anonymous' && !claim.startsWith('token:');
}

/** When a token expires, tolerance included, in milliseconds since the epoch; undefined when the claim is no NumericDate. */
export function expiryOf(claim: unknown): number | undefined {
  return typeof claim === 'number' && Number.isFinite(claim) ? (claim + CLOCK_TOLERANCE_S) * 1_000 : undefined;
}

/** The scopes in a claim: words with spaces between them, or an array of words. Undefined when it is neither. */
export function scopesIn(claim: unknown): readonly string[] | undefined {
  const words: readonly unknown[] | undefined =
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : undefined;
  if (!words || words.length > MAX_SCOPES || !words.every((word) => typeof word === 'string')) return undefined;
  return words.filter((word) => SCOPE.test(word));
}
