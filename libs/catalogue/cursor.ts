import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PurposeKey } from '#protocol/key-ring.js';
import type { ListKind } from './entries.js';

const MAC_BYTES = 16;
const MAX_CURSOR_LENGTH = 16_384;

/**
 * Cursors: where a page ended, by the key of its last entry, so that they stay good while entries come and go. Opaque
 * and tamper-evident: each is bound to its tenant and list by a MAC (specification: server/utilities/pagination).
 */
export class CursorCodec {
  constructor(private readonly keys: readonly [PurposeKey, ...PurposeKey[]]) {}

  seal(tenantId: string, kind: ListKind, lastKey: string): string {
    const payload = Buffer.from(lastKey);
    return Buffer.concat([this.mac(this.keys[0], tenantId, kind, payload), payload]).toString('base64url');
  }

  /** The last key of the page before, or undefined when the cursor is not one of ours for this list. */
  open(tenantId: string, kind: ListKind, cursor: string): string | undefined {
    if (cursor.length > MAX_CURSOR_LENGTH) return undefined;
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length < MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
    const payload = bytes.subarray(MAC_BYTES);
    const given = bytes.subarray(0, MAC_BYTES);
    const good = this.keys.some((key) => timingSafeEqual(given, this.mac(key, tenantId, kind, payload)));
    return good ? payload.toString() : undefined;
  }

  private mac({ key }: PurposeKey, tenantId: string, kind: ListKind, payload: Buffer): Buffer {
    return createHmac('sha256', key).update(`${tenantId}\n${kind}\n`).update(payload).digest().subarray(0, MAC_BYTES);
  }
}
