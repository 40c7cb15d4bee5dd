import type { AnswerKey, AnswerRows, KnownAnswer } from '#admin/stores/answer.rows.js';
import type { Prisma } from '../generated/client.js';

/** Kept answers in Postgres. */
export class PrismaAnswerRows implements AnswerRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  /** The unique index makes the second wait for the first to end. An answer past its time is as good as none. */
  async claim({ actor, key, requestHash }: AnswerKey, keptMs: number): Promise<KnownAnswer | undefined> {
    const claimed = await this.client.$executeRaw`
      INSERT INTO idempotency_records AS known (actor, key, request_hash, response, expires_at)
      VALUES (${actor}, ${key}, ${requestHash}, '', now() + make_interval(secs => ${keptMs / 1_000}::double precision))
      ON CONFLICT (actor, key) DO UPDATE
        SET request_hash = excluded.request_hash, response = '', created_at = now(), expires_at = excluded.expires_at
        WHERE known.expires_at < now()`;
    if (claimed > 0) return undefined;
    const where = { actor_key: { actor, key } };
    return this.client.idempotencyRecord.findUniqueOrThrow({ where, select: { requestHash: true, response: true } });
  }

  async keep({ actor, key }: AnswerKey, response: string): Promise<void> {
    await this.client.idempotencyRecord.update({ where: { actor_key: { actor, key } }, data: { response } });
  }
}
