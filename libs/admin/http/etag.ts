import { hash } from 'node:crypto';

const LENGTH = 22;

/**
 * The strong entity tag of a representation. Its first part stands for what is kept, which is what `If-Match` is about;
 * the second, after a full stop, for what goes with it and changes by itself, such as whether a source works.
 */
export function etagOf(kept: object, live?: object): string {
  return live === undefined ? `"${digest(kept)}"` : `"${digest(kept)}.${digest(live)}"`;
}

function digest(value: object): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, LENGTH);
}
