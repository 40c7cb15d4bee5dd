import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** One migration as it stands in `prisma/migrations`. */
export interface MigrationFile {
  /** The name of its directory: a timestamp and a few words. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the SQL in hexadecimal, as Prisma keeps it in `_prisma_migrations`. */
  readonly checksum: string;
}

/** `prisma/migrations` of this package, whether this file runs from its source or from `dist`. */
export function migrationsDirectory(): string {
  let directory = import.meta.dirname;
  while (!existsSync(join(directory, 'package.json'))) {
    if (directory === dirname(directory)) throw new Error(`No package.json above ${import.meta.dirname}`);
    directory = dirname(directory);
  }
  return join(directory, 'prisma', 'migrations');
}

/** The migrations of a directory in the order in which they are applied. Imports nothing of ours: scripts load it. */
export async function readMigrations(directory: string): Promise<MigrationFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(directory, name)));
}

async function readMigration(directory: string, name: string): Promise<MigrationFile> {
  const text = await readFile(join(directory, name, 'migration.sql'), 'utf8');
  const sql = text.replaceAll('\r\n', '\n'); // one checksum, however git checks it out
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/** The same in the form the schema engine takes. */
export function asMigrationList(directory: string, files: readonly MigrationFile[]): MigrationList {
  return {
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: files.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
