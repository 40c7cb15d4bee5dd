import type { Change } from '#events/change.js';
import type { OutboxEntry } from '#events/outbox.js';
import type { AdminKeyRows } from './admin-key.rows.js';
import type { AdminTenantRows } from './admin-tenant.rows.js';
import type { AnswerRows } from './answer.rows.js';
import type { HistoryRows } from './history.rows.js';
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
  /** Writes changes into the outbox. */
  announce(changes: readonly Change[]): Promise<readonly OutboxEntry[]>;
}

/** Where the admin API keeps everything. */
export abstract class AdminStore {
  /** To read from, outside of any transaction. */
  abstract readonly rows: AdminRows;

  /** Runs the work in one transaction: what it wrote is there when it resolves, and is not when it rejects. */
  abstract transaction<T>(work: (rows: AdminRows) => Promise<T>): Promise<T>;
}
