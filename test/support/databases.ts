import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseOptions } from '#persistence/database.js';

/** Something a test uses up: `dispose` leaves the machine as it was. */
export interface Temporary<T> {
  readonly value: T;
  dispose(): Promise<void>;
}

const CANDIDATES = [
  'postgresql://root@127.0.0.1:5432/test',
  'postgresql://postgres@127.0.0.1:5432/test',
  'postgresql://postgres:postgres@127.0.0.1:5432/test',
];

/**
 * The Postgres server for tests: `TEST_DATABASE_URL`, else the one of this machine. Where there is none it says so, and
 * under CI (the `CI` variable) fails instead: there the tests on Postgres must run.
 */
export async function findPostgres(): Promise<string | undefined> {
  const given = process.env['TEST_DATABASE_URL'];
  const candidates = given ? [given] : CANDIDATES;
  const failures: string[] = [];
  for (const url of candidates) {
    const failure = await tryOut(url);
    if (failure === undefined) return url;
    failures.push(failure);
  }
  const message = `NO POSTGRES FOR TESTS, set TEST_DATABASE_URL. Tried:\n  ${failures.join('\n  ')}`;
  if (process.env['CI']) throw new Error(message);
  console.warn(`${message}\nTests on Postgres are left out.`);
  return undefined;
}

async function tryOut(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const { host, port } = client;
    return `${host}:${String(port)}: ${error instanceof Error ? error.message || error.name : String(error)}`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A Postgres schema of the test's own, empty, as options for `openDatabase`. */
export function temporarySchema(server: string): Temporary<{ readonly url: string }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = `${server}${server.includes('?') ? '&' : '?'}schema=${name}`;
  return { value: { url }, dispose: () => runSql(server, `DROP SCHEMA IF EXISTS ${name} CASCADE`) };
}

/** Runs SQL on the server, outside of the code under test. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 20_000 });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** A directory of the test's own, empty. */
export async function temporaryDirectory(): Promise<Temporary<string>> {
  const value = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  return { value, dispose: () => rm(value, { recursive: true, force: true }) };
}

/** An engine to run a suite on, and how to have an empty database on it. */
export interface Engine {
  readonly name: string;
  readonly empty: () => Temporary<DatabaseOptions>;
}

/** PGlite and, where there is one, a Postgres server: what holds on one must hold on the other. */
export async function databaseEngines(): Promise<Engine[]> {
  const pglite: Engine = {
    name: 'PGlite',
    empty: () => ({ value: { memory: true }, dispose: () => Promise.resolve() }),
  };
  const server = await findPostgres();
  return server ? [pglite, { name: 'Postgres', empty: () => temporarySchema(server) }] : [pglite];
}
