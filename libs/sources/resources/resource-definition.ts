import { z } from 'zod';
import { completionDefinition } from '../completions/completion-definition.js';
import { annotations, base64Data, mimeType, primitiveFields } from '../definitions/common-fields.js';
import { strictObject } from '../definitions/strict-object.js';

const MAX_URI = 2_048;
/** In characters. */
const MAX_TEXT = 1_000_000;
/** Where the contents come from. */
const CONTENTS = ['text', 'blob'] as const;
const A_YEAR_MS = 31_536_000_000;

/** How the platform hears that what stands behind a resource has changed. */
const updates = strictObject({
  /** Signed messages of the tenant's own systems; `secret` names the secret that they are signed with. */
  webhook: strictObject({ secret: z.string().min(1).max(128) }).exactOptional(),
  /** The platform looks by itself. */
  poll: strictObject({ intervalSeconds: z.int().min(10).max(86_400) }).exactOptional(),
});

/** A resource as it is registered: at a URI or at all URIs of a template; a text, bytes, or what a URL answers. */
export const resourceDefinition = strictObject({
  ...primitiveFields,
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
    [has('uri') === has('uriTemplate'), 'uri', 'Give either "uri" or "uriTemplate"'],
    [CONTENTS.filter(has).length !== 1, 'text', `Give one of ${CONTENTS.join(', ')}`],
    [has('uriTemplate') && has('blob'), 'blob', 'Bytes have one URI: give "uri"'],
    [has('uriTemplate') && has('size'), 'size', 'What a template stands for has no one size: leave it out'],
    [has('uri') && has('completions'), 'completions', 'Only a "uriTemplate" has variables to complete'],
  ];
  return rules.flatMap(([isBroken, member, message]) => (isBroken ? [[member, message] as const] : []));
}
