import type { Handler } from '#catalogue/entries.js';
import type { ResourceDefinition } from './resource-definition.js';

type Contents = Pick<ResourceDefinition, 'text' | 'blob' | 'mimeType'>;

/** Answers what stands in the definition. */
export function fixedContents({ text, blob, mimeType }: Contents, uri: string): Handler {
  const type = mimeType === undefined ? {} : { mimeType };
  const contents = text === undefined ? { uri, ...type, blob } : { uri, ...type, text };
  return () => contents;
}

/** In bytes; undefined when the contents are not in the definition. */
export function sizeOf({ text, blob }: Contents): number | undefined {
  if (text !== undefined) return Buffer.byteLength(text);
  return blob === undefined ? undefined : Buffer.byteLength(blob, 'base64');
}
