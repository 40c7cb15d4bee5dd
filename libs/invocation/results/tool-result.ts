import { ToolResult, type ToolResultParts } from '#authoring/tool-result.js';
import { andThen } from '#protocol/and-then.js';
import type { ContentBlock } from '#protocol/content.js';
import type { Validation, Validator } from '#schema/compile-schema.js';
import { ResultError } from '../fault.js';
import { isContentBlock } from './is-content-block.js';

/** The members of a `CallToolResult`, `resultType` aside (specification: server/tools, "Tool Result"). */
export interface CallToolBody {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * Makes a tool's result of what its handler returned. With an output schema the value is validated and sent as
 * structured content with its JSON text beside it; without one a string is text, content is content, nothing is nothing
 * and any other value is its JSON text.
 * @throws ResultError when the value does not fit the output schema or is not JSON
 */
export function toToolResult(returned: unknown, output: Validator | undefined): CallToolBody | Promise<CallToolBody> {
  if (returned instanceof ToolResult) return fromParts(returned.parts, output);
  if (output) return structured({ structuredContent: returned }, output);
  return { content: toContent(returned) };
}

/** A result that tells the model what went wrong and what to do about it. */
export function toolError(text: string): CallToolBody {
  return { content: [{ type: 'text', text }], isError: true };
}

function fromParts(parts: ToolResultParts, output: Validator | undefined): CallToolBody | Promise<CallToolBody> {
  if (output && parts.isError !== true) return structured(parts, output);
  const { content = [] } = parts;
  return { ...parts, content };
}

function structured(parts: ToolResultParts, output: Validator): CallToolBody | Promise<CallToolBody> {
  return andThen(output(parts.structuredContent), (checked) => validated(parts, checked));
}

function validated(parts: ToolResultParts, checked: Validation): CallToolBody {
  if ('issues' in checked) {
    const places = checked.issues.map(({ path }) => (path === '' ? 'the value itself' : path)).join(', ');
    throw new ResultError(`The handler's result does not fit its output schema at: ${places}.`);
  }
  const content = parts.content ?? [{ type: 'text' as const, text: jsonText(checked.value) }];
  return { ...parts, content, structuredContent: checked.value };
}

function toContent(returned: unknown): readonly ContentBlock[] {
  if (typeof returned === 'string') return [{ type: 'text', text: returned }];
  if (returned === undefined || returned === null) return [];
  if (isContentBlock(returned)) return [returned];
  if (Array.isArray(returned) && returned.length > 0 && returned.every(isContentBlock)) return returned;
  return [{ type: 'text', text: jsonText(returned) }];
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new ResultError('The handler returned something that is not a JSON value.');
  return text;
}
