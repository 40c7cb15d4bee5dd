import { readFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '#persistence/database.js';
import type { Database } from '#persistence/database.js';
import { asMigrationList, migrationsDirectory, readMigrations } from '#persistence/migration-files.js';
import { MigrationError } from '#persistence/migration-history.js';
import { applyMigrations } from '#persistence/migrations.js';
import { openSchemaEngine, WHOLE_SCHEMA } from '#persistence/schema-engine.js';
import { withWholeScripts } from '#persistence/script.adapter.js';
import { databaseEngines, temporaryDirectory } from '../support/databases.js';
import type { Temporary } from '../support/databases.js';

const engines = await databaseEngines();
const names = (await readMigrations(migrationsDirectory())).map(({ name }) => name);

describe.each(engines)('migrations on $name', (engine) => {
  let place: ReturnType<typeof engine.empty>;
  let migrations: Temporary<string>;
  let database: Database;

  beforeEach(async () => {
    place = engine.empty();
    migrations = await temporaryDirectory();
    database = await openDatabase(place.value);
  });

  afterEach(async () => {
    await database.close();
    await place.dispose();
    await migrations.dispose();
  });

  async function write(name: string, sql: string): Promise<void> {
    await mkdir(join(migrations.value, name), { recursive: true });
    await writeFile(join(migrations.value, name, 'migration.sql'), sql);
  }

  const apply = (): Promise<string[]> => applyMigrations(database, migrations.value);
  const tables = (): Promise<unknown> => database.client.$queryRaw`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_name <> '_prisma_migrations' ORDER BY 1`;

  it('are applied once, and kept account of as `prisma migrate` does it', async () => {
    expect(await applyMigrations(database)).toEqual(names);
    expect(await applyMigrations(database)).toEqual([]);
    const files = await readMigrations(migrationsDirectory());
    const diagnosis = await database.exclusively(async ({ adapter }) => {
      const schemaEngine = await openSchemaEngine(adapter);
      const migrationsList = asMigrationList(migrationsDirectory(), files);
      const asked = { migrationsList, optInToShadowDatabase: false, filters: WHOLE_SCHEMA };
      return schemaEngine.diagnoseMigrationHistory(asked).finally(() => schemaEngine.free());
    });
    expect(diagnosis).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
    const rows = await database.client.$queryRaw`
      SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count,
        finished_at >= started_at AS finished FROM _prisma_migrations`;
    expect(rows).toEqual(
      files.map(({ name, checksum }) => ({
        migration_name: name,
        checksum,
        logs: null,
        rolled_back_at: null,
        applied_steps_count: 1,
        finished: true,
      })),
    );
  });

  it('stop the boot when one fails, leave nothing behind, and go on when it is mended', async () => {
    await write('1_good', 'CREATE TABLE good (a int);');
    await write('2_bad', 'CREATE TABLE half (a int); INSERT INTO missing VALUES (1);');
    await expect(apply()).rejects.toThrow(MigrationError);
    await expect(apply()).rejects.toThrow(
      /^Migration 2_bad failed: relation "missing" does not exist\. The database is as it was before\./,
    );
    expect(await tables()).toEqual([]);
    await write('2_bad', 'CREATE TABLE whole (a int);');
    expect(await apply()).toEqual(['1_good', '2_bad']);
    expect(await tables()).toEqual([{ name: 'good' }, { name: 'whole' }]);
  });

  it('may hold semicolons in strings, comments and function bodies', async () => {
    await write(
      '1_function',
      `-- one; two
       CREATE TABLE notes (text text DEFAULT 'a;b');
       CREATE FUNCTION note() RETURNS int LANGUAGE plpgsql AS $$
       BEGIN INSERT INTO notes DEFAULT VALUES; RETURN 7; END; $$;
       SELECT note();`,
    );
    expect(await apply()).toEqual(['1_function']);
    expect(await database.client.$queryRaw`SELECT text FROM notes`).toEqual([{ text: 'a;b' }]);
  });

  it('stop the boot when one was edited after it was applied', async () => {
    await write('1_good', 'CREATE TABLE good (a int);');
    await apply();
    await write('1_good', 'CREATE TABLE good (a int, b int);');
    await expect(apply()).rejects.toThrow(/^Migration 1_good .* edited/);
  });

  it('stop the boot when another tool left one unfinished', async () => {
    await write('1_good', 'CREATE TABLE good (a int);');
    await apply();
    await database.client.$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL`;
    await expect(apply()).rejects.toThrow(/^Migration 1_good .*prisma migrate resolve/);
  });

  it('let an older version start on a database that a newer one migrated', async () => {
    await write('1_good', 'CREATE TABLE good (a int);');
    await write('2_newer', 'CREATE TABLE newer (a int);');
    await apply();
    await rm(join(migrations.value, '2_newer'), { recursive: true });
    expect(await apply()).toEqual([]);
  });

  if (engine.name !== 'Postgres') return;

  it('are applied by one of several nodes that boot at once, and all start', async () => {
    const nodes = await Promise.all([1, 2, 3, 4].map(() => openDatabase(place.value)));
    const applied = await Promise.all(nodes.map((node) => applyMigrations(node)));
    expect(applied.flat()).toEqual(names);
    await Promise.all(nodes.map((node) => node.client.tenant.count()));
    await Promise.all(nodes.map((node) => node.close()));
  });

  it('leave nothing behind when the connection is lost in their midst', async () => {
    await write('1_good', 'CREATE TABLE good (a int);');
    await write('2_cut', 'CREATE TABLE cut (a int); SELECT pg_terminate_backend(pg_backend_pid());');
    await expect(apply()).rejects.toThrow(/^Migration 2_cut failed: .*terminat/);
    expect(await tables()).toEqual([]);
  });
});

it('the migrations lead to prisma/schema.prisma', async () => {
  const database = await openDatabase({ memory: true });
  const path = join(migrationsDirectory(), '..', 'schema.prisma');
  const list = asMigrationList(migrationsDirectory(), await readMigrations(migrationsDirectory()));
  const difference = await database.exclusively(async (session) => {
    const adapter = withWholeScripts(session.adapter, (script) => session.run(script));
    const schemaEngine = await openSchemaEngine({ ...adapter, connectToShadowDb: () => adapter.connect() });
    const asked = {
      from: { tag: 'migrations' as const, ...list },
      to: { tag: 'schemaDatamodel' as const, files: [{ path, content: await readFile(path, 'utf8') }] },
      script: true,
      exitCode: null,
      shadowDatabaseUrl: null,
      filters: WHOLE_SCHEMA,
    };
    return schemaEngine.diff(asked).finally(() => schemaEngine.free());
  });
  await database.close();
  expect(difference.stdout?.trim()).toBe('-- This is an empty migration.');
});
