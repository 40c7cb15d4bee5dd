import type { INestApplicationContext } from '@nestjs/common';
import { ADMIN_RESOURCE } from '#admin/access/admin-resource.js';
import { KnownBrowsers } from '#authorization/accounts/known-browsers.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import { PasswordSignIn } from '#authorization/accounts/sign-in.js';
import { createLimits } from '#authorization/http/limits.js';
import type { AuthorizationOptions } from '#authorization/http/serve-authorization.js';
import { SigningKeys } from '#authorization/keys/signing-keys.js';
import { Issuers } from '#authorization/provider/issuers.js';
import { ProtectedResources } from '#authorization/provider/protected-resources.js';
import type { FetchClientDocument } from '#authorization/provider/provider-parts.js';
import { rememberingFetch } from '#authorization/provider/remembering-fetch.js';
import type { AuthorizationStores } from '#authorization/provider/stores.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import { RecordStore } from '#authorization/stores/record.store.js';
import { SignInFailureStore } from '#authorization/stores/sign-in-failure.store.js';
import { UpstreamProviders } from '#authorization/upstream/upstream-providers.js';
import { UpstreamSignIn } from '#authorization/upstream/upstream-sign-in.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import { ChangeAnnouncer } from '#events/change-announcer.js';
import type { TenantPlaces } from '#tenancy/tenant-address.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import type { Booted } from './booted.js';
import { clientAddress } from './client-address.js';

/** What the authorization server shares with the rest of the platform. */
export interface AuthorizationSurroundings {
  readonly places: TenantPlaces;
  readonly directory: TenantDirectory;
  readonly fetch: FetchClientDocument;
  readonly isStopping: () => boolean;
}

/** Puts the authorization server together. */
export function createAuthorization(
  { app, environment, keys, logger }: Booted,
  { places, directory, fetch, isStopping }: AuthorizationSurroundings,
): AuthorizationOptions {
  const stores = storesOf(app);
  const announcer = app.get(ChangeAnnouncer);
  const modules = app.get(ModuleRegistry);
  const resources = new ProtectedResources(directory, app.get(TenantStore), places, [ADMIN_RESOURCE]);
  const onFailure = (error: unknown): void => logger.error({ err: error }, 'The authorization server failed');
  const onRevoked = (tenantId: string, subject: string): void => {
    void announcer.announce({ type: 'revocation', tenantId, subject }); // never rejects
  };
  const parts = {
    stores,
    resources,
    recordKeys: keys.derive('oauth records'),
    cookieKeys: keys.derive('oauth cookies').map(({ key }) => key.toString('base64url')),
    fetch: rememberingFetch(fetch),
    platformScopes: () => modules.scopes,
    onRevoked,
    onFailure,
  };
  return {
    issuers: new Issuers(parts, app.get(SigningKeys)),
    resources,
    stores,
    limits: createLimits(environment.OAUTH_RATE_FACTOR),
    signIn: new PasswordSignIn(stores.accounts, app.get(SignInFailureStore), app.get(Passwords)),
    browsers: new KnownBrowsers(keys.derive('known browsers')),
    upstream: new UpstreamSignIn({
      accounts: stores.accounts,
      providers: new UpstreamProviders({ secretKeys: keys.derive('upstream secret'), fetch }),
      cookieKeys: keys.derive('upstream cookies'),
      onFailure,
    }),
    csrfKeys: keys.derive('interaction form'),
    addressOf: clientAddress(environment.TRUSTED_PROXIES),
    isStopping,
    onFailure,
  };
}

function storesOf(app: INestApplicationContext): AuthorizationStores {
  return {
    accounts: app.get(AccountStore),
    clients: app.get(ClientStore),
    grants: app.get(GrantStore),
    records: app.get(RecordStore),
  };
}
