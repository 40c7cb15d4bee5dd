import { Injectable } from '@nestjs/common';
import type { SubscriptionFilter } from '#protocol/messages.js';
import { type ListenerRow, ListenerStore, type OpenListener } from '#serving/listener.store.js';
import { Database } from './database.js';
import { Prisma } from './generated/client.js';

const CHUNK = 500;
const COLUMNS = Prisma.sql`tenant_id uuid, id uuid, subject text, client_id text, filter jsonb, since timestamptz`;

/** Nodes and listeners in Postgres. */
@Injectable()
export class PrismaListenerStore extends ListenerStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** Who asks for the same principal waits for the other to end; keys are taken in order, so that nobody waits in a ring. */
  async open(nodeId: string, rows: readonly ListenerRow[], maxPerPrincipal: number): Promise<ReadonlySet<string>> {
    const given = Prisma.sql`jsonb_to_recordset(${textOf(rows)}::jsonb) AS given (${COLUMNS})`;
    const opened = await this.database.client.$transaction(async (transaction) => {
      await beat(transaction, nodeId);
      await transaction.$executeRaw`
        SELECT pg_advisory_xact_lock(key) FROM (
          SELECT DISTINCT hashtextextended(jsonb_build_array(tenant_id, subject, client_id)::text, 0) AS key
          FROM ${given} ORDER BY key
        ) AS keys`;
      return transaction.$queryRaw<{ id: string }[]>`
        WITH given AS (SELECT * FROM ${given}),
        held AS (
          SELECT tenant_id, subject, client_id, count(*) AS streams FROM listeners
          WHERE (tenant_id, subject) IN (SELECT tenant_id, subject FROM given) GROUP BY tenant_id, subject, client_id
        ),
        numbered AS (
          SELECT *, row_number() OVER (PARTITION BY tenant_id, subject, client_id) AS number FROM given
        )
        INSERT INTO listeners (tenant_id, id, node_id, subject, client_id, filter, since)
        SELECT n.tenant_id, n.id, ${nodeId}::uuid, n.subject, n.client_id, n.filter, n.since
        FROM numbered AS n JOIN tenants AS t ON t.id = n.tenant_id
        LEFT JOIN held AS h ON h.tenant_id = n.tenant_id AND h.subject = n.subject
          AND h.client_id IS NOT DISTINCT FROM n.client_id
        WHERE n.number + coalesce(h.streams, 0) <= ${maxPerPrincipal}
        RETURNING id::text`;
    });
    return new Set(opened.map(({ id }) => id));
  }

  async close(nodeId: string, ids: readonly string[]): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM listeners WHERE node_id = ${nodeId}::uuid AND id = ANY (${[...ids]}::uuid[])`;
  }

  async beat(nodeId: string): Promise<number> {
    await beat(this.database.client, nodeId);
    return this.database.client.listener.count({ where: { nodeId } });
  }

  async restore(nodeId: string, rows: readonly ListenerRow[]): Promise<void> {
    const { client } = this.database;
    await client.$executeRaw`
      DELETE FROM listeners WHERE node_id = ${nodeId}::uuid AND id <> ALL (${rows.map(({ id }) => id)}::uuid[])`;
    for (let first = 0; first < rows.length; first += CHUNK) {
      await client.$executeRaw`
        INSERT INTO listeners (tenant_id, id, node_id, subject, client_id, filter, since)
        SELECT g.tenant_id, g.id, ${nodeId}::uuid, g.subject, g.client_id, g.filter, g.since
        FROM jsonb_to_recordset(${textOf(rows.slice(first, first + CHUNK))}::jsonb) AS g (${COLUMNS})
        JOIN tenants AS t ON t.id = g.tenant_id
        ON CONFLICT (tenant_id, id) DO NOTHING`;
    }
  }

  async leave(nodeId: string): Promise<void> {
    await this.database.client.$executeRaw`DELETE FROM nodes WHERE id = ${nodeId}::uuid`;
  }

  async sweep(silentMs: number): Promise<number> {
    return this.database.client.$executeRaw`
      DELETE FROM nodes WHERE beat_at < now() - make_interval(secs => ${silentMs / 1_000}::double precision)`;
  }

  async list(tenantId: string, { after, limit }: { after?: string; limit: number }): Promise<OpenListener[]> {
    const rows = await this.database.client.listener.findMany({
      where: { tenantId, ...(after !== undefined && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      take: limit,
    });
    return rows.map((row) => ({
      ...row,
      clientId: row.clientId ?? undefined,
      filter: row.filter as SubscriptionFilter,
    }));
  }
}

async function beat(client: Prisma.TransactionClient, nodeId: string): Promise<void> {
  await client.$executeRaw`
    INSERT INTO nodes (id) VALUES (${nodeId}::uuid) ON CONFLICT (id) DO UPDATE SET beat_at = now()`;
}

function textOf(rows: readonly ListenerRow[]): string {
  return JSON.stringify(
    rows.map(({ tenantId, id, subject, clientId, filter, since }) => {
      return { tenant_id: tenantId, id, subject, client_id: clientId, filter, since };
    }),
  );
}
