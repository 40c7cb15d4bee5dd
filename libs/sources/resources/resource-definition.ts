import { z } from 'zod';
import { completionDefinition } from '../completions/completion-definition.js';
import { isJsonObject } from '#protocol/json.js';
import { annotations, base64Data, mimeType, describedFields } from '../definitions/common-fields.js';
import { credential } from '../http-tool/credential-definition.js';
import { limits } from '../http-tool/limit-definition.js';
import { strictMembers } from '../read-definition.js';

const MAX_URI = 2_048;
/** In characters. */
const MAX_TEXT = 1_000_000;
/** Where the contents come from. */
const CONTENTS = ['text', 'blob', 'url'] as const;
const A_YEAR_MS = 31_536_000_000;

/** How the platform hears that what stands behind a resource has changed. */
const updates = strictMembers({
  /** Signed messages of the tenant's own systems; `secret` names the secret that they are signed with. */
  webhook: strictMembers({ secret: z.string().min(1).max(128) }).exactOptional(),
  /** The platform looks by itself. */
  poll: strictMembers({ intervalSeconds: z.int().min(10).max(86_400) }).exactOptional(),
});

/** A resource as it is registered: at a URI or at all URIs of a template; a text, bytes, or what a URL answers. */
export const resourceDefinition = strictMembers({
  ...describedFields,
  uri: z.string().max(MAX_URI).exactOptional(),
  uriTemplate: z.string().max(MAX_URI).exactOptional(),
  mimeType: mimeType.exactOptional(),
  annotations: annotations.exactOptional(),
  /** In bytes. */
  size: z.int().min(0).exactOptional(),
  ttlMs: z.int().min(0).max(A_YEAR_MS).exactOptional(),
  cacheScope: z.enum(['public', 'private']).exactOptional(),
  text: z.string().max(MAX_TEXT).exactOptional(),
  blob: base64Data.exactOptional(),
  /** Of the service that answers the contents; RFC 6570, with variables of `uriTemplate`. */
  url: z.string().min(1).max(MAX_URI).exactOptional(),
  headers: z.record(z.string().min(1).max(256), z.string().max(8_192)).exactOptional(),
  credentials: z
    .union([credential, z.array(credential).max(4)], 'this is no credential, and no list of them')
    .exactOptional(),
  limits: limits.exactOptional(),
  /** By variable of the template. */
  completions: z.record(z.string(), completionDefinition).exactOptional(),
  updates: updates.exactOptional(),
}).superRefine((given, context) => {
  for (const [member, message] of contradictions(given)) context.addIssue({ code: 'custom', path: [member], message });
});

export type ResourceDefinition = z.output<typeof resourceDefinition>;

/** What does not go together, each with the member that is at fault; the first is told. */
function contradictions(given: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  const has = (member: string): boolean => given[member] !== undefined;
  const rules: readonly (readonly [boolean, string, string])[] = [
    [has('uri') === has('uriTemplate'), 'uri', 'there must be either a uri or a uriTemplate\nGive one of the two.'],
    [
      CONTENTS.filter(has).length !== 1,
      'text',
      `there must be one place for the contents\nGive one of ${CONTENTS.join(', ')}.`,
    ],
    [has('uriTemplate') && has('blob'), 'blob', 'bytes have one URI\nGive "uri", or a text or a url.'],
    [has('uriTemplate') && has('size'), 'size', 'what a template stands for has no one size\nLeave it out.'],
    ...['headers', 'credentials', 'limits'].map((member) => {
      return [has(member) && !has('url'), member, 'it goes with a url alone\nLeave it out.'] as const;
    }),
    [
      isPolled(given) && !(has('uri') && has('url')),
      'updates',
      'only one uri with a url can be looked at\nLeave poll out.',
    ],
    [has('uri') && has('completions'), 'completions', 'only a uriTemplate has variables to complete\nLeave it out.'],
  ];
  return rules.flatMap(([isBroken, member, message]) => (isBroken ? [[member, message] as const] : []));
}

function isPolled({ updates: given }: Readonly<Record<string, unknown>>): boolean {
  return isJsonObject(given) && given['poll'] !== undefined;
}
