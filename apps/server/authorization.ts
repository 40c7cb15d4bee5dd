import { ADMIN_RESOURCE } from '#admin/access/admin-resource.js';
import { KnownBrowsers } from '#authorization/accounts/known-browsers.js';
import type { Passwords } from '#authorization/accounts/passwords.js';
import { PasswordSignIn } from '#authorization/accounts/sign-in.js';
import { createLimits } from '#authorization/http/limits.js';
import type { AuthorizationOptions } from '#authorization/http/serve-authorization.js';
import type { SigningKeys } from '#authorization/keys/signing-keys.js';
import { Issuers } from '#authorization/provider/issuers.js';
import { ProtectedResources } from '#authorization/provider/protected-resources.js';
import type { FetchClientDocument } from '#authorization/provider/provider-parts.js';
import { rememberingFetch } from '#authorization/provider/remembering-fetch.js';
import type { AuthorizationStores } from '#authorization/provider/stores.js';
import type { SignInFailureStore } from '#authorization/stores/sign-in-failure.store.js';
import { UpstreamProviders } from '#authorization/upstream/upstream-providers.js';
import { UpstreamSignIn } from '#authorization/upstream/upstream-sign-in.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { ChangeAnnouncer } from '#events/change-announcer.js';
import type { KeyRing } from '#protocol/key-ring.js';
import type { TenantPlaces } from '#tenancy/tenant-address.js';
import type { TenantStore } from '#tenancy/tenant.store.js';
import type { Logger } from '#telemetry/logger.js';
import { clientAddress } from './client-address.js';
import type { Environment } from './config/config.js';

export interface AuthorizationInputs {
  readonly environment: Environment;
  readonly keys: KeyRing;
  readonly signingKeys: SigningKeys;
  readonly places: TenantPlaces;
  readonly directory: TenantDirectory;
  readonly tenants: TenantStore;
  readonly stores: AuthorizationStores;
  readonly failures: SignInFailureStore;
  readonly passwords: Passwords;
  readonly announcer: ChangeAnnouncer;
  readonly fetch: FetchClientDocument;
  readonly platformScopes: () => readonly string[];
  readonly logger: Logger;
  readonly isStopping: () => boolean;
}

/** Puts the authorization server together. */
export function createAuthorization(inputs: AuthorizationInputs): AuthorizationOptions {
  const { environment, keys, stores, announcer, logger, fetch } = inputs;
  const resources = new ProtectedResources(inputs.directory, inputs.tenants, inputs.places, [ADMIN_RESOURCE]);
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
    platformScopes: inputs.platformScopes,
    onRevoked,
    onFailure,
  };
  return {
    issuers: new Issuers(parts, inputs.signingKeys),
    resources,
    stores,
    limits: createLimits(environment.OAUTH_RATE_FACTOR),
    signIn: new PasswordSignIn(stores.accounts, inputs.failures, inputs.passwords),
    browsers: new KnownBrowsers(keys.derive('known browsers')),
    upstream: new UpstreamSignIn({
      accounts: stores.accounts,
      providers: new UpstreamProviders({ secretKeys: keys.derive('upstream secret'), fetch }),
      cookieKeys: keys.derive('upstream cookies'),
      onFailure,
    }),
    csrfKeys: keys.derive('interaction form'),
    addressOf: clientAddress(environment.TRUSTED_PROXIES),
    isStopping: inputs.isStopping,
    onFailure,
  };
}
