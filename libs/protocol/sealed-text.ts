import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { PurposeKey } from './key-ring.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `key id "." base64url(iv, ciphertext, tag)`. */
const FORMAT = /^([0-9a-f]{8})\.([A-Za-z0-9_-]{40,})$/;

type Keys = readonly [PurposeKey, ...PurposeKey[]];

/**
 * Seals a text (AES-256-GCM) with the first key. What it is bound to is authenticated with it, so that it does not open
 * anywhere else.
 */
export function sealText([{ id, key }]: Keys, text: string, binding: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding));
  const sealed = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `${id}.${sealed.toString('base64url')}`;
}

/** The text, or undefined for what was not sealed with one of the keys for this binding. */
export function openText(keys: Keys, sealed: string, binding: string): string | undefined {
  const [, id, body = ''] = FORMAT.exec(sealed) ?? [];
  const key = keys.find((candidate) => candidate.id === id)?.key;
  const bytes = Buffer.from(body, 'base64url');
  if (!key || bytes.toString('base64url') !== body) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(binding))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
