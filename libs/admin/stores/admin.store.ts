import type { StaticTokenStore } from '#access/static-token.store.js';
import type { AccountStore } from '#authorization/stores/account.store.js';
import type { ClientStore } from '#authorization/stores/client.store.js';
import type { Change } from '#events/change.js';
import type { OutboxEntry } from '#events/outbox.js';
import type { AdminKeyRows } from './admin-key.rows.js';
import type { AdminTenantRows } from './admin-tenant.rows.js';
import type { AnswerRows } from './answer.rows.js';
import type { CredentialRows } from './credential.rows.js';
import type { HistoryRows } from './history.rows.js';
import type { ListenerRows } from './listener.rows.js';
import type { MemberRows } from './member.rows.js';
import type { SecretRows } from './secret.rows.js';
import type { SourceRows } from './source.rows.js';

/** All rows that the admin API is about, of one database session. */
export interface AdminRows {
  readonly tenants: AdminTenantRows;
  readonly sources: SourceRows;
  readonly secrets: SecretRows;
  readonly keys: AdminKeyRows;
  readonly history: HistoryRows;
  readonly answers: AnswerRows;
  readonly members: MemberRows;
  readonly credentials: CredentialRows;
  readonly listeners: ListenerRows;
  /** The stores of the stages, in the same session. */
  readonly accounts: AccountStore;
  readonly clients: ClientStore;
  readonly tokens: StaticTokenStore;
  /** Writes changes into the outbox. */
  announce(changes: readonly Change[]): Promise<readonly OutboxEntry[]>;
}

/** Where the admin API keeps everything. */
export abstract class AdminStore {
  /** To read from, outside of any transaction. */
  abstract readonly rows: AdminRows;

  /** Deletes up to 1,000 kept answers that expired before this; returns how many. */
  abstract sweepAnswers(before: Date): Promise<number>;

  /** Deletes up to 1,000 admin keys that expired before this; returns how many. */
  abstract sweepKeys(before: Date): Promise<number>;

  /** Deletes up to 1,000 entries of the history that are older than this; returns how many. */
  abstract sweepHistory(before: Date): Promise<number>;

  /** Deletes a tenant whose grace ended before this, with all that is its, and tells every node; returns how many. */
  abstract sweepTenants(before: Date): Promise<number>;

  /** Runs the work in one transaction: what it wrote is there when it resolves, and is not when it rejects. */
  abstract transaction<T>(work: (rows: AdminRows) => Promise<T>): Promise<T>;
}
