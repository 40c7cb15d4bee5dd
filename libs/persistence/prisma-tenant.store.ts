import { Injectable } from '@nestjs/common';
import { SlugTakenError, TenantStore } from '#tenancy/tenant.store.js';
import { type AccessPolicyInput, readAccessPolicy } from '#tenancy/access-policy.js';
import type { NewTenant, TenantAccess, TenantRecord, TenantRevision, TenantStatus } from '#tenancy/tenant.store.js';
import { appendToOutbox } from './append-to-outbox.js';
import { Database } from './database.js';
import { isUniqueViolation } from './database-errors.js';
import type { Prisma } from './generated/client.js';
import { asTenantRecord, WITH_SOURCES } from './tenant-rows.js';

/** How many tenants one statement of `createMany` makes. */
const BATCH = 1_000;
const MAX_LISTED = 1_000;
const NEXT_REVISION = { revision: { increment: 1 } };

/** Tenants in Postgres. */
@Injectable()
export class PrismaTenantStore extends TenantStore {
  constructor(private readonly database: Database) {
    super();
  }

  async findBySlug(slug: string): Promise<TenantRecord | undefined> {
    const row = await this.database.client.tenant.findUnique({ where: { slug }, include: WITH_SOURCES });
    return row ? asTenantRecord(row) : undefined;
  }

  async list(): Promise<readonly TenantRecord[]> {
    const rows = await this.database.client.tenant.findMany({
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: MAX_LISTED,
      include: WITH_SOURCES,
    });
    return rows.map(asTenantRecord);
  }

  async slugOf(id: string): Promise<string | undefined> {
    return (await this.database.client.tenant.findUnique({ where: { id }, select: { slug: true } }))?.slug;
  }

  async changedWithin(milliseconds: number): Promise<readonly TenantRevision[]> {
    return this.database.client.$queryRaw<TenantRevision[]>`
      SELECT id::text, slug, revision FROM tenants
      WHERE updated_at > now() - make_interval(secs => ${milliseconds / 1_000}::double precision) AND revision > 1
      ORDER BY updated_at DESC LIMIT 50000`;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.database.client.tenant.findFirst({ select: { id: true } })) === null;
  }

  async create(tenant: NewTenant): Promise<TenantRecord> {
    const accessPolicy = readAccessPolicy(tenant.accessPolicy ?? {});
    const data = { ...tenant, accessPolicy, activations: { createMany: { data: [...tenant.activations] } } };
    try {
      return asTenantRecord(await this.database.client.tenant.create({ data, include: WITH_SOURCES }));
    } catch (error) {
      if (isUniqueViolation(error) && (await this.findBySlug(tenant.slug))) throw new SlugTakenError(tenant.slug);
      throw error;
    }
  }

  async createMany(tenants: readonly NewTenant[]): Promise<void> {
    for (let from = 0; from < tenants.length; from += BATCH) {
      await this.insert(tenants.slice(from, from + BATCH));
    }
  }

  async setActivation(tenantId: string, module: string, active: boolean): Promise<TenantRecord | undefined> {
    return this.change(tenantId, async (transaction) => {
      const { count } = active
        ? await transaction.activation.createMany({ data: [{ tenantId, module }], skipDuplicates: true })
        : await transaction.activation.deleteMany({ where: { tenantId, module } });
      return count > 0 ? {} : undefined;
    });
  }

  async setAccess(
    id: string,
    { access, accessPolicy }: { readonly access?: TenantAccess; readonly accessPolicy?: AccessPolicyInput },
  ): Promise<TenantRecord | undefined> {
    const policy = accessPolicy && readAccessPolicy(accessPolicy);
    const data = { ...(access && { access }), ...(policy && { accessPolicy: policy }) };
    return this.change(id, () => Promise.resolve(data));
  }

  async setStatus(id: string, status: TenantStatus): Promise<TenantRecord | undefined> {
    const held = status === 'suspended'; // who runs the platform asks
    return this.change(id, (_, known) =>
      Promise.resolve(known.status === status && known.held === held ? undefined : { status, held, deletesAt: null }),
    );
  }

  /** What changes the tenant's row, its revision and the word to all nodes, in one transaction; undefined: nothing. */
  private change(
    id: string,
    work: (
      client: Prisma.TransactionClient,
      known: { status: TenantStatus; held: boolean },
    ) => Promise<object | undefined>,
  ): Promise<TenantRecord | undefined> {
    return this.database.client.$transaction(async (client) => {
      await client.$queryRaw`SELECT 1 FROM tenants WHERE id = ${id}::uuid FOR UPDATE`;
      const known = await client.tenant.findUnique({ where: { id }, select: { status: true, held: true } });
      if (!known) return undefined;
      const data = await work(client, known);
      if (data) {
        const select = { slug: true, revision: true };
        const changed = await client.tenant.update({ where: { id }, data: { ...data, ...NEXT_REVISION }, select });
        await appendToOutbox(client, [{ type: 'catalogue', tenantId: id, ...changed }]);
      }
      return asTenantRecord(await client.tenant.findUniqueOrThrow({ where: { id }, include: WITH_SOURCES }));
    });
  }

  /**
   * One statement, ten times as fast as the client's `createMany`. Activations only for tenants that were inserted just
   * now: a slug that exists keeps what it has.
   */
  private async insert(tenants: readonly NewTenant[]): Promise<void> {
    const bySlug = new Map(
      tenants.map((tenant) => [tenant.slug, { ...tenant, accessPolicy: readAccessPolicy(tenant.accessPolicy ?? {}) }]),
    );
    await this.database.client.$executeRaw`
      WITH given AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify([...bySlug.values()])}::jsonb)
          AS tenant (slug text, title text, access tenant_access, "accessPolicy" jsonb, instructions text, activations jsonb)
      ), made AS (
        INSERT INTO tenants (id, slug, title, access, access_policy, instructions, updated_at)
        SELECT gen_random_uuid(), slug, title, access, "accessPolicy", instructions, now() FROM given
        ON CONFLICT (slug) DO NOTHING
        RETURNING id, slug
      )
      INSERT INTO activations (tenant_id, module, configuration)
      SELECT made.id, activation.module, activation.configuration
      FROM made JOIN given USING (slug),
        jsonb_to_recordset(given.activations) AS activation (module text, configuration jsonb)`;
  }
}
