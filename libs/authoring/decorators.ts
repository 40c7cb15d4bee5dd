import 'reflect-metadata';
import { applyDecorators, Injectable } from '@nestjs/common';
import type { ContentBlock, PromptMessage, ResourceContents } from '#protocol/content.js';
import type { SchemaSource } from '#schema/compile-schema.js';
import type { CompletionContext, PromptContext, ResourceContext, ToolContext, Validated } from './context.js';
import type {
  CompleteOptions,
  McpModuleOptions,
  PrimitiveDeclaration,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from './options.js';
import type { ToolResult } from './tool-result.js';

const MODULE = Symbol('causeway:module');
const PRIMITIVE = Symbol('causeway:primitive');

type Awaitable<T> = T | Promise<T>;

/** A decorator for methods of one shape; the compiler checks the handler against its declaration. */
type HandlerDecorator<Handler> = <M extends Handler>(
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** What a tool may return: with an output schema a value of it, else text, content or any JSON value. */
export type ToolReturn<O> = [O] extends [undefined] ? unknown : Awaitable<Validated<O> | ToolResult>;

export type ResourceReturn = string | Uint8Array | ResourceContents | readonly ResourceContents[];

export type PromptReturn =
  | string
  | ContentBlock
  | readonly PromptMessage[]
  | { readonly description?: string; readonly messages: readonly PromptMessage[] };

export type CompletionReturn =
  readonly string[] | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/** Marks a class whose methods are primitives that tenants can activate together. */
export function McpModule(options: McpModuleOptions): ClassDecorator {
  return applyDecorators(Injectable(), (target: object) => Reflect.defineMetadata(MODULE, options, target));
}

/** A tool: something a model can call (specification: server/tools). */
export function Tool<I extends SchemaSource | undefined = undefined, O extends SchemaSource | undefined = undefined>(
  options: ToolOptions<I, O>,
): HandlerDecorator<(args: Validated<I>, context: ToolContext) => ToolReturn<O>> {
  return declare({ kind: 'tool', options: options as ToolOptions<SchemaSource, SchemaSource> });
}

/** A resource with a fixed URI (specification: server/resources). */
export function Resource(
  options: ResourceOptions,
): HandlerDecorator<(uri: string, context: ResourceContext) => Awaitable<ResourceReturn>> {
  return declare({ kind: 'resource', options });
}

/**
 * Resources whose URIs follow an RFC 6570 template. The handler gets the variables of the URI, percent-decoded once, so
 * a value may hold any characters, `..` and `/` too: check it before it becomes a path. A value is a string; it is a list
 * where the URI has commas that are not encoded, as RFC 6570 writes lists.
 */
export function ResourceTemplate(
  options: ResourceTemplateOptions,
): HandlerDecorator<(variables: Validated<undefined>, context: ResourceContext) => Awaitable<ResourceReturn>> {
  return declare({ kind: 'template', options });
}

/** A prompt that users pick (specification: server/prompts). */
export function Prompt<I extends SchemaSource | undefined = undefined>(
  options: PromptOptions<I> = {},
): HandlerDecorator<(args: Validated<I>, context: PromptContext) => Awaitable<PromptReturn>> {
  return declare({ kind: 'prompt', options: options as PromptOptions<SchemaSource> });
}

/** Suggests values for an argument of a prompt or a variable of a template (specification: server/utilities/completion). */
export function Complete(
  options: CompleteOptions,
): HandlerDecorator<(value: string, context: CompletionContext) => Awaitable<CompletionReturn>> {
  return declare({ kind: 'complete', options });
}

function declare(declaration: PrimitiveDeclaration): HandlerDecorator<never> & HandlerDecorator<unknown> {
  return (_target: object, _method: string | symbol, descriptor: PropertyDescriptor) => {
    Reflect.defineMetadata(PRIMITIVE, declaration, descriptor.value as object);
  };
}

/** The declaration of a class, if `@McpModule` stands on it. */
export function moduleDeclaration(type: object): McpModuleOptions | undefined {
  return Reflect.getOwnMetadata(MODULE, type) as McpModuleOptions | undefined;
}

/** The declaration of a method, if one of the decorators stands on it. */
export function primitiveDeclaration(method: object): PrimitiveDeclaration | undefined {
  return Reflect.getOwnMetadata(PRIMITIVE, method) as PrimitiveDeclaration | undefined;
}
