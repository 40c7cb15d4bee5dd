import type { z } from 'zod';
import { httpToolDefinition } from '#sources/http-tool/http-tool-definition.js';
import { promptDefinition } from '#sources/prompts/prompt-definition.js';
import { resourceDefinition } from '#sources/resources/resource-definition.js';

/** What definitions of each kind may hold, by the name that the document gives them. */
export const DEFINITION_SCHEMAS: readonly z.ZodType[] = [
  httpToolDefinition.meta({
    id: 'HttpToolDefinition',
    description: 'Of the kind `http_tool`: see docs/http-tools.md.',
  }),
  resourceDefinition.meta({
    id: 'ResourceDefinition',
    description: 'Of the kind `resource`: see docs/resources-and-prompts.md.',
  }),
  promptDefinition.meta({
    id: 'PromptDefinition',
    description: 'Of the kind `prompt`: see docs/resources-and-prompts.md.',
  }),
];

/** For whoever reads the document; definitions are read by what compiles them, which says more of what is wrong. */
export const ANY_DEFINITION = {
  anyOf: ['HttpToolDefinition', 'ResourceDefinition', 'PromptDefinition'].map((id) => {
    return { $ref: `#/components/schemas/${id}` };
  }),
};
