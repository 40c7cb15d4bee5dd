import { createHash, hkdfSync } from 'node:crypto';

/** A key for one purpose, and the id by which sealed data names it. */
export interface PurposeKey {
  /** 8 hex digits; says nothing about the key. */
  readonly id: string;
  readonly key: Buffer;
}

/**
 * The platform's secret keys. The first seals, all of them open, so that a key is rotated by putting a new one in
 * front and dropping the old one when nothing sealed with it is left. Each purpose gets keys of its own (RFC 5869).
 */
export class KeyRing {
  /** @param secrets at least one, each of 32 bytes or more */
  constructor(private readonly secrets: readonly Buffer[]) {
    if (secrets.length === 0 || secrets.some((secret) => secret.length < 32)) {
      throw new Error('A key ring takes secrets of at least 32 bytes, one or more.');
    }
  }

  /** 32-byte keys for a purpose, the sealing one first. */
  derive(purpose: string): readonly [PurposeKey, ...PurposeKey[]] {
    const [first, ...rest] = this.secrets.map((secret) => ({
      id: createHash('sha256').update('causeway key id').update(secret).digest('hex').slice(0, 8),
      key: Buffer.from(hkdfSync('sha256', secret, 'causeway', purpose, 32)),
    }));
    return [first as PurposeKey, ...rest];
  }
}
