import { isUtf8 } from 'node:buffer';
import type { OutboundResponse } from '#outbound/outbound-request.js';
import { base64 } from '#protocol/base64.js';
import type { ResourceContents } from '#protocol/content.js';
import { bytesIn, isJson, isText, mediaTypeOf, textIn } from '../http-tool/response-body.js';

/** The contents of a resource in what a service answered: text where its type says so, or is not told and fits. */
export function contentsIn(
  response: OutboundResponse,
  {
    uri,
    mimeType,
    secrets,
  }: { readonly uri: string; readonly mimeType: string | undefined; readonly secrets: readonly string[] },
): ResourceContents {
  const answered = mediaTypeOf(response);
  const type = mimeType ?? (answered === '' ? undefined : answered);
  const described = { uri, ...(type !== undefined && { mimeType: type }) };
  if (isTextual(type, response.body)) return { ...described, text: textIn(response, secrets) };
  return { ...described, blob: base64(bytesIn(response, secrets)) };
}

function isTextual(type: string | undefined, body: Buffer): boolean {
  if (type === undefined) return isUtf8(body);
  const [essence = ''] = type.toLowerCase().split(';', 1);
  return isText(essence.trim()) || isJson(essence.trim());
}
