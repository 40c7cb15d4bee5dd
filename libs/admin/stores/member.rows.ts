import type { PageTerms } from './page.js';

/** A person as a member of a tenant. */
export interface MemberRow {
  readonly accountId: string;
  readonly name: string;
  /** The address to sign in with, or what their provider said. */
  readonly email: string | null;
  readonly status: 'active' | 'disabled';
  readonly role: string;
  readonly since: Date;
}

/** Members of tenants; `AccountStore` changes them. */
export interface MemberRows {
  find(tenantId: string, accountId: string): Promise<MemberRow | undefined>;

  /** Those that came into being last first. */
  list(tenantId: string, page: PageTerms): Promise<readonly MemberRow[]>;

  countOfRole(tenantId: string, role: string): Promise<number>;
}
