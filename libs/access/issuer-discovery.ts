import { isJsonObject } from '#protocol/json.js';

/** `fetch`, as far as it is used here. */
export type FetchDocument = (
  url: string,
  init: { readonly headers: Readonly<Record<string, string>> },
) => Promise<Response>;

const JSON_ONLY = { headers: { accept: 'application/json' } };

/**
 * Where an issuer may have its metadata: OpenID Connect Discovery (section 4), and RFC 8414 (sections 3 and 5), which puts
 * the well-known path in front of the issuer's own.
 */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    ...new Set([
      `${origin}${path}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
    ]),
  ];
}

/** A server answered, and not with what was wanted. */
class DocumentFault extends Error {}

/**
 * The URL of an issuer's keys, by discovery. A document that names another issuer, in whatever byte, is none of it.
 * @throws Error when no document is good, or the issuer cannot be reached
 */
export async function discoverKeySet(issuer: string, fetchDocument: FetchDocument): Promise<string> {
  const faults: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      return keySetOf(await fetchJson(url, fetchDocument), issuer);
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      faults.push(`${url} ${error.message}`);
    }
  }
  throw new Error(`The issuer ${issuer} has no metadata: ${faults.join('; ')}.`);
}

function keySetOf(metadata: Readonly<Record<string, unknown>>, issuer: string): string {
  const { jwks_uri: keys } = metadata;
  if (metadata['issuer'] !== issuer) throw new DocumentFault("is another issuer's");
  if (typeof keys !== 'string' || !URL.canParse(keys)) throw new DocumentFault('names no keys');
  return keys;
}

/** @throws Error when there is no JSON object there */
export async function fetchJson(url: string, fetchDocument: FetchDocument): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetchDocument(url, JSON_ONLY);
  if (response.status !== 200) throw new DocumentFault(`answers with ${response.status}`);
  const value: unknown = await response.json().catch(() => undefined);
  if (!isJsonObject(value)) throw new DocumentFault('has no JSON object');
  return value;
}
