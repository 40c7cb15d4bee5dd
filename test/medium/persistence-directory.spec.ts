import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewTenant } from '#tenancy/tenant.store.js';
import { openDatabase } from '#persistence/database.js';
import { DirectoryInUseError } from '#persistence/directory-lock.js';
import { applyMigrations } from '#persistence/migrations.js';
import { PrismaTenantStore } from '#persistence/prisma-tenant.store.js';
import { temporaryDirectory } from '../support/databases.js';
import type { Temporary } from '../support/databases.js';

const tenant: NewTenant = { slug: 'acme', title: 'Acme', access: 'oauth', activations: [] };

describe('PGlite in a data directory', () => {
  let place: Temporary<string>;
  let directory: string;

  beforeEach(async () => {
    place = await temporaryDirectory();
    directory = join(place.value, 'data');
  });

  afterEach(() => place.dispose());

  it('keeps its rows when it is closed and opened again, and is its owner’s only', async () => {
    const first = await openDatabase({ directory });
    await applyMigrations(first);
    const made = await new PrismaTenantStore(first).create(tenant);
    await first.close();
    expect(await readdir(directory)).toEqual(['pglite']);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, 'pglite'))).mode & 0o777).toBe(0o700);

    const second = await openDatabase({ directory });
    expect(await applyMigrations(second)).toEqual([]);
    expect(await new PrismaTenantStore(second).findBySlug('acme')).toEqual(made);
    await second.close();
  });

  it('is refused to a second opener for as long as the first has it', async () => {
    const first = await openDatabase({ directory });
    await expect(openDatabase({ directory })).rejects.toThrow(DirectoryInUseError);
    await expect(openDatabase({ directory })).rejects.toThrow(directory);
    await first.ping();
    await first.close();
    await first.close();
    const second = await openDatabase({ directory });
    await second.ping();
    await second.close();
  });

  it('starts afresh where a process died while it laid out the files', async () => {
    await mkdir(join(directory, 'pglite'), { recursive: true });
    await writeFile(join(directory, 'pglite', 'PG_VERSION'), '18\n');
    await writeFile(join(directory, 'pglite.unfinished'), '');
    const database = await openDatabase({ directory });
    await database.ping();
    await database.close();
    expect(await readdir(directory)).toEqual(['pglite']);
  });

  it('says what is wrong with files of another version, and lets go of the directory', async () => {
    await mkdir(join(directory, 'pglite'), { recursive: true });
    await writeFile(join(directory, 'pglite', 'PG_VERSION'), '17\n');
    await expect(openDatabase({ directory })).rejects.toThrow(/^The database in .*pglite does not open\..*postgres/s);
    expect(await readdir(directory)).toEqual(['pglite']);
  });
});
