import { z } from 'zod';
import { completionDefinition, MAX_VALUE_LENGTH } from '../completions/completion-definition.js';
import {
  annotations,
  base64Data,
  description,
  icons,
  meta,
  mimeType,
  describedFields,
  role,
  title,
} from '../definitions/common-fields.js';
import { strictMembers } from '../read-definition.js';

/** In a template a dot leads into a value, and these have none inside. */
const ARGUMENT = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const argument = strictMembers({
  name: z
    .string()
    .regex(
      ARGUMENT,
      'this cannot be the name of an argument\nUse a letter, then up to 63 letters, digits, "_" and "-".',
    )
    .refine((name) => !(name in {}), 'the template language keeps this name for itself\nChoose another.'),
  title: title.exactOptional(),
  description: description.exactOptional(),
  required: z.boolean().exactOptional(),
  enum: z.array(z.string().max(MAX_VALUE_LENGTH)).min(1).max(200).exactOptional(),
  completion: completionDefinition.exactOptional(),
});

const extras = { annotations: annotations.exactOptional(), _meta: meta.exactOptional() };
const text = z.string();
const uri = z.string().min(1).max(2_048);

const contents = strictMembers({
  uri,
  mimeType: mimeType.exactOptional(),
  text: text.exactOptional(),
  blob: base64Data.exactOptional(),
  _meta: meta.exactOptional(),
}).refine((given) => (given.text === undefined) !== (given.blob === undefined), {
  path: ['text'],
  error:
    'there must be either text or a blob\nGive one of the two; to embed a resource of this server, write "read" instead of "resource".',
});

const content = z.discriminatedUnion('type', [
  strictMembers({ type: z.literal('text'), text, ...extras }),
  strictMembers({ type: z.literal('image'), data: base64Data, mimeType, ...extras }),
  strictMembers({ type: z.literal('audio'), data: base64Data, mimeType, ...extras }),
  strictMembers({
    type: z.literal('resource_link'),
    uri,
    name: z.string().min(1).max(200),
    title: title.exactOptional(),
    description: description.exactOptional(),
    mimeType: mimeType.exactOptional(),
    size: z.int().min(0).exactOptional(),
    icons: icons.exactOptional(),
    ...extras,
  }),
  strictMembers({
    type: z.literal('resource'),
    /** What is embedded, in full. */
    resource: contents.exactOptional(),
    /** The URI of a resource of this tenant; what stands there is embedded when the prompt is asked for. */
    read: uri.exactOptional(),
    ...extras,
  }).refine((given) => (given.resource === undefined) !== (given.read === undefined), {
    path: ['resource'],
    error: 'there must be either a resource or a URI to read\nGive one of the two, as "resource" or "read".',
  }),
]);

/** A prompt as it is registered: messages with placeholders for its arguments. */
export const promptDefinition = strictMembers({
  ...describedFields,
  timeoutMs: z.int().exactOptional(),
  arguments: z.array(argument).max(32).exactOptional(),
  messages: z.array(strictMembers({ role, content })).min(1).max(64),
});

export type PromptDefinition = z.output<typeof promptDefinition>;
export type ArgumentDefinition = z.output<typeof argument>;
export type ContentDefinition = z.output<typeof content>;
