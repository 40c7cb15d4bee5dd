import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { lockDirectory } from './directory-lock.js';
import type { Driver, MigrationSession } from './driver.js';

const OWNER_ONLY = 0o700;
const LOG_LENGTH = 1_000;

/** Postgres in this process, in memory; gone when it is closed. */
export async function openPgliteInMemory(): Promise<Driver> {
  return pgliteDriver(await PGlite.create(), () => Promise.resolve());
}

/**
 * Postgres in this process, in `pglite` under the data directory, which is made if need be.
 * @throws DirectoryInUseError while another process has it open
 */
export async function openPglite(directory: string): Promise<Driver> {
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY });
  const release = await lockDirectory(directory);
  try {
    return pgliteDriver(await openCluster(join(directory, 'pglite')), release);
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * A process that dies while the files are first laid out leaves some that Postgres takes for a whole cluster. A mark
 * stands beside them meanwhile; where it is found there can be no rows yet, and the layout starts afresh.
 */
async function openCluster(path: string): Promise<PGlite> {
  const mark = `${path}.unfinished`;
  if (existsSync(mark)) await rm(path, { recursive: true, force: true });
  if (!existsSync(path)) await writeFile(mark, '');
  await mkdir(path, { recursive: true, mode: OWNER_ONLY });
  const cluster = await start(path);
  await rm(mark, { force: true });
  return cluster;
}

/** What PGlite throws says nothing; what Postgres wrote to its log says why. */
async function start(path: string): Promise<PGlite> {
  let log = '';
  const onStderr = (line: string): boolean => {
    log = `${log}\n${line}`.slice(-LOG_LENGTH);
    return true;
  };
  try {
    return await PGlite.create({ dataDir: path, onStderr });
  } catch (cause) {
    throw new Error(`The database in ${path} does not open. The end of its log:${log}`, { cause });
  }
}

function pgliteDriver(cluster: PGlite, release: () => Promise<void>): Driver {
  return {
    kind: 'pglite',
    adapter: new PrismaPGlite(cluster),
    exclusively: (work) => inTransaction(cluster, work),
    close: async () => {
      await cluster.close();
      await release();
    },
  };
}

/** There is one session, and at boot nobody else is on it: a transaction is all that is needed. */
async function inTransaction<T>(cluster: PGlite, work: (session: MigrationSession) => Promise<T>): Promise<T> {
  await cluster.exec('BEGIN');
  try {
    const result = await work({
      adapter: new PrismaPGlite(cluster),
      query: async (sql) => (await cluster.query(sql)).rows,
      run: (script) => cluster.exec(script),
    });
    await cluster.exec('COMMIT');
    return result;
  } catch (error) {
    await cluster.exec('ROLLBACK');
    throw error;
  }
}
