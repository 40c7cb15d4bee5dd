import type { ContentBlock } from '#protocol/content.js';
import { isJsonObject } from '#protocol/json.js';

/** Whether a value has the members of one of the content types, so that it is meant as content. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isJsonObject(value)) return false;
  const { type, text, data, mimeType, uri, name, resource } = value;
  switch (type) {
    case 'text':
      return typeof text === 'string';
    case 'image':
    case 'audio':
      return typeof data === 'string' && typeof mimeType === 'string';
    case 'resource_link':
      return typeof uri === 'string' && typeof name === 'string';
    case 'resource':
      return isJsonObject(resource) && typeof resource['uri'] === 'string';
    default:
      return false;
  }
}
