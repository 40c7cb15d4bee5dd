import type { ClientMetadata } from 'oidc-provider';
import type { IssuerParts } from './provider-parts.js';

/** The clients that are part of the platform, at the issuer that they are known to: public ones, with PKCE. */
export function ownClients({ issuer, resources }: Pick<IssuerParts, 'issuer' | 'resources'>): ClientMetadata[] {
  return resources.ownClients(issuer).map(({ id, name, redirectPaths }) => ({
    client_id: id,
    client_name: name,
    redirect_uris: redirectPaths.map((path) => `${issuer}${path}`),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }));
}
