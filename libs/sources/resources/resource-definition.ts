import { z } from 'zod';
import { completionDefinition } from '../completions/completion-definition.js';
import { annotations, base64Data, mimeType, primitiveFields } from '../definitions/common-fields.js';
import { strictObject } from '../definitions/strict-object.js';

const MAX_URI = 2_048;
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
  size: z.int().min(0).exactOptional(),
  ttlMs: z.int().min(0).max(A_YEAR_MS).exactOptional(),
  cacheScope: z.enum(['public', 'private']).exactOptional(),
  text: z.string().max(1_000_000).exactOptional(),
  blob: base64Data.exactOptional(),
  /** By variable of the template. */
  completions: z.record(z.string(), completionDefinition).exactOptional(),
  updates: updates.exactOptional(),
});

export type ResourceDefinition = z.output<typeof resourceDefinition>;
