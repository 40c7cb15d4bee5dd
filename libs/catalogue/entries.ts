import type { JsonObject } from '#protocol/json.js';
import type { CacheScope } from '#protocol/messages.js';
import type { CompiledSchema, Validator } from '#schema/compile-schema.js';
import type { HeaderParameter } from '#schema/header-parameters.js';
import type { UriTemplate } from './uri-template.js';

/** A handler with everything that Nest resolves resolved: guards, interceptors and pipes run inside. */
export type Handler = (input: unknown, context: unknown) => unknown;

/** A compiled primitive: what is listed, who may use it, what runs. Immutable, shared by every tenant that has it. */
interface Entry {
  /** What orders and finds it: a name, a URI or a URI template. */
  readonly key: string;
  /** The name of the source that brings it. */
  readonly source: string;
  /** What lists show, as the specification's type. */
  readonly definition: JsonObject;
  readonly scopes: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly handler: Handler;
}

export interface ToolEntry extends Entry {
  readonly input: Validator;
  readonly output: Validator | undefined;
  /** Arguments that clients mirror into headers. */
  readonly headers: readonly HeaderParameter[];
}

export interface Caching {
  readonly ttlMs: number;
  readonly cacheScope: CacheScope;
}

export interface ResourceEntry extends Entry {
  readonly mimeType: string | undefined;
  readonly caching: Caching;
}

/** Completion by a tool of the tenant, which is called with the rights of whoever asks. */
export interface ToolCompletion {
  readonly tool: string;
  /** The argument that gets what was typed. */
  readonly argument: string;
  /**
   * The suggestions in what the tool answered: its structured content, else its text, parsed where it is JSON. Undefined
   * when there are none to be found.
   */
  readonly values: (answer: unknown) => readonly string[] | undefined;
}

/** How one argument is completed: by a handler, from fixed values, or by a tool. */
export type Completer = Handler | readonly string[] | ToolCompletion;

export interface TemplateEntry extends ResourceEntry {
  readonly template: UriTemplate;
  /** By variable; undefined where nothing completes it. */
  readonly completers: ReadonlyMap<string, Completer | undefined>;
}

export interface PromptEntry extends Entry {
  readonly input: Validator | undefined;
  /** By argument; undefined where nothing completes it. */
  readonly completers: ReadonlyMap<string, Completer | undefined>;
}

export interface Entries {
  readonly tools: readonly ToolEntry[];
  readonly resources: readonly ResourceEntry[];
  readonly templates: readonly TemplateEntry[];
  readonly prompts: readonly PromptEntry[];
}

export type ListKind = keyof Entries;

export const LIST_KINDS = ['tools', 'resources', 'templates', 'prompts'] as const satisfies readonly ListKind[];

/** Where primitives come from, compiled: a module, at boot, or what was registered at run time. */
export interface CompiledSource {
  readonly name: string;
  readonly title: string | undefined;
  readonly instructions: string | undefined;
  readonly entries: Entries;
}

/** A code module, compiled. */
export interface CompiledModule extends CompiledSource {
  /** Of what a tenant may set for it; undefined where that is nothing. */
  readonly configuration: CompiledSchema | undefined;
}
