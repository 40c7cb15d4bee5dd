import type { ListenerRow, ListenerRows } from '#admin/stores/listener.rows.js';
import { readMomentKey } from '#admin/stores/moment-key.js';
import type { PageTerms } from '#admin/stores/page.js';
import type { JsonObject } from '#protocol/json.js';
import type { Prisma } from '../generated/client.js';

/** Open streams in Postgres. */
export class PrismaListenerRows implements ListenerRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  async list(tenantId: string, { limit, after }: PageTerms): Promise<readonly ListenerRow[]> {
    const rows = await this.client.listener.findMany({
      where: { tenantId, ...older(after) },
      orderBy: [{ since: 'desc' }, { id: 'desc' }],
      take: limit,
      omit: { tenantId: true },
    });
    return rows.map(({ filter, nodeId, ...row }) => ({ ...row, filter: filter as JsonObject, node: nodeId }));
  }
}

function older(after: string | undefined): Prisma.ListenerWhereInput {
  if (after === undefined) return {};
  const { at, id } = readMomentKey(after);
  return { OR: [{ since: { lt: at } }, { since: at, id: { lt: id } }] };
}
