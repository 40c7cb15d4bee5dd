import type { Database } from './database.js';
import type { MigrationSession } from './driver.js';
import { asMigrationList, migrationsDirectory, readMigrations } from './migration-files.js';
import type { MigrationFile } from './migration-files.js';
import { MigrationError, missingMigrations } from './migration-history.js';
import type { HistoryRow } from './migration-history.js';
import { openSchemaEngine, WHOLE_SCHEMA } from './schema-engine.js';
import { withWholeScripts } from './script.adapter.js';

/**
 * Brings the database up to this version, or leaves it as it was: what is missing is applied in one transaction, by one
 * node at a time. Keeps `_prisma_migrations` as `prisma migrate deploy` does, so that either may be used.
 * @param directory where the migrations are, this package's own unless told
 * @returns the names of the migrations applied
 * @throws MigrationError
 */
export async function applyMigrations(database: Database, directory = migrationsDirectory()): Promise<string[]> {
  const files = await readMigrations(directory);
  return database.exclusively(async (session) => {
    const missing = missingMigrations(files, await readHistory(session));
    if (missing.length > 0) await apply(session, directory, missing);
    return missing.map(({ name }) => name);
  });
}

async function readHistory(session: MigrationSession): Promise<readonly HistoryRow[]> {
  const tables = await session.query(`SELECT 1 WHERE to_regclass('_prisma_migrations') IS NOT NULL`);
  if (tables.length === 0) return [];
  const rows = await session.query(
    'SELECT migration_name, checksum, finished_at, rolled_back_at FROM _prisma_migrations',
  );
  return rows as readonly HistoryRow[];
}

/** One by one, so that a failure can be put down to a migration whatever the engine makes of it. */
async function apply(session: MigrationSession, directory: string, missing: readonly MigrationFile[]): Promise<void> {
  let failure: unknown;
  const run = (script: string): Promise<unknown> =>
    session.run(script).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  const engine = await openSchemaEngine(withWholeScripts(session.adapter, run));
  try {
    for (const file of missing) {
      const migrationsList = asMigrationList(directory, [file]);
      await engine.applyMigrations({ migrationsList, filters: WHOLE_SCHEMA }).catch((error: unknown) => {
        throw failed(file.name, failure ?? error);
      });
    }
  } finally {
    engine.free();
  }
}

function failed(name: string, cause: unknown): MigrationError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new MigrationError(
    name,
    `failed: ${reason}. The database is as it was before. Mend the cause and start again, or go on with the version ` +
      'that ran until now.',
    { cause },
  );
}
