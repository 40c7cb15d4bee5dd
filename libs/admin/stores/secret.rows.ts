import type { PageTerms } from './page.js';

/** What is told of a secret: never its value. */
export interface SecretRow {
  readonly name: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Secrets of tenants; to read them is for `SecretStore`. */
export interface SecretRows {
  find(tenantId: string, name: string): Promise<SecretRow | undefined>;

  /** In order of their names. */
  list(tenantId: string, page: PageTerms): Promise<readonly SecretRow[]>;

  count(tenantId: string): Promise<number>;

  /** Makes it, or gives it another value. */
  put(tenantId: string, name: string, sealed: string): Promise<SecretRow>;

  remove(tenantId: string, name: string): Promise<void>;
}
