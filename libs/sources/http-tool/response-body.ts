import type { OutboundResponse } from '#outbound/outbound-request.js';
import type { JsonValue } from '#protocol/json.js';
import { JsonTextError, parseJson } from '#protocol/json-text.js';
import { hideSecrets } from './hide-secrets.js';

/** How deeply a response may be nested. */
const MAX_DEPTH = 128;

const TEXT =
  /^(?:text\/|application\/(?:xml|javascript|yaml|x-yaml|x-ndjson|ndjson|toml|sql|graphql|x-www-form-urlencoded)$|.*\+(?:xml|yaml)$)/;

/** RFC 9110 section 8.3.1. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

/** The media type in lower case, without parameters; empty when the service named none. */
export function mediaTypeOf({ headers }: OutboundResponse): string {
  const [type = ''] = (headers['content-type'] ?? '').split(/[;,]/, 1);
  const named = type.trim().toLowerCase();
  return MEDIA_TYPE.test(named) ? named : '';
}

export function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json') || mediaType === 'text/json';
}

export function isText(mediaType: string): boolean {
  return TEXT.test(mediaType);
}

/** The body as text, in the charset that the service named, without the secrets that were sent. */
export function textIn(response: OutboundResponse, secrets: readonly string[]): string {
  return hideSecrets(decode(response), secrets);
}

/** Undefined when it is not JSON. */
export function jsonIn(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: parseJson(text, MAX_DEPTH) as JsonValue };
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

/** The body as bytes, without the secrets that were sent. */
export function bytesIn({ body }: OutboundResponse, secrets: readonly string[]): Buffer {
  if (!secrets.some((secret) => body.includes(secret))) return body;
  return Buffer.from(hideSecrets(body.toString('latin1'), secrets), 'latin1');
}

function decode({ headers, body }: OutboundResponse): string {
  const [, charset = 'utf-8'] = /charset="?([\w.:-]+)/i.exec(headers['content-type'] ?? '') ?? [];
  if (/^utf-?8$/i.test(charset)) return body.toString('utf8');
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}
