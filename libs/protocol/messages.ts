import type { LoggingLevel } from './logging-level.js';

/** The id of a JSON-RPC request: a string or an integer, never null (specification: basic, "Requests"). */
export type RequestId = string | number;

export type ProgressToken = string | number;

export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** `Implementation` of the schema: who wrote a message. Self-reported, never trusted. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** What a client says it can do, on every request anew. */
export interface ClientCapabilities {
  readonly experimental?: Readonly<Record<string, object>>;
  readonly roots?: object;
  readonly sampling?: { readonly context?: object; readonly tools?: object };
  readonly elicitation?: { readonly form?: object; readonly url?: object };
  readonly extensions?: Readonly<Record<string, object>>;
}

export interface ServerCapabilities {
  readonly logging?: object;
  readonly completions?: object;
  readonly prompts?: { readonly listChanged: boolean };
  readonly resources?: { readonly listChanged: boolean; readonly subscribe: boolean };
  readonly tools?: { readonly listChanged: boolean };
  readonly extensions?: Readonly<Record<string, object>>;
}

/** W3C Trace Context and Baggage, as found in `_meta`. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** The `_meta` of a modern request, read once. */
export interface RequestMeta {
  readonly protocolVersion: string;
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo: Implementation | undefined;
  readonly logLevel: LoggingLevel | undefined;
  readonly progressToken: ProgressToken | undefined;
  readonly trace: TraceContext | undefined;
}

/** `SubscriptionFilter` of the schema. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

export type CacheScope = 'public' | 'private';
