import type { Annotations } from '#protocol/content.js';
import type { CacheScope, Icon } from '#protocol/messages.js';
import type { SchemaSource } from '#schema/compile-schema.js';

interface Described {
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface Limited {
  /** Scopes that a caller needs, all of them. */
  readonly scopes?: readonly string[];
  /** How long one call may take, in milliseconds; the platform's limit otherwise. */
  readonly timeoutMs?: number;
}

export interface McpModuleOptions {
  /** How tenants name the module when they activate it: `a-z`, `0-9` and `-`. */
  readonly name: string;
  readonly title?: string;
  /** Guidance for models on how to use what the module offers (specification: server/discover). */
  readonly instructions?: string;
  /**
   * What a tenant's admin may set when they activate the module: the schema of an object, good for `{}` too unless
   * something must be set. Handlers find it as `context.configuration`. Without a schema nothing may be set.
   */
  readonly configuration?: SchemaSource;
}

/** Hints only: a client must not trust them (`ToolAnnotations` of the schema). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ToolOptions<I, O> extends Described, Limited {
  /** The method's name otherwise. */
  readonly name?: string;
  readonly description: string;
  /** Takes no arguments otherwise. */
  readonly input?: I;
  readonly output?: O;
  readonly annotations?: ToolAnnotations;
}

interface Readable extends Described, Limited {
  /** The method's name otherwise. */
  readonly name?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  /** How long a client may reuse what it read, in milliseconds; 0 otherwise (specification: server/utilities/caching). */
  readonly ttlMs?: number;
  /** `private` otherwise. */
  readonly cacheScope?: CacheScope;
}

export interface ResourceOptions extends Readable {
  readonly uri: string;
  /** Bytes, if known. */
  readonly size?: number;
}

export interface ResourceTemplateOptions extends Readable {
  /** RFC 6570. */
  readonly uriTemplate: string;
}

export interface PromptOptions<I> extends Described, Limited {
  /** The method's name otherwise. */
  readonly name?: string;
  /** An object of strings: each property is an argument. */
  readonly input?: I;
}

/** The argument that a method completes. */
export type CompleteOptions =
  | { readonly prompt: string; readonly argument: string }
  | { readonly resourceTemplate: string; readonly argument: string };

export type PrimitiveDeclaration =
  | { readonly kind: 'tool'; readonly options: ToolOptions<SchemaSource, SchemaSource> }
  | { readonly kind: 'resource'; readonly options: ResourceOptions }
  | { readonly kind: 'template'; readonly options: ResourceTemplateOptions }
  | { readonly kind: 'prompt'; readonly options: PromptOptions<SchemaSource> }
  | { readonly kind: 'complete'; readonly options: CompleteOptions };
