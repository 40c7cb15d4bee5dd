import { Injectable } from '@nestjs/common';
import type { Change } from '#events/change.js';
import { Outbox, type OutboxEntry } from '#events/outbox.js';
import { appendToOutbox } from './append-to-outbox.js';
import { Database } from './database.js';
import { deleteBatch } from './delete-batch.js';
import { Prisma } from './generated/client.js';

/** The outbox in Postgres. */
@Injectable()
export class PrismaOutbox extends Outbox {
  constructor(private readonly database: Database) {
    super();
  }

  async append(changes: readonly Change[]): Promise<readonly OutboxEntry[]> {
    return appendToOutbox(this.database.client, changes);
  }

  async unsent(olderThanMs: number, limit: number): Promise<readonly OutboxEntry[]> {
    return this.database.client.$queryRaw<OutboxEntry[]>`
      SELECT id::text, change FROM outbox
      WHERE sent_at IS NULL AND created_at < now() - make_interval(secs => ${olderThanMs / 1_000}::double precision)
      ORDER BY outbox.id LIMIT ${limit}`;
  }

  async markSent(ids: readonly string[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE outbox SET sent_at = now() WHERE id = ANY (${ids.map(BigInt)}) AND sent_at IS NULL`;
  }

  async writtenWithin(milliseconds: number, limit: number, after = '0'): Promise<readonly OutboxEntry[]> {
    return this.database.client.$queryRaw<OutboxEntry[]>`
      SELECT id::text, change FROM outbox
      WHERE created_at > now() - make_interval(secs => ${milliseconds / 1_000}::double precision)
        AND id > ${BigInt(after)}
      ORDER BY outbox.id LIMIT ${limit}`;
  }

  async sweep(before: Date): Promise<number> {
    const old = Prisma.sql`sent_at IS NOT NULL AND created_at < ${before} ORDER BY created_at`;
    return deleteBatch(this.database.client, Prisma.sql`outbox`, old);
  }
}
