import { timingSafeEqual } from 'node:crypto';

/** Whether a text that was shown is the secret one, in a time that tells nothing of it but its length. */
export function equalTexts(shown: string, secret: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
