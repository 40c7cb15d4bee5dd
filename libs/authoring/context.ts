import type { StandardTypedV1 } from '@standard-schema/spec';
import type {
  ContentBlock,
  CreateMessageParams,
  CreateMessageResult,
  ResourceContents,
  Root,
} from '#protocol/content.js';
import type { LoggingLevel } from '#protocol/logging-level.js';
import type { ClientCapabilities, Implementation, TraceContext } from '#protocol/messages.js';
import type { SchemaSource } from '#schema/compile-schema.js';
import type { Principal } from './principal.js';
import type { ToolResult } from './tool-result.js';

/** The value that a schema lets through: its output type for a Standard Schema, unknown shape for plain JSON Schema. */
export type Validated<S> = S extends StandardTypedV1 ? StandardTypedV1.InferOutput<S> : any; // eslint-disable-line @typescript-eslint/no-explicit-any -- a plain schema says nothing to the compiler: the author's own annotation counts

/** What every handler is given besides its arguments. */
export interface CallContext {
  readonly tenant: { readonly id: string; readonly slug: string };
  readonly principal: Principal;
  readonly client: {
    readonly info: Implementation | undefined;
    readonly capabilities: ClientCapabilities;
  };
  /** What the tenant's admin set for the module, as its schema lets it through; empty where the module declares none. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Fires when the client goes away, the time limit passes or the server stops. Hand it to whatever waits. */
  readonly signal: AbortSignal;
  /** W3C trace context from the request's `_meta`. */
  readonly trace: TraceContext | undefined;

  /**
   * Reports progress, if the client asked for it; a value that does not grow is not sent
   * (specification: basic/patterns/progress).
   */
  progress(progress: number, total?: number, message?: string): void;

  /** Sends a log message to the client, if it asked for this level or a lower one. `data` must be JSON. */
  log(level: LoggingLevel, data: unknown, logger?: string): void;

  /** Tells everyone who listens to this resource that it has changed. */
  resourceUpdated(uri: string): Promise<void>;
}

/** What the user did with a form. */
export type Elicited<Content> =
  { readonly action: 'accept'; readonly content: Content } | { readonly action: 'decline' | 'cancel' };

/** What the user did with a link: `accept` means that they agreed to open it, not that they are done there. */
export interface LinkElicited {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/**
 * A context that can ask the client for input (specification: basic/patterns/mrtr). A handler is written top to bottom:
 * where an answer is not there yet, the call ends the round and never returns; on the client's retry the handler runs
 * again from the top and gets it. So everything before a question runs again, except what stands in a `step`.
 * Keys name questions and steps; each is unique within the handler. Questions asked at the same time (`Promise.all`)
 * go out in one round.
 */
export interface RoundContext extends CallContext {
  /** Asks the user to fill in a form of flat, primitive fields. */
  elicit<S extends SchemaSource>(
    key: string,
    form: { readonly message: string; readonly schema: S },
  ): Promise<Elicited<Validated<S>>>;

  /** Asks the user to open a page, for what must not pass through the client. The URL must not carry secrets. */
  elicit(key: string, link: { readonly message: string; readonly url: string }): Promise<LinkElicited>;

  /** Asks the client's model. Deprecated by the specification; needs the client's `sampling` capability. */
  sample(key: string, params: CreateMessageParams): Promise<CreateMessageResult>;

  /** Asks for the client's roots. Deprecated by the specification; needs the client's `roots` capability. */
  roots(key: string): Promise<readonly Root[]>;

  /**
   * Runs a side effect once for the whole call, however many rounds it takes. Its result is kept as JSON with the round,
   * so it must be a JSON value (or undefined). None begins any more in a round in which a question is open.
   */
  step<T>(name: string, effect: () => T | Promise<T>): Promise<T>;
}

export interface ToolContext extends RoundContext {
  /**
   * A result that tells the model that nothing was done, and why, as when the user declined. It has `isError`, since any
   * other result would have to fit the tool's output schema (specification: server/tools, "Output Schema").
   */
  refused(text: string): ToolResult;
  /** A result with `isError` that tells the model what went wrong and what to do. */
  failed(text: string, ...content: readonly ContentBlock[]): ToolResult;
}

export interface ResourceContext extends RoundContext {
  /** The URI that is being read. */
  readonly uri: string;
}

export interface PromptContext extends RoundContext {
  /**
   * Reads a resource of the tenant as whoever asks for the prompt could. Where that is not possible the request ends with
   * the answer that reading it would have had. The resource's handler cannot ask the client anything.
   */
  readResource(uri: string): Promise<readonly ResourceContents[]>;
}

export interface CompletionContext extends CallContext {
  /** Arguments that the user has settled already. */
  readonly arguments: Readonly<Record<string, string>>;
}
