/** What the author of a module imports, all of it. */
export * as content from './content.js';
export type {
  CallContext,
  CompletionContext,
  Elicited,
  LinkElicited,
  PromptContext,
  ResourceContext,
  ToolContext,
  Validated,
} from './context.js';
export type {
  Annotations,
  ContentBlock,
  CreateMessageParams,
  CreateMessageResult,
  PromptMessage,
  ResourceContents,
  Root,
} from '#protocol/content.js';
export { Complete, McpModule, Prompt, Resource, ResourceTemplate, Tool } from './decorators.js';
export type { CompletionReturn, PromptReturn, ResourceReturn } from './decorators.js';
export type { Principal } from './principal.js';
export { MissingClientCapabilityError, ResourceNotFoundError, ShownError } from './shown-error.js';
export { ToolResult } from './tool-result.js';
