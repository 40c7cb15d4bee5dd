import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import type { NewTenant } from '#tenancy/tenant.store.js';
import { TenantStore } from '#tenancy/tenant.store.js';

/** The tenant that the suite gets a token for. */
export const AUTHORIZATION_TENANT: NewTenant = {
  slug: 'authorization',
  title: 'Conformance of the authorization server',
  access: 'oauth',
  activations: [],
};

/** What the suite, and the person who signs in for it, are told. */
export interface AuthorizationTarget {
  readonly issuer: string;
  readonly resource: string;
  readonly clientId: string;
  readonly email: string;
  readonly password: string;
}

/** Makes the person and the client: public, registered by the tenant's admin, redirected to this computer. */
export async function prepareAuthorization(app: NestFastifyApplication, issuer: string): Promise<AuthorizationTarget> {
  const { slug } = AUTHORIZATION_TENANT;
  const [email, password, clientId] = ['person@example.com', 'conformance-password', 'conformance'];
  const tenant = await app.get(TenantStore).findBySlug(slug);
  if (!tenant) throw new Error(`There is no tenant "${slug}".`);
  const passwordHash = await app.get(Passwords).hash(password);
  const account = await app.get(AccountStore).create({ login: email, name: 'Person', passwordHash });
  await app.get(AccountStore).setMembership(tenant.id, account.id, 'member');
  const metadata = {
    client_name: 'The conformance suite',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
  };
  await app.get(ClientStore).save({ id: clientId, issuer: null, tenantId: tenant.id, metadata, secretHash: null });
  return { issuer, resource: `${issuer}/t/${slug}/mcp`, clientId, email, password };
}
