import type { AccessPolicy } from '#tenancy/access-policy.js';
import type { Activation, TenantAccess, TenantRecord, TenantStatus } from '#tenancy/tenant.store.js';
import type { JsonObject } from '#protocol/json.js';
import type { PageTerms } from './page.js';

/** A tenant without what it is made of. */
export interface AdminTenant extends Omit<TenantRecord, 'activations' | 'sources'> {
  /** Whether an operator suspended it: then only operators have it served again. */
  readonly held: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What can be set of a tenant; what is left out stays. */
export interface TenantSettings {
  readonly title?: string | undefined;
  readonly instructions?: string | null | undefined;
  readonly access?: TenantAccess | undefined;
  readonly accessPolicy?: AccessPolicy | undefined;
  readonly status?: TenantStatus | undefined;
  readonly held?: boolean | undefined;
  readonly deletesAt?: Date | null | undefined;
}

export type NewAdminTenant = Pick<TenantRecord, 'id' | 'slug' | 'title' | 'access' | 'accessPolicy'> & {
  readonly instructions?: string;
};

/** Tenants as admins see them. */
export interface AdminTenantRows {
  find(slug: string): Promise<AdminTenant | undefined>;

  /** In order of their slugs. @param ids only these; all when undefined */
  list(ids: readonly string[] | undefined, page: PageTerms): Promise<readonly AdminTenant[]>;

  /** The tenant; nobody else changes anything of it until this transaction ends. */
  lock(id: string): Promise<AdminTenant | undefined>;

  /** All that its catalogue is made from. */
  record(id: string): Promise<TenantRecord>;

  /** Undefined when the slug is taken. */
  create(tenant: NewAdminTenant): Promise<AdminTenant | undefined>;

  update(id: string, settings: TenantSettings): Promise<AdminTenant>;

  /** Takes the tenant to its next revision. */
  advance(id: string): Promise<AdminTenant>;

  /** In order of their names. */
  activations(tenantId: string): Promise<readonly Activation[]>;

  activate(tenantId: string, module: string, configuration: JsonObject): Promise<void>;

  deactivate(tenantId: string, module: string): Promise<void>;
}
