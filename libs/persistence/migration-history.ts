import type { MigrationFile } from './migration-files.js';

/** A row of `_prisma_migrations`, as far as it matters here. */
export interface HistoryRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: unknown;
  readonly rolled_back_at: unknown;
}

/** Stops the boot. Names the migration and says what to do about it. */
export class MigrationError extends Error {
  constructor(
    readonly migration: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`Migration ${migration} ${problem}`, options);
    this.name = 'MigrationError';
  }
}

/**
 * The migrations that the database lacks. One that it has and this version has not is let be: it stems from a newer
 * version, as during a rolling update.
 * @throws MigrationError when one was edited after it was applied, or was begun elsewhere and never finished
 */
export function missingMigrations(files: readonly MigrationFile[], rows: readonly HistoryRow[]): MigrationFile[] {
  const history = rows.filter((row) => row.rolled_back_at === null);
  const unfinished = history.find((row) => row.finished_at === null);
  if (unfinished) {
    throw new MigrationError(
      unfinished.migration_name,
      'was begun by another tool and failed, or is still running. If it failed, see what it left behind, repair that ' +
        'by hand, mark it with `prisma migrate resolve`, and start again.',
    );
  }
  const applied = new Map(history.map((row) => [row.migration_name, row.checksum]));
  for (const { name, checksum } of files) {
    if (!applied.has(name) || applied.get(name) === checksum) continue;
    throw new MigrationError(
      name,
      'is not what was applied to this database: its migration.sql was edited afterwards. ' +
        'Put the file back as it was, and put the change into a new migration.',
    );
  }
  return files.filter(({ name }) => !applied.has(name));
}
