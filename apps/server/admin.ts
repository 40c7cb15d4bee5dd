import type { INestApplicationContext } from '@nestjs/common';
import { AccessTokenStrategy } from '#access/access-token.strategy.js';
import { resourceMetadataUrl } from '#access/challenges.js';
import { EmbeddedKeys } from '#access/key-source.js';
import { RememberingKeys } from '#access/remembering-keys.js';
import type { AdminParts } from '#admin/admin-parts.js';
import { AdminAuthenticator } from '#admin/access/admin-authenticator.js';
import { AdminKeys } from '#admin/access/admin-keys.js';
import { ADMIN_RESOURCE } from '#admin/access/admin-resource.js';
import { OAuthTokens } from '#admin/access/oauth-tokens.js';
import { CatalogueChanges } from '#admin/changes/catalogue-changes.js';
import { CatalogueCheck } from '#admin/changes/catalogue-check.js';
import { CatalogueHealth } from '#admin/changes/catalogue-health.js';
import { Changes } from '#admin/changes/changes.js';
import { KeptAnswers } from '#admin/changes/kept-answers.js';
import { Cursors } from '#admin/http/cursors.js';
import type { AdminServing } from '#admin/http/serve-admin.js';
import { adminRoutes } from '#admin/routes/admin-routes.js';
import { AdminStore } from '#admin/stores/admin.store.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import type { PasswordSignIn } from '#authorization/accounts/sign-in.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { readConfiguration } from '#catalogue/modules/read-configuration.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import { ChangeRelay } from '#events/change-relay.js';
import { isUnavailable } from '#persistence/database-errors.js';
import type { ResourceNotifications } from '#sources/notifications/resource-notifications.js';
import { mainAddress, type TenantPlaces } from '#tenancy/tenant-address.js';
import type { Booted } from './booted.js';
import { clientAddress } from './client-address.js';
import type { Registered } from './registered.js';
import { VERSION } from './version.js';

/** What the admin API shares with the rest of the platform. */
export interface AdminSurroundings {
  readonly registered: Registered;
  readonly directory: TenantDirectory;
  readonly notifications: ResourceNotifications;
  readonly signIn: PasswordSignIn;
  readonly places: TenantPlaces;
}

/** Puts the admin API together. */
export function createAdmin(booted: Booted, around: AdminSurroundings): AdminServing {
  const { app, environment, keys, logger } = booted;
  const { rows } = app.get(AdminStore);
  return {
    routes: adminRoutes(partsOf(booted, around)),
    authenticator: new AdminAuthenticator([new AdminKeys(rows.keys), oauthTokens(app, around.places)], () =>
      resourceMetadataUrl(adminAddress(around.places)),
    ),
    tenants: rows.tenants,
    cursors: new Cursors(keys),
    jsonDepth: environment.JSON_DEPTH,
    addressOf: clientAddress(environment.TRUSTED_PROXIES),
    isUnavailable,
    onFailure: (error, correlationId) => logger.error({ err: error, correlationId }, 'The admin API failed'),
  };
}

function partsOf({ app, keys }: Booted, around: AdminSurroundings): AdminParts {
  const { directory, notifications, places, signIn, registered } = around;
  const store = app.get(AdminStore);
  const modules = app.get(ModuleRegistry);
  const changes = new Changes(store, new KeptAnswers(keys), app.get(ChangeRelay));
  const check = new CatalogueCheck(registered.compiler);
  return {
    store,
    changes,
    catalogues: new CatalogueChanges(changes, check, directory),
    check,
    health: new CatalogueHealth(directory, check),
    inspector: registered.inspector,
    keys,
    vault: registered.secrets,
    passwords: app.get(Passwords),
    signIn,
    notifications,
    version: VERSION,
    modules: () =>
      modules.all.map(({ name, title, instructions, configuration }) => {
        return { name, title, instructions, configuration: configuration?.json };
      }),
    readConfiguration: (name, given) => {
      const module = modules.get(name);
      return module && readConfiguration(module, given);
    },
    urlOf: (slug) => mainAddress(slug, places).resource,
  };
}

/** Tokens of the platform's own issuer for the admin API. */
function oauthTokens(app: INestApplicationContext, { publicOrigin }: TenantPlaces): OAuthTokens {
  return new OAuthTokens({
    strategy: app.get(AccessTokenStrategy),
    keys: new RememberingKeys(app.get(EmbeddedKeys)),
    accounts: app.get(AccountStore),
    grants: app.get(GrantStore),
    publicOrigin,
  });
}

function adminAddress({ publicOrigin }: TenantPlaces): { readonly origin: string; readonly resource: string } {
  const origin = publicOrigin();
  return { origin, resource: `${origin}${ADMIN_RESOURCE.path}` };
}
