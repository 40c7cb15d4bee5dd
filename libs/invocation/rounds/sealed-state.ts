import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { PurposeKey } from '#protocol/key-ring.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `key id "." base64url(iv, ciphertext, tag)`; ours are far shorter. */
const FORMAT = /^([0-9a-f]{8})\.([A-Za-z0-9_-]{40,400})$/;

export interface Handle {
  readonly roundId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Seals the handle to a round into the `requestState` that a client carries (AES-256-GCM). What the state is bound to
 * (tenant, principal, method, name, arguments) is authenticated with it, so that state presented with anything else does
 * not open (specification: basic/patterns/mrtr, "Server Requirements").
 */
export class StateSealer {
  constructor(private readonly keys: readonly [PurposeKey, ...PurposeKey[]]) {}

  seal(handle: Handle, binding: string): string {
    const [{ id, key }] = this.keys;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding));
    const sealed = Buffer.concat([
      iv,
      cipher.update(`${handle.expiresAt} ${handle.roundId}`),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${id}.${sealed.toString('base64url')}`;
  }

  /** The handle, or undefined for state that is not ours, not for this binding, or expired. */
  open(state: string, binding: string): Handle | undefined {
    const [, id, body = ''] = FORMAT.exec(state) ?? [];
    const key = this.keys.find((candidate) => candidate.id === id)?.key;
    const bytes = Buffer.from(body, 'base64url');
    if (!key || bytes.toString('base64url') !== body) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(binding))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
      const [expiresAt = '', roundId = ''] = text.split(' ');
      return Number(expiresAt) > Date.now() ? { roundId, expiresAt: Number(expiresAt) } : undefined;
    } catch {
      return undefined;
    }
  }
}
