import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** Runs a script of several statements on the session, as Postgres' simple query protocol does. */
export type RunScript = (script: string) => Promise<unknown>;

/**
 * The same adapter with a sound `executeScript`. The packaged ones will not do for migrations: that of
 * `@prisma/adapter-pg` 7.10 cuts the script at every semicolon, also within a function body or a string, and that of
 * `pglite-prisma-adapter` 0.7 neither waits for the script nor notices that it failed.
 */
export function withWholeScripts(
  factory: SqlMigrationAwareDriverAdapterFactory,
  run: RunScript,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      adapter.executeScript = async (script) => {
        await run(script).catch((error: unknown) => {
          throw asDriverError(error);
        });
      };
      return adapter;
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
}

/** The shape in which the schema engine expects what Postgres said. */
function asDriverError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, severity, detail, column, hint } = error as Error & Partial<Record<string, string>>;
  if (code === undefined || severity === undefined) return error;
  return new DriverAdapterError({ kind: 'postgres', code, severity, message: error.message, detail, column, hint });
}
