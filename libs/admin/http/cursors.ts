import type { KeyRing } from '#protocol/key-ring.js';
import { openText, sealText } from '#protocol/sealed-text.js';
import { Problem } from './problem.js';

const MAX_LENGTH = 2_048;

/** Seals where a page ended into cursors; each is good for its list alone. */
export class Cursors {
  private readonly keys;

  constructor(keys: KeyRing) {
    this.keys = keys.derive('admin cursor');
  }

  /** @param list which list of which tenant */
  seal(list: string, lastKey: string): string {
    return sealText(this.keys, lastKey, list);
  }

  /** @throws Problem `invalid_request` */
  open(list: string, cursor: string): string {
    const key = cursor.length > MAX_LENGTH ? undefined : openText(this.keys, cursor, list);
    if (key !== undefined) return key;
    throw new Problem('invalid_request', 'The cursor is none of this list: begin without one.', {
      errors: [{ parameter: 'cursor', detail: 'must be `next` of the page before' }],
    });
  }
}
