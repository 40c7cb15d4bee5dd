import { createHmac } from 'node:crypto';
import { equalTexts } from '#protocol/equal-texts.js';

/** How far the sender's clock, and the way here, may be off, in seconds. */
const TOLERANCE_S = 300;
const MAX_SIGNATURES = 16;
const ID = /^[\x21-\x7e]{1,256}$/;

/** What a signed message says of itself, not verified yet. */
export interface WebhookFields {
  readonly id: string;
  /** Seconds since the epoch, as it was sent: the signature covers the text. */
  readonly timestamp: string;
  readonly signatures: readonly string[];
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads the header fields of a signed message (Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`).
 * A text says what is wrong with them.
 * @param headers by name in lower case
 * @param now in milliseconds since the epoch
 */
export function readWebhookFields(headers: Headers, now: number): WebhookFields | string {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  );
  if (typeof id !== 'string' || !ID.test(id)) return 'webhook-id is missing or malformed.';
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp))
    return 'webhook-timestamp is missing or malformed.';
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_S)
    return 'webhook-timestamp is more than five minutes off. Set the clock, and sign each try anew.';
  if (typeof signature !== 'string') return 'webhook-signature is missing.';
  return { id, timestamp, signatures: signature.split(' ').slice(0, MAX_SIGNATURES) };
}

/**
 * Whether one of the signatures was made with this secret: `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`.
 * @param secret base64 behind `whsec_`, as the scheme writes secrets; any other is taken as the bytes of its text
 */
export function isSignedWith(secret: string, { id, timestamp, signatures }: WebhookFields, body: Uint8Array): boolean {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  if (key.byteLength === 0) return false;
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.some((signature) => equalTexts(signature, `v1,${mac}`));
}
