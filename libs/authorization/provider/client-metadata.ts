import { type ClientMetadata, errors } from 'oidc-provider';

/** What clients that register themselves, or by a document, may do; the rest is an admin's to give. */
const OWN_GRANT_TYPES: ReadonlySet<string> = new Set([
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
]);
const MAX_REDIRECT_URIS = 20;
const MAX_URI_LENGTH = 2_048;
const MAX_NAME_LENGTH = 200;
/** Hosts of redirect URIs that are this computer, as the provider has them (RFC 8252 section 7.3). */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** What can be a name in a token (`libs/access/token-claims.ts`). */
const MAX_ID_LENGTH = 512;

/** Browsers leave some of these out of a URI, and so would find another scheme in it. */
const IN_NO_URI = /[\p{Cc} ]/u;
/** Schemes of redirect URIs with which a browser would run or show something itself. */
const DANGEROUS_SCHEME = /^(?:javascript|data|vbscript|file|blob|about|view-source|filesystem|ftp|ws|wss|mailto):/i;

/**
 * Bends what hosts send into what the provider takes, before it looks: scopes in a registration do not pin the client,
 * loopback and custom-scheme redirects are good, and whoever may have codes may refresh.
 * @throws errors.InvalidClientMetadata, which is `invalid_redirect_uri` to clients where the text begins with redirect_uris
 */
export function adaptClientMetadata(metadata: ClientMetadata): void {
  checkRedirectUris(metadata.redirect_uris);
  checkName(metadata);
  metadata.application_type = 'native';
  delete metadata.scope;
  delete metadata.default_max_age;
  delete metadata.require_auth_time;
  delete metadata.sector_identifier_uri;
  delete metadata.subject_type;
  if (/^HS/.test(metadata.id_token_signed_response_alg ?? '')) delete metadata.id_token_signed_response_alg;
  if (isDocumentUrl(metadata.client_id)) {
    checkId(metadata);
    metadata.token_endpoint_auth_method = documentMethod(metadata);
    metadata.grant_types = ownGrantTypes(metadata.grant_types);
  }
  if (metadata.grant_types?.includes('authorization_code') !== false) {
    metadata.grant_types = [...new Set([...(metadata.grant_types ?? ['authorization_code']), 'refresh_token'])];
  }
}

/** A client's own choice of grants, as far as it is its own to make. */
export function ownGrantTypes(asked: unknown): string[] {
  if (asked === undefined) return ['authorization_code', 'refresh_token'];
  const types = Array.isArray(asked) ? asked.filter((type): type is string => typeof type === 'string') : [];
  const kept = types.filter((type) => OWN_GRANT_TYPES.has(type));
  if (kept.length > 0) return kept;
  throw new errors.InvalidClientMetadata(
    'grant_types must include authorization_code or the device code grant. For client_credentials, ask the admin of the MCP server to register the client.',
  );
}

export function isDocumentUrl(clientId: unknown): boolean {
  return typeof clientId === 'string' && /^https:\/\//i.test(clientId);
}

/** Documents are of public clients unless they bring keys (draft-ietf-oauth-client-id-metadata-document). */
function documentMethod({ token_endpoint_auth_method: method }: ClientMetadata): 'none' | 'private_key_jwt' {
  return method === 'private_key_jwt' ? method : 'none';
}

function checkRedirectUris(uris: unknown): void {
  if (uris === undefined) return;
  if (!Array.isArray(uris) || uris.length > MAX_REDIRECT_URIS || !uris.every(isShort)) {
    throw new errors.InvalidClientMetadata(
      `redirect_uris must be at most ${MAX_REDIRECT_URIS} URIs of at most ${MAX_URI_LENGTH} characters`,
    );
  }
  if (uris.some((uri) => IN_NO_URI.test(uri))) {
    throw new errors.InvalidClientMetadata('redirect_uris must not contain spaces or control characters');
  }
  if (uris.some((uri) => DANGEROUS_SCHEME.test(uri))) {
    throw new errors.InvalidClientMetadata('redirect_uris must not use a scheme that browsers treat themselves');
  }
}

function isShort(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.length <= MAX_URI_LENGTH;
}

function checkName({ client_name: name }: ClientMetadata): void {
  if (typeof name === 'string' && name.length > MAX_NAME_LENGTH) {
    throw new errors.InvalidClientMetadata(`client_name must be at most ${MAX_NAME_LENGTH} characters`);
  }
}

function checkId({ client_id: id }: ClientMetadata): void {
  if (id.length > MAX_ID_LENGTH) {
    throw new errors.InvalidClientMetadata(`client_id must be at most ${MAX_ID_LENGTH} characters`);
  }
}
