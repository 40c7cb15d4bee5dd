import type { StaticTokenRecord } from '#access/static-token.store.js';
import type { ClientRecord } from '#authorization/stores/client.store.js';
import type { PageTerms } from './page.js';

/** What machines and applications show; `ClientStore` and `StaticTokenStore` change them. All lists: the newest first. */
export interface CredentialRows {
  clients(tenantId: string, page: PageTerms): Promise<readonly ClientRecord[]>;

  countClients(tenantId: string): Promise<number>;

  /** Static tokens that are good. */
  tokens(tenantId: string, page: PageTerms): Promise<readonly StaticTokenRecord[]>;

  /** A static token that is good. */
  token(tenantId: string, id: string): Promise<StaticTokenRecord | undefined>;

  countTokens(tenantId: string): Promise<number>;
}
