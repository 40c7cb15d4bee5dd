import { base64 } from '#protocol/base64.js';
import type {
  Annotations,
  AudioContent,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  Role,
  PromptMessage,
  ContentBlock,
  TextContent,
} from '#protocol/content.js';

interface Extras {
  readonly annotations?: Annotations;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Bytes, or text that is base64 already. */
export type Binary = Uint8Array | string;

function encoded(data: Binary): string {
  return typeof data === 'string' ? data : base64(data);
}

export function text(value: string, extras?: Extras): TextContent {
  return { type: 'text', text: value, ...extras };
}

export function image(data: Binary, mimeType: string, extras?: Extras): ImageContent {
  return { type: 'image', data: encoded(data), mimeType, ...extras };
}

export function audio(data: Binary, mimeType: string, extras?: Extras): AudioContent {
  return { type: 'audio', data: encoded(data), mimeType, ...extras };
}

/** A link to a resource that the client can read itself. */
export function link(resource: Omit<ResourceLink, 'type'>): ResourceLink {
  return { type: 'resource_link', ...resource };
}

/** A resource's contents, sent along. */
export function embedded(resource: ResourceContents, extras?: Extras): EmbeddedResource {
  return { type: 'resource', resource, ...extras };
}

/** A prompt message; a string is text. */
export function message(role: Role, content: string | ContentBlock): PromptMessage {
  return { role, content: typeof content === 'string' ? text(content) : content };
}

/** Contents of a resource from bytes. */
export function blob(uri: string, data: Binary, mimeType: string): ResourceContents {
  return { uri, mimeType, blob: encoded(data) };
}
