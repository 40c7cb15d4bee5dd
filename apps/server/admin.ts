import type { AdminParts } from '#admin/admin-parts.js';
import { AdminAuthenticator } from '#admin/access/admin-authenticator.js';
import { AdminKeys } from '#admin/access/admin-keys.js';
import type { AdminTokens } from '#admin/access/admin-tokens.js';
import { CatalogueChanges } from '#admin/changes/catalogue-changes.js';
import { CatalogueCheck } from '#admin/changes/catalogue-check.js';
import { CatalogueHealth } from '#admin/changes/catalogue-health.js';
import { Changes } from '#admin/changes/changes.js';
import { KeptAnswers } from '#admin/changes/kept-answers.js';
import type { SourceInspector } from '#admin/changes/source-inspector.js';
import { Cursors } from '#admin/http/cursors.js';
import type { AdminServing } from '#admin/http/serve-admin.js';
import { adminRoutes } from '#admin/routes/admin-routes.js';
import type { AdminStore } from '#admin/stores/admin.store.js';
import type { Passwords } from '#authorization/accounts/passwords.js';
import type { PasswordSignIn } from '#authorization/accounts/sign-in.js';
import type { CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import type { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { ChangeRelay } from '#events/change-relay.js';
import { isUnavailable } from '#persistence/database-errors.js';
import type { KeyRing } from '#protocol/key-ring.js';
import type { ResourceNotifications } from '#sources/notifications/resource-notifications.js';
import type { SecretVault } from '#sources/secrets/secret-vault.js';
import { mainAddress, type TenantPlaces } from '#tenancy/tenant-address.js';
import type { Logger } from '#telemetry/logger.js';
import { clientAddress } from './client-address.js';
import type { Environment } from './config/config.js';
import { VERSION } from './version.js';

export interface AdminInputs {
  readonly environment: Environment;
  readonly keys: KeyRing;
  readonly store: AdminStore;
  readonly compiler: CatalogueCompiler;
  readonly directory: TenantDirectory;
  readonly modules: ModuleRegistry;
  readonly vault: SecretVault;
  readonly inspector: SourceInspector;
  readonly relay: ChangeRelay;
  readonly notifications: ResourceNotifications;
  readonly passwords: Passwords;
  readonly signIn: PasswordSignIn;
  readonly places: TenantPlaces;
  /** Kinds of tokens besides admin keys. */
  readonly tokens: readonly AdminTokens[];
  /** Where the document is that says where tokens come from. */
  readonly metadataUrl: () => string | undefined;
  readonly logger: Logger;
}

/** Puts the admin API together. */
export function createAdmin(inputs: AdminInputs): AdminServing {
  const { environment, keys, store, logger } = inputs;
  return {
    routes: adminRoutes(partsOf(inputs)),
    authenticator: new AdminAuthenticator([new AdminKeys(store.rows.keys), ...inputs.tokens], inputs.metadataUrl),
    tenants: store.rows.tenants,
    cursors: new Cursors(keys),
    jsonDepth: environment.JSON_DEPTH,
    addressOf: clientAddress(environment.TRUSTED_PROXIES),
    isUnavailable,
    onFailure: (error, correlationId) => logger.error({ err: error, correlationId }, 'The admin API failed'),
  };
}

function partsOf(inputs: AdminInputs): AdminParts {
  const { keys, store, compiler, directory, modules, places } = inputs;
  const changes = new Changes(store, new KeptAnswers(keys), inputs.relay);
  const check = new CatalogueCheck(compiler);
  return {
    store,
    changes,
    catalogues: new CatalogueChanges(changes, check, directory),
    check,
    health: new CatalogueHealth(directory, check),
    inspector: inputs.inspector,
    keys,
    vault: inputs.vault,
    passwords: inputs.passwords,
    signIn: inputs.signIn,
    notifications: inputs.notifications,
    version: VERSION,
    modules: () => modules.all.map(({ name, title, instructions }) => ({ name, title, instructions })),
    urlOf: (slug) => mainAddress(slug, places).resource,
  };
}
