import type { Database } from './database.js';
import type { Prisma } from './generated/client.js';

/**
 * A transaction as a database, for stores that are to take part in it: what they would do in a transaction of their own
 * they do in this one.
 */
export function joinedDatabase(client: Prisma.TransactionClient): Database {
  const joined = new Proxy(client, {
    get: (target, key): unknown => (key === '$transaction' ? takePart : Reflect.get(target, key)),
  });
  return { client: joined } as unknown as Database;
}

/** In order: a transaction is one session. */
async function takePart(statements: readonly Prisma.PrismaPromise<unknown>[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const statement of statements) results.push(await statement);
  return results;
}
