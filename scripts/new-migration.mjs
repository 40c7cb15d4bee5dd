// Writes the next migration: what leads from the migrations so far to prisma/schema.prisma.
//   node scripts/new-migration.mjs add_sources
// Works offline, on an in-memory Postgres. Read the SQL before you commit it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';

if (!process.features.typescript) {
  console.error("This script loads TypeScript: put the repository's own Node first, PATH=node_modules/.bin:$PATH");
  process.exit(1);
}
const { asMigrationList, migrationsDirectory, readMigrations } = await import('../libs/persistence/migration-files.ts');
const { openSchemaEngine, WHOLE_SCHEMA } = await import('../libs/persistence/schema-engine.ts');
const { withWholeScripts } = await import('../libs/persistence/script.adapter.ts');

const [name] = process.argv.slice(2);
if (!/^[a-z][a-z0-9_]*$/.test(name ?? '')) {
  console.error('Usage: node scripts/new-migration.mjs <name in snake_case>');
  process.exit(1);
}

const directory = migrationsDirectory();
const sql = await difference();
if (sql.trim() === '-- This is an empty migration.') console.log('The schema holds nothing that the migrations lack.');
else await write(`${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}_${name}`);

async function difference() {
  const database = await PGlite.create();
  const adapter = withWholeScripts(new PrismaPGlite(database), (script) => database.exec(script));
  const engine = await openSchemaEngine({ ...adapter, connectToShadowDb: adapter.connect });
  try {
    const files = [
      { path: 'schema.prisma', content: await readFile(join(dirname(directory), 'schema.prisma'), 'utf8') },
    ];
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...asMigrationList(directory, await readMigrations(directory)) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      shadowDatabaseUrl: null,
      filters: WHOLE_SCHEMA,
    });
    return stdout;
  } finally {
    engine.free();
    await database.close();
  }
}

async function write(migration) {
  await mkdir(join(directory, migration));
  await writeFile(join(directory, migration, 'migration.sql'), sql);
  console.log(`prisma/migrations/${migration}/migration.sql`);
}
