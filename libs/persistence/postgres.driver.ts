import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Driver, MigrationSession } from './driver.js';
import { readPostgresUrl } from './postgres-url.js';

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`, with `?schema=` for another schema than `public`. */
  readonly url: string;
  /** How many connections this process opens at most; 10 unless told. One more while it migrates. */
  readonly maxConnections?: number;
}

/** The key `prisma migrate` locks with: it waits for us, and we for it. */
const MIGRATION_LOCK = 72_707_369;
const LOCK_NOT_AVAILABLE = '55P03';
const MINUTE_MS = 60_000;

/** Limits in milliseconds. The client's own (`query_timeout`) is for a server that fell silent. */
const REQUEST_LIMITS = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 15_000,
  query_timeout: 20_000,
  idle_in_transaction_session_timeout: 30_000,
  idleTimeoutMillis: 60_000,
};

const MIGRATION_LIMITS = {
  connectionTimeoutMillis: 5_000,
  lock_timeout: 5 * MINUTE_MS,
  statement_timeout: 15 * MINUTE_MS,
  query_timeout: 16 * MINUTE_MS,
};

/** A Postgres server. Connects with the first query. */
export function openPostgres(options: PostgresOptions): Driver {
  const { schema, ...connection } = readPostgresUrl(options.url);
  const server = { application_name: 'causeway', keepAlive: true, ...connection };
  return {
    kind: 'postgres',
    adapter: new PrismaPg({ ...server, ...REQUEST_LIMITS, max: options.maxConnections ?? 10 }, { schema }),
    exclusively: (work) => inMigrationSession({ ...server, ...MIGRATION_LIMITS }, schema, work),
    close: () => Promise.resolve(),
  };
}

/** The session ends with the pool, whatever happened: that rolls back what is not committed, and unlocks. */
async function inMigrationSession<T>(
  config: pg.PoolConfig,
  schema: string,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ ...config, max: 1, idleTimeoutMillis: 0, verify: onceOnly(begin) });
  pool.on('error', () => undefined); // a session lost while idle shows in the next query
  try {
    await connect(pool);
    await createSchema(pool, schema);
    const result = await work({
      adapter: new PrismaPg(pool, { schema }),
      query: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows,
      run: (script) => pool.query(script),
    });
    await pool.query('COMMIT');
    return result;
  } finally {
    await pool.end();
  }
}

/** Says what the errors of `pg` leave out: what was being tried. */
async function connect(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('SELECT 1');
  } catch (cause) {
    const { code = '', message } = cause as Error & { code?: string };
    const reason = code === LOCK_NOT_AVAILABLE ? 'another node has been migrating it for minutes' : message || code;
    throw new Error(`The Postgres database cannot be used: ${reason}`, { cause });
  }
}

/** A second connection of this pool would be outside of the transaction, so there is none. */
function onceOnly(enter: (client: pg.PoolClient) => Promise<unknown>): NonNullable<pg.PoolConfig['verify']> {
  let entered = false;
  return (client, done) => {
    if (entered) {
      done(new Error('The database connection was lost while migrating.'));
      return;
    }
    entered = true;
    enter(client).then(() => done(), done);
  };
}

async function begin(client: pg.PoolClient): Promise<void> {
  await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
  await client.query('BEGIN');
}

/** Looks first: `CREATE SCHEMA IF NOT EXISTS` asks for the right to create even when there is nothing to do. */
async function createSchema(pool: pg.Pool, schema: string): Promise<void> {
  const { rowCount } = await pool.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await pool.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
}
