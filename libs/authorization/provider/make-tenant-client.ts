import { randomUUID } from 'node:crypto';
import type { NewClient } from '../stores/client.store.js';
import { makeClientSecret } from './client.adapter.js';
import { idHash } from './record.adapter.js';
import { checkClient } from './redirect-uris.js';

/** A client that a tenant's admin asks for. */
export interface ClientRequest {
  readonly tenantId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Whether it has no secret: what runs on people's devices cannot keep one. */
  readonly isPublic: boolean;
  /** Whether it gets tokens for itself (client credentials). */
  readonly isAgent: boolean;
  /** All it may ask for; whatever the tenant has when undefined. */
  readonly scopes: readonly string[] | undefined;
}

export interface MadeClient {
  readonly record: NewClient;
  /** To be shown this once: it is kept as a hash. */
  readonly secret: string | undefined;
}

/** Makes an OAuth client of one tenant, for `ClientStore` to save. @throws ClientFault */
export function makeTenantClient(request: ClientRequest): MadeClient {
  const { tenantId, name, redirectUris, isPublic, isAgent, scopes } = request;
  checkClient(name, redirectUris);
  const secret = isPublic ? undefined : makeClientSecret();
  const hasPeople = redirectUris.length > 0;
  const metadata = {
    client_name: name,
    redirect_uris: [...redirectUris],
    response_types: hasPeople ? ['code'] : [],
    grant_types: [
      ...(hasPeople ? ['authorization_code', 'refresh_token'] : []),
      ...(isAgent ? ['client_credentials'] : []),
    ],
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    ...(scopes && { scope: scopes.join(' ') }),
  };
  const secretHash = secret === undefined ? null : idHash(secret);
  return { record: { id: randomUUID(), issuer: null, tenantId, metadata, secretHash }, secret };
}
