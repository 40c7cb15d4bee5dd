import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/**
 * The same adapter with a sound `executeScript`. The packaged ones will not do for migrations: that of
 * `@prisma/adapter-pg` 7.10 cuts the script at every semicolon, also within a function body or a string, and that of
 * `pglite-prisma-adapter` 0.7 neither waits for the script nor notices that it failed.
 * @param run runs a script of several statements, as Postgres' simple query protocol does
 */
export function withWholeScripts(
  factory: SqlMigrationAwareDriverAdapterFactory,
  run: (script: string) => Promise<unknown>,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      adapter.executeScript = async (script) => {
        await run(script);
      };
      return adapter;
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
}
