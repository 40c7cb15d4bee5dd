import { Injectable } from '@nestjs/common';
import { RevocationStore } from '#access/revocation.store.js';
import type { Revocation } from '#access/revocation.store.js';
import { Database } from './database.js';
import { deleteBatch } from './delete-batch.js';
import { Prisma } from './generated/client.js';

/** Revocations in Postgres. One stands for as long as its row does. */
@Injectable()
export class PrismaRevocationStore extends RevocationStore {
  constructor(private readonly database: Database) {
    super();
  }

  async isRevoked({ tenantId, subject }: Revocation): Promise<boolean> {
    const where = { tenantId_subject: { tenantId, subject } };
    return (await this.database.client.revocation.findUnique({ where, select: { subject: true } })) !== null;
  }

  async revokedWithin(milliseconds: number): Promise<readonly Revocation[]> {
    return this.database.client.$queryRaw<Revocation[]>`
      SELECT tenant_id::text AS "tenantId", subject FROM revocations
      WHERE revoked_at > now() - make_interval(secs => ${milliseconds / 1_000}::double precision)
      ORDER BY revoked_at DESC LIMIT 50000`;
  }

  async revoke({ tenantId, subject }: Revocation, expiresAt: Date): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO revocations AS known (tenant_id, subject, expires_at)
      VALUES (${tenantId}::uuid, ${subject}, ${expiresAt})
      ON CONFLICT (tenant_id, subject) DO UPDATE SET expires_at = greatest(known.expires_at, excluded.expires_at)`;
  }

  async sweep(before: Date): Promise<number> {
    const expired = Prisma.sql`expires_at < ${before} ORDER BY expires_at`;
    return deleteBatch(this.database.client, Prisma.sql`revocations`, expired);
  }
}
