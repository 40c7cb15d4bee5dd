import { Injectable } from '@nestjs/common';
import { SignInFailureStore } from '#authorization/stores/sign-in-failure.store.js';
import { Database } from './database.js';
import { deleteBatch } from './delete-batch.js';
import { Prisma } from './generated/client.js';

interface Counted {
  readonly key: string;
  readonly count: number;
}

/** Failed sign-ins in Postgres, by the database's clock. */
@Injectable()
export class PrismaSignInFailureStore extends SignInFailureStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** Ordered, so that two that count the same keys at once wait for each other in one direction only. */
  async add(keys: readonly string[], windowMs: number): Promise<readonly number[]> {
    const counted = await this.database.client.$queryRaw<Counted[]>`
      INSERT INTO sign_in_failures AS known (key, count, expires_at)
      SELECT DISTINCT key, 1, now() + make_interval(secs => ${windowMs / 1_000}::double precision)
      FROM unnest(${keys}::text[]) AS given (key) ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN known.expires_at > now() THEN known.count + 1 ELSE 1 END,
        expires_at = CASE WHEN known.expires_at > now() THEN known.expires_at ELSE excluded.expires_at END
      RETURNING key, count`;
    return inOrderOf(keys, counted);
  }

  async takeBack(keys: readonly string[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE sign_in_failures SET count = count - 1 WHERE key = ANY (${keys}::text[]) AND count > 0`;
  }

  async clear(key: string): Promise<void> {
    await this.database.client.signInFailure.deleteMany({ where: { key } });
  }

  async sweep(before: Date): Promise<number> {
    const ended = Prisma.sql`expires_at < ${before} ORDER BY expires_at`;
    return deleteBatch(this.database.client, Prisma.sql`sign_in_failures`, ended);
  }
}

function inOrderOf(keys: readonly string[], counted: readonly Counted[]): readonly number[] {
  const counts = new Map(counted.map(({ key, count }) => [key, count]));
  return keys.map((key) => counts.get(key) ?? 0);
}
