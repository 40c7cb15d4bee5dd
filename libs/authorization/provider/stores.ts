import type { AccountStore } from '../stores/account.store.js';
import type { ClientStore } from '../stores/client.store.js';
import type { GrantStore } from '../stores/grant.store.js';
import type { RecordStore } from '../stores/record.store.js';

/** Where the authorization server keeps what it knows. */
export interface AuthorizationStores {
  readonly accounts: AccountStore;
  readonly clients: ClientStore;
  readonly grants: GrantStore;
  readonly records: RecordStore;
}
