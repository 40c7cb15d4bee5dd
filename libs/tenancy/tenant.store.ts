import type { JsonObject } from '#protocol/json.js';
import type { AccessPolicy, AccessPolicyInput } from './access-policy.js';

/**
 * How callers reach a tenant: with an OAuth access token, which is the default for a new tenant; without any, only by
 * explicit choice; or with a static token that its admin issued, for machines.
 */
export type TenantAccess = 'oauth' | 'open' | 'tokens';

export type TenantStatus = 'active' | 'suspended';

/** A code module that a tenant has switched on, with its configuration. */
export interface Activation {
  readonly module: string;
  readonly configuration: JsonObject;
}

/** What can be registered at run time. */
export type SourceKind = 'http_tool' | 'resource' | 'prompt';

/** Where primitives come from that an admin registered at run time. */
export interface SourceRecord {
  readonly id: string;
  /** What the admin calls it: 1 to 128 of A-Z, a-z, 0-9, "_", "-" and ".", unique in the tenant. */
  readonly name: string;
  readonly kind: SourceKind;
  /** As `libs/sources` reads it. */
  readonly definition: JsonObject;
  /** Grows by one with every change of the source. */
  readonly version: number;
}

/** One tenant as stored. `revision` grows by one with every change of what the catalogue is made from. */
export interface TenantRecord {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly status: TenantStatus;
  readonly access: TenantAccess;
  readonly accessPolicy: AccessPolicy;
  readonly instructions: string | null;
  readonly revision: number;
  /** When it goes for good; null unless that was asked for. It is suspended meanwhile. */
  readonly deletesAt: Date | null;
  /** Ordered by module name. */
  readonly activations: readonly Activation[];
  /** Ordered by name. */
  readonly sources: readonly SourceRecord[];
}

/** At which revision a tenant is. */
export type TenantRevision = Pick<TenantRecord, 'id' | 'slug' | 'revision'>;

export interface NewTenant {
  readonly slug: string;
  readonly title: string;
  readonly access: TenantAccess;
  /** What is left out takes its default. */
  readonly accessPolicy?: AccessPolicyInput;
  readonly instructions?: string;
  readonly activations: readonly Activation[];
}

/** Thrown by `create` when the slug belongs to another tenant. */
export class SlugTakenError extends Error {
  constructor(readonly slug: string) {
    super(`A tenant with the slug "${slug}" exists already.`);
    this.name = 'SlugTakenError';
  }
}

/** Where tenants are kept. Every method but the look-ups changes one tenant in one transaction. */
export abstract class TenantStore {
  /** The tenant with this slug, or undefined. Suspended tenants are found too. */
  abstract findBySlug(slug: string): Promise<TenantRecord | undefined>;

  /** Tenants, suspended ones too, the newest first; 1,000 at most. */
  abstract list(): Promise<readonly TenantRecord[]>;

  /** The slug of the tenant with this id, or undefined. */
  abstract slugOf(tenantId: string): Promise<string | undefined>;

  /** Tenants that were changed (not: made) within the last milliseconds, by the database's clock; 50,000 at most. */
  abstract changedWithin(milliseconds: number): Promise<readonly TenantRevision[]>;

  /** True while no tenant has ever been made: the moment for the seed. */
  abstract isEmpty(): Promise<boolean>;

  /** @throws SlugTakenError */
  abstract create(tenant: NewTenant): Promise<TenantRecord>;

  /** Makes many tenants at once, for imports and benchmarks; slugs that exist are left alone. */
  abstract createMany(tenants: readonly NewTenant[]): Promise<void>;

  /** Switches a module on or off. Returns the tenant at its new revision, or undefined when there is no such tenant. */
  abstract setActivation(tenantId: string, module: string, active: boolean): Promise<TenantRecord | undefined>;

  /**
   * Changes how callers reach the tenant, what they may do, or both; what is left out stays. Returns the tenant at its
   * new revision, or undefined when there is no such tenant.
   */
  abstract setAccess(
    tenantId: string,
    change: { readonly access?: TenantAccess; readonly accessPolicy?: AccessPolicyInput },
  ): Promise<TenantRecord | undefined>;

  /** Suspends or resumes; either way it is not to be deleted any more. Returns the tenant at its new revision, or undefined when there is no such tenant. */
  abstract setStatus(tenantId: string, status: TenantStatus): Promise<TenantRecord | undefined>;
}
