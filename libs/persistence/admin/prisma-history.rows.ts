import type { HistoryRow, HistoryRows, NewHistoryRow } from '#admin/stores/history.rows.js';
import type { PageTerms } from '#admin/stores/page.js';
import type { JsonObject } from '#protocol/json.js';
import type { Prisma } from '../generated/client.js';

/** History in Postgres. */
export class PrismaHistoryRows implements HistoryRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  async append(entry: NewHistoryRow): Promise<void> {
    await this.client.historyEntry.create({ data: entry, select: { id: true } });
  }

  async list(tenantId: string, { limit, after }: PageTerms): Promise<readonly HistoryRow[]> {
    const rows = await this.client.historyEntry.findMany({
      where: { tenantId, ...(after !== undefined && { id: { lt: BigInt(after) } }) },
      orderBy: { id: 'desc' },
      take: limit,
      omit: { tenantId: true },
    });
    return rows.map(({ id, detail, ...row }) => ({ ...row, id: String(id), detail: detail as JsonObject }));
  }
}
