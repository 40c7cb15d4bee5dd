import type { Principal } from '#authoring/principal.js';
import type { ResourceContents } from '#protocol/content.js';
import type { Rejection } from '#protocol/errors.js';
import type { RequestMeta } from '#protocol/messages.js';
import type { RoundMethod } from '#protocol/methods.js';
import type { Fault } from './fault.js';
import type { HandlerContext } from './handler-context.js';

/** How a call reaches its client while it runs. */
export interface CallChannel {
  /** Sends a notification that belongs to this request. Does nothing once the client is gone. */
  notify(method: string, params: object): void;
  /** Calls back once when the client goes away before the answer. */
  onClose(callback: () => void): void;
}

/** One call of a handler, with everything about it that stays the same in all of its rounds. */
export interface Call {
  readonly method: RoundMethod | 'completion/complete';
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name: string;
  /** What logs call it: the declared name, URI or template, never a value from the request. */
  readonly label: string;
  /** As the client sent them. */
  readonly arguments: unknown;
  readonly tenant: { readonly id: string; readonly slug: string };
  readonly principal: Principal;
  /** What the tenant's admin set for the module that the primitive is from. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly meta: RequestMeta;
  /** `requestState` and `inputResponses`, when this is a retry (specification: basic/patterns/mrtr). */
  readonly retry: Retry | undefined;
  /** The primitive's own limit. */
  readonly timeoutMs: number | undefined;
  readonly channel: CallChannel;
  /** Tells everyone who listens that a resource has changed. */
  readonly announceResource: (uri: string) => Promise<void>;
  /** Reads a resource with the caller's rights, for prompts; what went wrong is thrown as a `RefusedCall`. */
  readonly readResource?: (uri: string, signal: AbortSignal) => Promise<readonly ResourceContents[]>;
  /** Runs the handler. */
  readonly run: (context: HandlerContext) => unknown;
  /** Makes the members of the result of what the handler returned. Throws a `ResultError` when it cannot. */
  readonly toResult: (returned: unknown) => object | Promise<object>;
  /** How this kind of primitive tells a failure. */
  readonly present: (fault: Fault) => object | Rejection;
}

export interface Retry {
  readonly requestState: string | undefined;
  readonly inputResponses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** How a call ended, or its round. `abandoned`: the client is gone and nothing is to be written. */
export type Outcome =
  | { readonly type: 'complete'; readonly result: object }
  | { readonly type: 'input_required'; readonly result: object }
  | { readonly type: 'refused'; readonly rejection: Rejection }
  | { readonly type: 'abandoned' };
