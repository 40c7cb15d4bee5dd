import type { Icon } from './messages.js';

export type Role = 'user' | 'assistant';

/** Hints on how to use or show something (specification: server/resources, "Annotations"). */
export interface Annotations {
  readonly audience?: readonly Role[];
  /** 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

interface Described {
  readonly annotations?: Annotations;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface TextContent extends Described {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageContent extends Described {
  readonly type: 'image';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface AudioContent extends Described {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ResourceLink extends Described {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before base64. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

export interface EmbeddedResource extends Described {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  /** Base64. */
  readonly blob: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;

export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

/** What a model may be asked through the client (specification: client/sampling). */
export interface CreateMessageParams {
  readonly messages: readonly { readonly role: Role; readonly content: unknown }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
}

export interface CreateMessageResult {
  readonly role: Role;
  readonly content: TextContent | ImageContent | AudioContent | readonly Record<string, unknown>[];
  readonly model: string;
  readonly stopReason?: string;
}

export interface Root {
  /** A `file://` URI. */
  readonly uri: string;
  readonly name?: string;
}
