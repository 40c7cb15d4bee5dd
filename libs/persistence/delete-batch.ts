import type { Prisma } from './generated/client.js';

/**
 * Deletes up to 1,000 rows; returns how many. Passes over those that another node is at: several may sweep at once.
 * @param which condition and order
 */
export function deleteBatch(
  client: Prisma.TransactionClient,
  table: Prisma.Sql,
  which: Prisma.Sql,
): Prisma.PrismaPromise<number> {
  return client.$executeRaw`
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${which} LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))`;
}
