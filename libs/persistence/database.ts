import type { Driver, MigrationSession } from './driver.js';
import { PrismaClient } from './generated/client.js';
import { openPglite, openPgliteInMemory } from './pglite.driver.js';
import { openPostgres } from './postgres.driver.js';
import type { PostgresOptions } from './postgres.driver.js';

/** Where the rows are: on a Postgres server, in a directory of this machine, or nowhere but in memory. */
export type DatabaseOptions = PostgresOptions | { readonly directory: string } | { readonly memory: true };

/** Limits in milliseconds. On PGlite transactions wait for each other, and `maxWait` is for that. */
const TRANSACTION_LIMITS = { maxWait: 5_000, timeout: 15_000 };
const PING_MS = 5_000;

/** The one door to the rows. */
export class Database {
  readonly kind: 'postgres' | 'pglite';
  readonly client: PrismaClient;
  private closing: Promise<void> | undefined;

  constructor(private readonly driver: Driver) {
    this.kind = driver.kind;
    this.client = new PrismaClient({
      adapter: driver.adapter,
      transactionOptions: TRANSACTION_LIMITS,
      errorFormat: 'minimal', // the others put source text and argument values into the message
    });
  }

  /** Resolves when the database answers; rejects when it fails, after five seconds, or when the signal says so. */
  async ping(signal?: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([AbortSignal.timeout(PING_MS), ...(signal ? [signal] : [])]);
    limit.throwIfAborted();
    const given = new Promise<never>((_, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason as Error), { once: true });
    });
    await Promise.race([this.client.$queryRaw`SELECT 1`, given]);
  }

  /** @see Driver.exclusively */
  exclusively<T>(work: (session: MigrationSession) => Promise<T>): Promise<T> {
    return this.driver.exclusively(work);
  }

  /** Waits for queries under way, then lets go of connections and files. May be called more than once. */
  close(): Promise<void> {
    this.closing ??= this.client.$disconnect().finally(() => this.driver.close());
    return this.closing;
  }
}

/**
 * Opens the database; see `applyMigrations` for its tables.
 * @throws DirectoryInUseError
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if ('url' in options) return new Database(openPostgres(options));
  if ('directory' in options) return new Database(await openPglite(options.directory));
  return new Database(await openPgliteInMemory());
}
