import type { SqlDriverAdapterFactory, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** One database session inside one transaction, for migrations. */
export interface MigrationSession {
  /** For the schema engine. Its scripts need `run`: see `withWholeScripts`. */
  readonly adapter: SqlMigrationAwareDriverAdapterFactory;
  /** Runs one statement and returns its rows. */
  query(sql: string): Promise<readonly unknown[]>;
  /** Runs a script of any number of statements. */
  run(script: string): Promise<unknown>;
}

/** What sets a Postgres server apart from Postgres in this process. */
export interface Driver {
  readonly kind: 'postgres' | 'pglite';
  readonly adapter: SqlDriverAdapterFactory;
  /**
   * Runs `work` in a session of its own while no other node does the same. All of it is one transaction: it is
   * committed when `work` resolves, and leaves nothing behind when `work` rejects or this process dies.
   */
  exclusively<T>(work: (session: MigrationSession) => Promise<T>): Promise<T>;
  /** Gives up what is held besides the connections of `adapter`. */
  close(): Promise<void>;
}
