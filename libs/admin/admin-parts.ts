import type { Passwords } from '#authorization/accounts/passwords.js';
import type { PasswordSignIn } from '#authorization/accounts/sign-in.js';
import type { JsonObject } from '#protocol/json.js';
import type { KeyRing } from '#protocol/key-ring.js';
import type { ResourceNotifications } from '#sources/notifications/resource-notifications.js';
import type { SecretVault } from '#sources/secrets/secret-vault.js';
import type { CatalogueChanges } from './changes/catalogue-changes.js';
import type { CatalogueCheck } from './changes/catalogue-check.js';
import type { CatalogueHealth } from './changes/catalogue-health.js';
import type { Changes } from './changes/changes.js';
import type { SourceInspector } from './changes/source-inspector.js';
import type { AdminStore } from './stores/admin.store.js';

/** A code module of this process. */
export interface ModuleSummary {
  readonly name: string;
  readonly title: string | undefined;
  readonly instructions: string | undefined;
  /** The JSON Schema of what a tenant may set; undefined where that is nothing. */
  readonly configuration: JsonObject | undefined;
}

/** What the routes work with. */
export interface AdminParts {
  readonly store: AdminStore;
  readonly changes: Changes;
  readonly catalogues: CatalogueChanges;
  readonly check: Pick<CatalogueCheck, 'look'>;
  readonly health: CatalogueHealth;
  readonly inspector: SourceInspector;
  /** Seals what the access policy holds. */
  readonly keys: KeyRing;
  readonly vault: Pick<SecretVault, 'seal'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly signIn: Pick<PasswordSignIn, 'attempt'>;
  /** Hears that contents of resources have changed. */
  readonly notifications: Pick<ResourceNotifications, 'notify'>;
  /** The platform's version. */
  readonly version: string;
  /** What was set for a module, if it fits. @throws DefinitionError, or undefined where there is no such module */
  readonly readConfiguration: (module: string, given: JsonObject) => Promise<unknown> | undefined;
  /** The code modules that tenants can activate. */
  readonly modules: () => readonly ModuleSummary[];
  /** The URL of a tenant's MCP endpoint. */
  readonly urlOf: (slug: string) => string;
}
