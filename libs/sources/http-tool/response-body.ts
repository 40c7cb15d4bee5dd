import type { OutboundResponse } from '#outbound/outbound-request.js';
import type { JsonValue } from '#protocol/json.js';
import { JsonTextError, parseJson } from '#protocol/json-text.js';

/** How deeply a response may be nested. */
const MAX_DEPTH = 128;
/** Standing in for a secret that a service sent back. */
const HIDDEN = '[hidden]';
/** Shorter ones would be found where they do not stand. */
const LEAST_SECRET = 6;

const TEXT =
  /^(?:text\/|application\/(?:xml|javascript|yaml|x-yaml|x-ndjson|ndjson|toml|sql|graphql|x-www-form-urlencoded)$|.*\+(?:xml|yaml)$)/;

/** The media type in lower case, without parameters; empty when the service named none. */
export function mediaTypeOf({ headers }: OutboundResponse): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
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

/** The text without these secrets, which a service may send back. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let hidden = text;
  for (const secret of secrets)
    if (secret.length >= LEAST_SECRET && hidden.includes(secret)) hidden = hidden.replaceAll(secret, HIDDEN);
  return hidden;
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
