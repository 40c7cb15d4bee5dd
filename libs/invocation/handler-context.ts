import type {
  CompletionContext,
  Elicited,
  LinkElicited,
  PromptContext,
  ResourceContext,
  ToolContext,
  Validated,
} from '#authoring/context.js';
import type { Principal } from '#authoring/principal.js';
import { content } from '#authoring/index.js';
import { ToolResult } from '#authoring/tool-result.js';
import type {
  ContentBlock,
  CreateMessageParams,
  CreateMessageResult,
  ResourceContents,
  Root,
} from '#protocol/content.js';
import { type LoggingLevel, reaches } from '#protocol/logging-level.js';
import type { TraceContext } from '#protocol/messages.js';
import type { SchemaSource } from '#schema/compile-schema.js';
import type { Call } from './call.js';
import type { Cancellation } from './cancellation.js';
import { formQuestion, linkQuestion, type Question, rootsQuestion, samplingQuestion } from './rounds/question.js';
import type { RoundMemory } from './rounds/round-memory.js';

/** The context that a handler is given, whatever its kind; each kind's interface shows its part of it. */
export class HandlerContext implements ToolContext, ResourceContext, PromptContext, CompletionContext {
  private kept: RoundMemory | undefined;
  private progressSent = Number.NEGATIVE_INFINITY;
  private ended = false;

  constructor(
    private readonly call: Call,
    private readonly cancellation: Cancellation,
    private readonly remember: () => RoundMemory,
    /** The arguments that are settled already, for a completion. */
    readonly settled: Readonly<Record<string, string>>,
  ) {}

  /** What the handler asked and did in steps; made for handlers that do either. */
  get memory(): RoundMemory | undefined {
    return this.kept;
  }

  get tenant(): { readonly id: string; readonly slug: string } {
    return this.call.tenant;
  }

  get principal(): Principal {
    return this.call.principal;
  }

  get configuration(): ToolContext['configuration'] {
    return this.call.configuration;
  }

  get client(): ToolContext['client'] {
    return { info: this.call.meta.clientInfo, capabilities: this.call.meta.clientCapabilities };
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  get trace(): TraceContext | undefined {
    return this.call.meta.trace;
  }

  get uri(): string {
    return this.call.name;
  }

  get arguments(): Readonly<Record<string, string>> {
    return this.settled;
  }

  /** Nothing that belongs to the call is sent from now on. */
  end(): void {
    this.ended = true;
  }

  progress(progress: number, total?: number, message?: string): void {
    const { progressToken } = this.call.meta;
    if (this.ended || progressToken === undefined || !Number.isFinite(progress) || progress <= this.progressSent)
      return;
    this.progressSent = progress;
    this.call.channel.notify('notifications/progress', { progressToken, progress, total, message });
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void {
    const { logLevel } = this.call.meta;
    if (this.ended || logLevel === undefined || !reaches(level, logLevel)) return;
    this.call.channel.notify('notifications/message', { level, logger, data });
  }

  resourceUpdated(uri: string): Promise<void> {
    return this.call.announceResource(uri);
  }

  readResource(uri: string): Promise<readonly ResourceContents[]> {
    const { readResource } = this.call;
    return readResource ? readResource(uri, this.signal) : Promise.reject(new Error('Only prompts read resources.'));
  }

  elicit<S extends SchemaSource>(
    key: string,
    form: { readonly message: string; readonly schema: S },
  ): Promise<Elicited<Validated<S>>>;
  elicit(key: string, link: { readonly message: string; readonly url: string }): Promise<LinkElicited>;
  elicit(
    key: string,
    what: { readonly message: string } & ({ readonly schema: SchemaSource } | { readonly url: string }),
  ): Promise<unknown> {
    return this.ask(key, () =>
      'url' in what ? linkQuestion(what.message, what.url) : formQuestion(what.message, what.schema),
    );
  }

  sample(key: string, params: CreateMessageParams): Promise<CreateMessageResult> {
    return this.ask(key, () => samplingQuestion(params)) as Promise<CreateMessageResult>;
  }

  roots(key: string): Promise<readonly Root[]> {
    return this.ask(key, rootsQuestion) as Promise<readonly Root[]>;
  }

  step<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    return watched(this.memorise().step(name, effect));
  }

  refused(text: string): ToolResult {
    return this.failed(text);
  }

  failed(text: string, ...more: readonly ContentBlock[]): ToolResult {
    return new ToolResult({ content: [content.text(text), ...more], isError: true });
  }

  private memorise(): RoundMemory {
    this.kept ??= this.remember();
    return this.kept;
  }

  private ask(key: string, question: () => Question): Promise<unknown> {
    return watched((async () => this.memorise().ask(key, question()))());
  }
}

/** A handler that forgets to await must not bring the process down with an unhandled rejection. */
function watched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
