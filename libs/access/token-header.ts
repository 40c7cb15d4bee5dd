import { isJsonObject } from '#protocol/json.js';

/** The part of a JWS header (RFC 7515 section 4) that counts here. */
export interface TokenHeader {
  readonly alg: string;
  readonly kid: string;
  /** In lower case, without `application/`. */
  readonly typ: string | undefined;
}

/** Members that name a key or demand something: keys come from the issuer that the tenant names, and from nowhere else. */
const REFUSED = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc'];
const COMPACT = /^([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const KEY_ID = /^[\x21-\x7e]{1,256}$/;

/** The header of a signed token in compact form; undefined when it is none, or asks for what is not done here. */
export function readTokenHeader(token: string): TokenHeader | undefined {
  const [, encoded] = COMPACT.exec(token) ?? [];
  const header = encoded === undefined ? undefined : parse(encoded);
  if (!header || REFUSED.some((member) => Object.hasOwn(header, member))) return undefined;
  const { alg, kid, typ } = header;
  if (typeof alg !== 'string' || typeof kid !== 'string' || !KEY_ID.test(kid)) return undefined;
  if (typ !== undefined && typeof typ !== 'string') return undefined;
  return { alg, kid, typ: typ?.toLowerCase().replace(/^application\//, '') };
}

function parse(encoded: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
