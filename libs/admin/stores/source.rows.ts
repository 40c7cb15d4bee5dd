import type { JsonObject } from '#protocol/json.js';
import type { SourceKind, SourceRecord } from '#tenancy/tenant.store.js';
import type { PageTerms } from './page.js';

/** A source as it is kept. */
export interface SourceRow extends SourceRecord {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Sources of tenants. */
export interface SourceRows {
  find(tenantId: string, name: string): Promise<SourceRow | undefined>;

  /** In order of their names. */
  list(tenantId: string, kind: SourceKind | undefined, page: PageTerms): Promise<readonly SourceRow[]>;

  count(tenantId: string): Promise<number>;

  /** How long all definitions are together, in bytes of JSON. */
  length(tenantId: string): Promise<number>;

  create(tenantId: string, source: Pick<SourceRecord, 'id' | 'name' | 'kind' | 'definition'>): Promise<SourceRow>;

  /** Replaces the definition; the version grows by one. */
  update(tenantId: string, name: string, definition: JsonObject): Promise<SourceRow>;

  remove(tenantId: string, name: string): Promise<void>;
}
