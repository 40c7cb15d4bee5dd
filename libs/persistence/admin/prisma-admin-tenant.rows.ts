import type { AdminTenant, AdminTenantRows, NewAdminTenant, TenantSettings } from '#admin/stores/admin-tenant.rows.js';
import type { PageTerms } from '#admin/stores/page.js';
import type { JsonObject } from '#protocol/json.js';
import { readAccessPolicy } from '#tenancy/access-policy.js';
import type { Activation, TenantRecord } from '#tenancy/tenant.store.js';
import type { Prisma } from '../generated/client.js';
import { asTenantRecord, WITH_SOURCES } from '../tenant-rows.js';

/** Tenants in Postgres, as admins see them. */
export class PrismaAdminTenantRows implements AdminTenantRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  async find(slug: string): Promise<AdminTenant | undefined> {
    const row = await this.client.tenant.findUnique({ where: { slug } });
    return row ? asAdminTenant(row) : undefined;
  }

  async list(ids: readonly string[] | undefined, { limit, after }: PageTerms): Promise<readonly AdminTenant[]> {
    const rows = await this.client.tenant.findMany({
      where: { ...(ids && { id: { in: [...ids] } }), ...(after !== undefined && { slug: { gt: after } }) },
      orderBy: { slug: 'asc' },
      take: limit,
    });
    return rows.map(asAdminTenant);
  }

  async lock(id: string): Promise<AdminTenant | undefined> {
    await this.client.$queryRaw`SELECT 1 FROM tenants WHERE id = ${id}::uuid FOR UPDATE`;
    const row = await this.client.tenant.findUnique({ where: { id } });
    return row ? asAdminTenant(row) : undefined;
  }

  async record(id: string): Promise<TenantRecord> {
    return asTenantRecord(await this.client.tenant.findUniqueOrThrow({ where: { id }, include: WITH_SOURCES }));
  }

  async create(tenant: NewAdminTenant): Promise<AdminTenant | undefined> {
    // a violated index would end the transaction
    const { count } = await this.client.tenant.createMany({ data: [tenant], skipDuplicates: true });
    return count === 0 ? undefined : this.find(tenant.slug);
  }

  async update(id: string, settings: TenantSettings): Promise<AdminTenant> {
    return asAdminTenant(await this.client.tenant.update({ where: { id }, data: given(settings) }));
  }

  async advance(id: string): Promise<AdminTenant> {
    return asAdminTenant(await this.client.tenant.update({ where: { id }, data: { revision: { increment: 1 } } }));
  }

  async activations(tenantId: string): Promise<readonly Activation[]> {
    const rows = await this.client.activation.findMany({ where: { tenantId }, orderBy: { module: 'asc' } });
    return rows.map(({ module, configuration }) => ({ module, configuration }) as Activation);
  }

  async activate(tenantId: string, module: string, configuration: JsonObject): Promise<void> {
    await this.client.activation.upsert({
      where: { tenantId_module: { tenantId, module } },
      create: { tenantId, module, configuration },
      update: { configuration },
    });
  }

  async deactivate(tenantId: string, module: string): Promise<void> {
    await this.client.activation.deleteMany({ where: { tenantId, module } });
  }
}

/** What is not given stays. */
function given(settings: TenantSettings): Prisma.TenantUpdateInput {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function asAdminTenant({ accessPolicy, ...row }: Prisma.TenantGetPayload<object>): AdminTenant {
  return { ...row, accessPolicy: readAccessPolicy(accessPolicy) };
}
