import type { JsonObject } from '#protocol/json.js';
import type { PageTerms } from './page.js';

/** Who changed what of a tenant. */
export interface HistoryRow {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly detail: JsonObject;
  readonly revision: number;
}

export type NewHistoryRow = Omit<HistoryRow, 'id' | 'at'> & { readonly tenantId: string };

/** The history of tenants. */
export interface HistoryRows {
  append(entry: NewHistoryRow): Promise<void>;

  /** The newest first. */
  list(tenantId: string, page: PageTerms): Promise<readonly HistoryRow[]>;
}
