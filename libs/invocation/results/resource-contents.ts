import type { ResourceContents } from '#protocol/content.js';
import { isJsonObject } from '#protocol/json.js';
import { ResultError } from '../fault.js';
import { base64 } from '#protocol/base64.js';

/**
 * The contents of a resource from what its handler returned: a string is text, bytes are a blob, contents are contents,
 * one or several (specification: server/resources, "Reading Resources").
 * @throws ResultError for anything else, and for no contents at all, which would not tell "empty" from "absent"
 */
export function toResourceContents(
  returned: unknown,
  uri: string,
  mimeType: string | undefined,
): readonly ResourceContents[] {
  const type = mimeType === undefined ? {} : { mimeType };
  if (typeof returned === 'string') return [{ uri, ...type, text: returned }];
  if (returned instanceof Uint8Array) return [{ uri, ...type, blob: base64(returned) }];
  const contents: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
  if (contents.length > 0 && contents.every(isContents)) return contents;
  throw new ResultError(
    'A resource handler returns text, bytes or resource contents, and throws ResourceNotFoundError when there is nothing.',
  );
}

function isContents(value: unknown): value is ResourceContents {
  return (
    isJsonObject(value) &&
    typeof value['uri'] === 'string' &&
    (typeof value['text'] === 'string' || typeof value['blob'] === 'string')
  );
}
