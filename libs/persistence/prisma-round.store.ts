import { Injectable } from '@nestjs/common';
import { RoundStore } from '#invocation/round.store.js';
import type { Round, TakenRound } from '#invocation/round.store.js';
import { Database } from './database.js';
import { deleteBatch } from './delete-batch.js';
import { Prisma } from './generated/client.js';

/**
 * Thrown by `settle` when there is no round that was taken and waits for its outcome: it was settled already, was never
 * taken, or its row is gone, with its tenant or in a sweep.
 */
export class RoundNotTakenError extends Error {
  constructor(
    readonly tenantId: string,
    readonly roundId: string,
  ) {
    super('The round is not there to be settled: settled already, never taken, or deleted.');
    this.name = 'RoundNotTakenError';
  }
}

type TakenRow = Pick<Round, 'number' | 'answers' | 'steps' | 'expiresAt'>;

/** Rounds in Postgres. Whether one has expired is told by the database's clock, which is one for all nodes. */
@Injectable()
export class PrismaRoundStore extends RoundStore {
  constructor(private readonly database: Database) {
    super();
  }

  async open(round: Round): Promise<void> {
    await this.insert(round);
  }

  async take(tenantId: string, id: string): Promise<TakenRound> {
    const [row] = await this.database.client.$queryRaw<TakenRow[]>`
      UPDATE rounds SET taken_at = now()
      WHERE tenant_id = ${tenantId}::uuid AND id = ${id} AND taken_at IS NULL AND expires_at > now()
      RETURNING number, answers, steps, expires_at AS "expiresAt"`;
    return row ? { state: 'taken', round: { tenantId, id, ...row } } : this.whatBecameOf(tenantId, id);
  }

  /**
   * A round that expired while it was held is settled all the same, and `next` opened: its row stays for a while.
   * @throws RoundNotTakenError when there is none to settle; then `next` is not opened either
   */
  async settle(tenantId: string, id: string, outcome: string, next?: Round): Promise<void> {
    const { client } = this.database;
    const where = { tenantId_id: { tenantId, id }, takenAt: { not: null }, outcome: null };
    const settled = client.round.update({ where, data: { outcome }, select: { id: true } });
    try {
      await (next ? client.$transaction([settled, this.insert(next)]) : settled);
    } catch (error) {
      throw isNotFound(error) ? new RoundNotTakenError(tenantId, id) : error;
    }
  }

  async release({ tenantId, id, answers, steps }: Round): Promise<void> {
    const where = { tenantId, id, takenAt: { not: null }, outcome: null };
    await this.database.client.round.updateMany({ where, data: { takenAt: null, answers, steps } });
  }

  async sweep(before: Date): Promise<number> {
    const expired = Prisma.sql`expires_at < ${before} ORDER BY expires_at`;
    return deleteBatch(this.database.client, Prisma.sql`rounds`, expired);
  }

  private async whatBecameOf(tenantId: string, id: string): Promise<TakenRound> {
    const [row] = await this.database.client.$queryRaw<{ outcome: string | null }[]>`
      SELECT outcome FROM rounds WHERE tenant_id = ${tenantId}::uuid AND id = ${id} AND expires_at > now()`;
    if (!row) return { state: 'gone' };
    return row.outcome === null ? { state: 'running' } : { state: 'settled', outcome: row.outcome };
  }

  /** Not yet sent: so it can be part of a transaction. */
  private insert(round: Round): Prisma.PrismaPromise<unknown> {
    return this.database.client.round.create({ data: round, select: { id: true } });
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025';
}
