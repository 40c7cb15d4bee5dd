import { Injectable } from '@nestjs/common';
import type { Revocation } from '#access/revocation.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import type { ClientRecord, NewClient } from '#authorization/stores/client.store.js';
import { Database } from './database.js';
import { IdTakenError } from './database-errors.js';
import { deleteBatch } from './delete-batch.js';
import { Prisma } from './generated/client.js';
import { isStorable } from './identifiers.js';
import { insertRevocations, revokeGrants } from './revoke-grants.js';

const LIST_LIMIT = 1_000;

/** OAuth clients in Postgres. */
@Injectable()
export class PrismaClientStore extends ClientStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** @throws IdTakenError when the id belongs to a client of another issuer or tenant */
  async save({ id, issuer, tenantId, metadata, secretHash }: NewClient): Promise<void> {
    const saved = await this.database.client.$executeRaw`
      INSERT INTO oauth_clients AS known (id, issuer, tenant_id, metadata, secret_hash)
      VALUES (${id}, ${issuer}, ${tenantId}::uuid, ${JSON.stringify(metadata)}::jsonb, ${secretHash})
      ON CONFLICT (id) DO UPDATE SET metadata = excluded.metadata, secret_hash = excluded.secret_hash
      WHERE known.issuer IS NOT DISTINCT FROM excluded.issuer
        AND known.tenant_id IS NOT DISTINCT FROM excluded.tenant_id`;
    if (saved === 0) throw new IdTakenError('client');
  }

  async find(id: string): Promise<ClientRecord | undefined> {
    if (!isStorable(id)) return undefined;
    const row = await this.database.client.oAuthClient.findUnique({ where: { id } });
    return row ? asRecord(row) : undefined;
  }

  async listOfTenant(tenantId: string): Promise<readonly ClientRecord[]> {
    const rows = await this.database.client.oAuthClient.findMany({
      where: { tenantId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: LIST_LIMIT,
    });
    return rows.map(asRecord);
  }

  async markUsed(id: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE oauth_clients SET used_at = now() WHERE id = ${id} AND used_at IS NULL`;
  }

  async remove(id: string): Promise<readonly Revocation[]> {
    if (!isStorable(id)) return [];
    const { client } = this.database;
    const revoked = await client.$transaction([
      revokeGrants(client, Prisma.sql`client_id = (SELECT id FROM oauth_clients WHERE id = ${id})`),
      client.$queryRaw<Revocation[]>`
        WITH client AS (DELETE FROM oauth_clients WHERE id = ${id} RETURNING tenant_id, id)
        ${insertRevocations(Prisma.sql`
          SELECT tenant_id, 'client:' || id AS subject FROM client WHERE tenant_id IS NOT NULL`)}`,
    ]);
    return revoked.flat();
  }

  async sweepUnused(before: Date): Promise<number> {
    const unused = Prisma.sql`
      issuer IS NOT NULL AND tenant_id IS NULL AND used_at IS NULL AND created_at < ${before} ORDER BY created_at`;
    return deleteBatch(this.database.client, Prisma.sql`oauth_clients`, unused);
  }
}

function asRecord(row: Prisma.OAuthClientGetPayload<object>): ClientRecord {
  return { ...row, metadata: row.metadata as ClientRecord['metadata'] };
}
