/** What a request brought to show who calls, as its binding received it. */
export interface Credentials {
  /** The `Authorization` field; undefined when there is none. */
  readonly authorization: string | undefined;
  /** True when the field came more than once. */
  readonly repeated: boolean;
  /** True when the URL's query has an `access_token`. */
  readonly inQuery: boolean;
  /** What the request came on, where there is such a thing: the next one on it mostly brings the same. */
  readonly connection?: object;
}

export const NO_CREDENTIALS: Credentials = { authorization: undefined, repeated: false, inQuery: false };

/** Why a request shows no token that could be looked at. */
export type CredentialFault = 'missing' | 'repeated' | 'in_query' | 'too_long' | 'scheme' | 'malformed';

/** The longest field that is looked at, in characters. */
const MAX_LENGTH = 8_192;
const SCHEME = /^bearer +/i;
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** The bearer token of a request, sent in the one way that is good here (RFC 6750 section 2.1), or what is wrong. */
export function readBearer(credentials: Credentials): { readonly token: string } | { readonly fault: CredentialFault } {
  const { authorization, repeated, inQuery } = credentials;
  if (inQuery) return { fault: 'in_query' };
  if (authorization === undefined) return { fault: 'missing' };
  if (repeated) return { fault: 'repeated' };
  if (authorization.length > MAX_LENGTH) return { fault: 'too_long' };
  const [scheme] = SCHEME.exec(authorization) ?? [];
  return scheme === undefined ? { fault: 'scheme' } : { token: authorization.slice(scheme.length) };
}

/** Whether the text can be a bearer token at all: of all that are remembered it is known already. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text);
}
