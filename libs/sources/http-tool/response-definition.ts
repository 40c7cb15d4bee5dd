import { z } from 'zod';
import { strictMembers } from '../read-definition.js';

const STATUS = /^(?:[1-5]XX|[1-5]\d\d)$/;
const status = z.union([
  z.int().min(100).max(599).transform(String),
  z.string().toUpperCase().regex(STATUS, 'must be a status such as 404, or a class such as "4XX"'),
]);

/** What becomes of a response. */
export const response = strictMembers({
  /** What the body is taken for; by its content type otherwise. */
  as: z.enum(['auto', 'json', 'text', 'image', 'audio', 'resource']).default('auto'),
  /** JMESPath over the JSON body; what it picks is the result. */
  expression: z.string().min(1).max(1_000).optional(),
  errors: strictMembers({
    /** Which statuses are errors. */
    statuses: z.array(status).max(64).default(['4XX', '5XX']),
    /** What the model is told, by status or class of statuses. */
    messages: z
      .record(z.string().regex(STATUS, 'must be a status such as 404, or a class such as 4XX'), z.string().max(2_000))
      .default({}),
    /** JMESPath over an error's JSON body; what it picks is told. */
    expression: z.string().min(1).max(1_000).optional(),
    /** Whether the beginning of an error's body is told. */
    excerpt: z.boolean().default(true),
  }).prefault({}),
});

export type ResponseDefinition = z.output<typeof response>;
