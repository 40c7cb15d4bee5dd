import { Injectable } from '@nestjs/common';
import type { Change } from '#events/change.js';
import type { OutboxEntry } from '#events/outbox.js';
import { NotificationStore, type SignedMessage } from '#sources/notifications/notification.store.js';
import { appendToOutbox } from './append-to-outbox.js';
import { Database } from './database.js';
import { deleteBatch } from './delete-batch.js';
import { Prisma } from './generated/client.js';

/** Signed messages in Postgres. */
@Injectable()
export class PrismaNotificationStore extends NotificationStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** The same message at once elsewhere: one waits for the other's transaction, and takes it only if that fails. */
  async take({ tenantId, id }: SignedMessage, changes: readonly Change[]): Promise<readonly OutboxEntry[] | undefined> {
    return this.database.client.$transaction(async (transaction) => {
      const taken = await transaction.$executeRaw`
        INSERT INTO webhook_messages (tenant_id, id) VALUES (${tenantId}::uuid, ${id}) ON CONFLICT DO NOTHING`;
      return taken === 0 ? undefined : appendToOutbox(transaction, changes);
    });
  }

  async sweep(before: Date): Promise<number> {
    const old = Prisma.sql`taken_at < ${before} ORDER BY taken_at`;
    return deleteBatch(this.database.client, Prisma.sql`webhook_messages`, old);
  }
}
