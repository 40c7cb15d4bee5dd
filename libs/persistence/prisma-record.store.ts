import { Injectable } from '@nestjs/common';
import { RecordStore } from '#authorization/stores/record.store.js';
import type { NewRecord, RecordKey, RecordRow } from '#authorization/stores/record.store.js';
import { Database } from './database.js';
import { deleteBatch } from './delete-batch.js';
import { Prisma } from './generated/client.js';

/** Records of the authorization server in Postgres, by the database's clock, which is one for all nodes. */
@Injectable()
export class PrismaRecordStore extends RecordStore {
  constructor(private readonly database: Database) {
    super();
  }

  async save(record: NewRecord): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO oauth_records
        (issuer, kind, id_hash, payload, grant_id, account_id, user_code_hash, uid_hash, expires_at)
      VALUES (${record.issuer}, ${record.kind}, ${record.idHash}, ${JSON.stringify(record.payload)}::json,
        ${record.grantId}, ${record.accountId}, ${record.userCodeHash}, ${record.uidHash}, ${record.expiresAt})
      ON CONFLICT (issuer, kind, id_hash) DO UPDATE SET
        payload = excluded.payload, grant_id = excluded.grant_id, account_id = excluded.account_id,
        user_code_hash = excluded.user_code_hash, uid_hash = excluded.uid_hash, expires_at = excluded.expires_at`;
  }

  async find(key: RecordKey): Promise<RecordRow | undefined> {
    return this.findOne(hasKey(key));
  }

  async findByUserCode(issuer: string, userCodeHash: string): Promise<RecordRow | undefined> {
    return this.findOne(Prisma.sql`issuer = ${issuer} AND user_code_hash = ${userCodeHash}`);
  }

  async findByUid(issuer: string, uidHash: string): Promise<RecordRow | undefined> {
    return this.findOne(Prisma.sql`issuer = ${issuer} AND uid_hash = ${uidHash}`);
  }

  /**
   * Without a grace the times are not compared: a statement that began before the first one, and waited for it, would
   * find that it was consumed in the future.
   */
  async consume(key: RecordKey, graceMs: number): Promise<boolean> {
    const isWithinGrace =
      graceMs > 0
        ? Prisma.sql`consumed_at > now() - make_interval(secs => ${graceMs / 1_000}::double precision)`
        : Prisma.sql`false`;
    const consumed = await this.database.client.$executeRaw`
      UPDATE oauth_records SET consumed_at = coalesce(consumed_at, now())
      WHERE ${hasKey(key)} AND expires_at > now() AND (consumed_at IS NULL OR ${isWithinGrace})`;
    return consumed > 0;
  }

  async remove({ issuer, kind, idHash }: RecordKey): Promise<void> {
    await this.database.client.oAuthRecord.deleteMany({ where: { issuer, kind, idHash } });
  }

  async removeOfGrant(issuer: string, kind: string, grantId: string): Promise<void> {
    await this.database.client.oAuthRecord.deleteMany({ where: { issuer, kind, grantId } });
  }

  async sweep(before: Date): Promise<number> {
    const expired = Prisma.sql`expires_at < ${before} ORDER BY expires_at`;
    return deleteBatch(this.database.client, Prisma.sql`oauth_records`, expired);
  }

  private async findOne(which: Prisma.Sql): Promise<RecordRow | undefined> {
    const [row] = await this.database.client.$queryRaw<RecordRow[]>`
      SELECT payload, consumed_at AS "consumedAt",
        CASE WHEN consumed_at IS NOT NULL
          THEN greatest(0, floor(extract(epoch FROM now() - consumed_at) * 1000))::double precision
        END AS "consumedMsAgo"
      FROM oauth_records WHERE ${which} AND expires_at > now() LIMIT 1`;
    return row;
  }
}

function hasKey({ issuer, kind, idHash }: RecordKey): Prisma.Sql {
  return Prisma.sql`issuer = ${issuer} AND kind = ${kind} AND id_hash = ${idHash}`;
}
