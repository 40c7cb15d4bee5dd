import { createPublicKey, type KeyObject } from 'node:crypto';
import { isJsonObject } from '#protocol/json.js';

/** A public key and what its issuer says that it is for. */
export interface PublicKey {
  readonly key: KeyObject;
  /** Undefined when it is for every algorithm of its type. */
  readonly alg: string | undefined;
}

const MAX_KEYS = 100;
const MIN_RSA_BITS = 2_048;

/**
 * The keys of a JWK set (RFC 7517) that can verify signatures, by id. Others are left out: secrets, keys for encryption,
 * weak ones, and those without an id.
 */
export function readKeySet(set: Readonly<Record<string, unknown>>): ReadonlyMap<string, PublicKey> {
  const { keys } = set;
  if (!Array.isArray(keys)) throw new Error('The key set has no array of keys.');
  return new Map(keys.slice(0, MAX_KEYS).flatMap((jwk: unknown) => (isJsonObject(jwk) ? readKey(jwk) : [])));
}

function readKey(jwk: Readonly<Record<string, unknown>>): readonly (readonly [string, PublicKey])[] {
  const { kid, alg, use, kty } = jwk;
  if (typeof kid !== 'string' || (kty !== 'RSA' && kty !== 'EC')) return [];
  if ((use !== undefined && use !== 'sig') || (alg !== undefined && typeof alg !== 'string')) return [];
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    if (kty === 'RSA' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS) return [];
    return [[kid, { key, alg }]];
  } catch {
    return [];
  }
}
