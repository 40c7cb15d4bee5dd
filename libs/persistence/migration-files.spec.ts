import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrationsDirectory, readMigrations } from './migration-files.js';

describe('the migration files', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  async function write(name: string, sql: string): Promise<void> {
    await mkdir(join(directory, name));
    await writeFile(join(directory, name, 'migration.sql'), sql);
  }

  it('are read in the order of their names, with the checksum that Prisma keeps', async () => {
    await write('20260202000000_second', 'SELECT 2;');
    await write('20260101000000_first', 'SELECT 1;\n');
    await writeFile(join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
    expect(await readMigrations(directory)).toEqual([
      {
        name: '20260101000000_first',
        sql: 'SELECT 1;\n',
        checksum: 'b4e0497804e46e0a0b0b8c31975b062152d551bac49c3c2e80932567b4085dcd',
      },
      {
        name: '20260202000000_second',
        sql: 'SELECT 2;',
        checksum: '8e7003d62f9d8cbd28da2f243bb0d215bfd4622c716be09be89a8764d9f4c7cb',
      },
    ]);
  });

  it('have the same checksum however the checkout ends its lines', async () => {
    await write('1_unix', 'SELECT 1;\nSELECT 2;\n');
    await write('2_windows', 'SELECT 1;\r\nSELECT 2;\r\n');
    const [unix, windows] = await readMigrations(directory);
    expect(windows?.checksum).toBe(unix?.checksum);
  });

  it('of this package are found from its root', async () => {
    const files = await readMigrations(migrationsDirectory());
    expect(files[0]?.name).toMatch(/^\d{14}_init$/);
  });
});
