import { z } from 'zod';
import { strictMembers } from '../read-definition.js';

const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 4_096;

export const mimeType = z.string().max(255).regex(MIME_TYPE, 'this is no media type\nWrite it like "text/markdown".');

export const title = z.string().max(MAX_TITLE);

export const description = z.string().max(MAX_DESCRIPTION);

/** `_meta`; which keys may be used is checked where a primitive is compiled. */
export const meta = z.record(z.string(), z.json());

export const icons = z
  .array(
    strictMembers({
      src: z.string().max(65_536),
      mimeType: mimeType.exactOptional(),
      sizes: z.array(z.string().max(32)).max(16).exactOptional(),
      theme: z.enum(['light', 'dark']).exactOptional(),
    }),
  )
  .max(8);

export const role = z.enum(['user', 'assistant']);

/** `Annotations` of the specification's schema. */
export const annotations = strictMembers({
  audience: z.array(role).max(2).exactOptional(),
  priority: z.number().min(0).max(1).exactOptional(),
  lastModified: z.string().max(64).exactOptional(),
});

/** What every primitive has, however it is made. */
export const describedFields = {
  name: z.string().exactOptional(),
  title: title.exactOptional(),
  description: description.exactOptional(),
  icons: icons.exactOptional(),
  _meta: meta.exactOptional(),
  scopes: z.array(z.string()).max(32).exactOptional(),
};

/** Base64 in the length that stands in rows and results well. */
export const base64Data = z.base64('this is not base64\nGive base64 with padding, in one line.').max(1_400_000);
