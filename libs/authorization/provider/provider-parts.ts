import type { PurposeKey } from '#protocol/key-ring.js';
import type { KeySet } from '../keys/signing-keys.js';
import type { AuthorizationStores } from './stores.js';
import type { ProtectedResources } from './protected-resources.js';

/** What of HTTP the provider uses to fetch client id documents and clients' key sets. */
export type FetchClientDocument = (url: string | URL, init: RequestInit) => Promise<Response>;

/** What every issuer of this platform shares. */
export interface ProviderParts {
  readonly stores: AuthorizationStores;
  readonly resources: ProtectedResources;
  /** Seals what the provider writes about others' ids. */
  readonly recordKeys: readonly [PurposeKey, ...PurposeKey[]];
  /** Signs cookies; the first signs, all are accepted. */
  readonly cookieKeys: readonly string[];
  readonly fetch: FetchClientDocument;
  /** The scopes that the primitives of this process name, for the issuer of many tenants. */
  readonly platformScopes: () => readonly string[];
  /** Told of each grant that ended, to pass it on. */
  readonly onRevoked: (tenantId: string, subject: string) => void;
  /** Told of what should not happen. */
  onFailure(error: unknown): void;
}

/** What one issuer is made of. */
export interface IssuerParts extends ProviderParts {
  /** The issuer identifier: an origin. */
  readonly issuer: string;
  readonly keySet: KeySet;
}
