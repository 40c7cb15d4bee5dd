import type { PageTerms } from '#admin/stores/page.js';
import type { SourceRow, SourceRows } from '#admin/stores/source.rows.js';
import type { JsonObject } from '#protocol/json.js';
import type { SourceKind, SourceRecord } from '#tenancy/tenant.store.js';
import type { Prisma } from '../generated/client.js';

const OMIT = { tenantId: true } satisfies Prisma.SourceOmit;

/** Sources in Postgres. */
export class PrismaSourceRows implements SourceRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  async find(tenantId: string, name: string): Promise<SourceRow | undefined> {
    const where = { tenantId_name: { tenantId, name } };
    const row = await this.client.source.findUnique({ where, omit: OMIT });
    return row ? (row as SourceRow) : undefined;
  }

  async list(
    tenantId: string,
    kind: SourceKind | undefined,
    { limit, after }: PageTerms,
  ): Promise<readonly SourceRow[]> {
    const rows = await this.client.source.findMany({
      where: { tenantId, ...(kind && { kind }), ...(after !== undefined && { name: { gt: after } }) },
      orderBy: { name: 'asc' },
      take: limit,
      omit: OMIT,
    });
    return rows.map((row) => row as SourceRow);
  }

  count(tenantId: string): Promise<number> {
    return this.client.source.count({ where: { tenantId } });
  }

  async length(tenantId: string): Promise<number> {
    const [row] = await this.client.$queryRaw<{ length: number }[]>`
      SELECT coalesce(sum(octet_length(definition::text)), 0)::float8 AS length
      FROM sources WHERE tenant_id = ${tenantId}::uuid`;
    return row?.length ?? 0;
  }

  async create(
    tenantId: string,
    source: Pick<SourceRecord, 'id' | 'name' | 'kind' | 'definition'>,
  ): Promise<SourceRow> {
    return (await this.client.source.create({ data: { tenantId, ...source }, omit: OMIT })) as SourceRow;
  }

  async update(tenantId: string, name: string, definition: JsonObject): Promise<SourceRow> {
    const where = { tenantId_name: { tenantId, name } };
    const data = { definition, version: { increment: 1 } };
    return (await this.client.source.update({ where, data, omit: OMIT })) as SourceRow;
  }

  async remove(tenantId: string, name: string): Promise<void> {
    await this.client.source.deleteMany({ where: { tenantId, name } });
  }
}
