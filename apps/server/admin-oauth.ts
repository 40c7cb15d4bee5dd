import type { INestApplicationContext } from '@nestjs/common';
import { AccessTokenStrategy } from '#access/access-token.strategy.js';
import { resourceMetadataUrl } from '#access/challenges.js';
import { EmbeddedKeys } from '#access/key-source.js';
import { RememberingKeys } from '#access/remembering-keys.js';
import { ADMIN_RESOURCE } from '#admin/access/admin-resource.js';
import { OAuthTokens } from '#admin/access/oauth-tokens.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import type { TenantPlaces } from '#tenancy/tenant-address.js';
import type { AdminInputs } from './admin.js';

/** Has the admin API take the tokens of the platform's own issuer, and say that it does. */
export function adminOAuth(
  app: INestApplicationContext,
  { publicOrigin }: TenantPlaces,
): Pick<AdminInputs, 'tokens' | 'metadataUrl'> {
  const tokens = new OAuthTokens({
    strategy: app.get(AccessTokenStrategy),
    keys: new RememberingKeys(app.get(EmbeddedKeys)),
    accounts: app.get(AccountStore),
    grants: app.get(GrantStore),
    publicOrigin,
  });
  const metadataUrl = (): string =>
    resourceMetadataUrl({ origin: publicOrigin(), resource: `${publicOrigin()}${ADMIN_RESOURCE.path}` });
  return { tokens: [tokens], metadataUrl };
}
