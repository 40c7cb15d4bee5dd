import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '#protocol/json.js';
import { strictMembers } from '../read-definition.js';
import { credential } from './credential-definition.js';
import { limits } from './limit-definition.js';
import { response } from './response-definition.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const MAX_MEMBERS = 200;

const jsonObject = z.custom<JsonObject>(isJsonObject, 'must be an object');
const json = z.custom<JsonValue>((value) => value !== undefined, 'must be a JSON value');
const constant = z.union([z.string().max(8_192), z.number(), z.boolean()]);
const argument = z.string().min(1).max(256);
const mediaType = z
  .string()
  .max(256)
  .regex(/^[\w.+-]+\/[\w.+*-]+(?:; ?[\w-]+=[\w."+-]+)*$/, 'must be a media type such as application/json');

/** How a list or an object is written into a query or a form (OpenAPI 3.1, "Style Values"); `json` is its JSON text. */
const style = z.enum(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json']);

const parameter = z.union(
  [constant, strictMembers({ argument, style: style.default('form'), explode: z.boolean().optional() })],
  'must be a string, a number, a boolean, or {"argument": "name"}',
);
const parameters = z
  .record(z.string().min(1).max(256), parameter)
  .refine(isShort, `must have ${MAX_MEMBERS} members at most`);

/** A header or a cookie has one way to write lists: with commas (style `simple`; `explode` writes objects as `a=1`). */
const field = z.union(
  [constant, strictMembers({ argument, explode: z.boolean().default(false) })],
  'must be a string, a number, a boolean, or {"argument": "name"}',
);
const fields = z.record(z.string().min(1).max(256), field).refine(isShort, `must have ${MAX_MEMBERS} members at most`);

const part = z.union(
  [
    constant,
    strictMembers({
      argument,
      /** Of the part; a text's, JSON's or octet-stream otherwise. */
      contentType: mediaType.optional(),
      /** Makes the part a file. */
      filename: z.union([z.string().max(256), strictMembers({ argument })]).optional(),
      /** What the argument's text is. */
      encoding: z.enum(['text', 'base64']).default('text'),
    }),
  ],
  'must be a string, a number, a boolean, or {"argument": "name"}',
);

const body = z.discriminatedUnion('type', [
  strictMembers({ type: z.literal('json'), value: json.optional(), contentType: mediaType.optional() }),
  strictMembers({ type: z.literal('form'), fields: parameters.optional() }),
  strictMembers({ type: z.literal('multipart'), parts: z.record(z.string().min(1).max(256), part) }),
  strictMembers({ type: z.literal('text'), value: json, contentType: mediaType.optional() }),
  strictMembers({ type: z.literal('binary'), argument, contentType: mediaType.optional() }),
]);

const request = strictMembers({
  method: z.enum(METHODS, `must be one of ${METHODS.join(', ')}`),
  /** RFC 6570; its variables are arguments. */
  url: z.string().min(1).max(2_048),
  query: parameters.default({}),
  headers: fields.default({}),
  cookies: fields.default({}),
  body: body.optional(),
});

const icon = strictMembers({
  src: z.string().max(65_536),
  mimeType: z.string().max(256).optional(),
  sizes: z.array(z.string().max(32)).max(16).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});

const annotations = strictMembers({
  title: z.string().max(256).optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

/** An HTTP tool as an admin writes it down; see docs/http-tools.md. */
export const httpToolDefinition = strictMembers({
  /** The source's name otherwise. */
  name: z.string().optional(),
  title: z.string().max(256).optional(),
  description: z.string().min(1).max(16_384),
  icons: z.array(icon).max(16).optional(),
  annotations: annotations.optional(),
  scopes: z.array(z.string()).max(64).optional(),
  _meta: jsonObject.optional(),
  input: jsonObject.optional(),
  output: jsonObject.optional(),
  request,
  credentials: z.union([credential, z.array(credential).max(4)], 'must be a credential, or a list of them').default([]),
  response: response.prefault({}),
  limits: limits.prefault({}),
});

export type HttpToolDefinition = z.output<typeof httpToolDefinition>;
export type RequestDefinition = HttpToolDefinition['request'];
export type BodyDefinition = z.output<typeof body>;
export type ParameterDefinition = z.output<typeof parameter>;
export type FieldDefinition = z.output<typeof field>;
export type PartDefinition = z.output<typeof part>;

function isShort(record: object): boolean {
  return Object.keys(record).length <= MAX_MEMBERS;
}
