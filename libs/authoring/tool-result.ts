import type { ContentBlock } from '#protocol/content.js';

export interface ToolResultParts {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * A tool's result in full, for handlers to which a plain return value is not enough: content beside structured content,
 * `_meta`, or an error that the model should act on. With an output schema and without content, the JSON text of the
 * structured content is added.
 */
export class ToolResult {
  constructor(readonly parts: ToolResultParts) {}
}
