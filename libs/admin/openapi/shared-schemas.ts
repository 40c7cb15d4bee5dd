import { z } from 'zod';

const difference = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.object({ key: z.string(), members: z.array(z.string()) })),
});

/** What a change would do. */
export const dryRunView = z
  .object({
    dryRun: z.literal(true),
    action: z.string().describe('As the history would call it.'),
    target: z.string().nullable(),
    catalogue: z
      .object({ tools: difference, resources: difference, templates: difference, prompts: difference })
      .optional()
      .describe('How the catalogue would differ, by name, URI or URI template.'),
  })
  .meta({ id: 'DryRun' });

/** A problem document (RFC 9457). */
export const problemView = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z
      .array(
        z.object({
          pointer: z.string().optional().describe('A JSON pointer into the body (RFC 6901).'),
          parameter: z.string().optional().describe('The query parameter or header field.'),
          detail: z.string(),
        }),
      )
      .optional(),
    scope: z.string().optional().describe('The admin scope that is missing.'),
    correlationId: z.string().optional(),
  })
  .meta({ id: 'Problem' });
