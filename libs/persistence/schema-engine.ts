import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type * as SchemaEngineBindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { SchemaEngine, SchemaFilter } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** As far as it is used here; Node has it, TypeScript's library only with the DOM. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

/** The engine is asked about all tables and enums. */
export const WHOLE_SCHEMA: SchemaFilter = { externalTables: [], externalEnums: [] };

type Bindings = typeof SchemaEngineBindings;

let loading: Promise<Bindings> | undefined;

/** Loads 5 MB, once: the bindings know one instance, and calls of an earlier one would end up in a later. */
function loadBindings(): Promise<Bindings> {
  loading ??= instantiate();
  return loading;
}

async function instantiate(): Promise<Bindings> {
  const name = '@prisma/schema-engine-wasm/schema_engine_bg';
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const file = join(dirname(createRequire(import.meta.url).resolve(name)), 'schema_engine_bg.wasm');
  const imports = { './schema_engine_bg.js': { ...bindings, ...looseTimer(bindings) } };
  const { instance } = await WebAssembly.instantiate(await readFile(file), imports);
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}

/**
 * Prisma's schema engine, compiled to WebAssembly, on a driver adapter: not to be opened without need. The caller frees
 * it. Imports nothing of ours, so that scripts can load it without a build.
 */
export async function openSchemaEngine(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> {
  const { SchemaEngine } = await loadBindings();
  const datamodel: [string, string] = ['schema.prisma', 'datasource db { provider = "postgresql" }'];
  return SchemaEngine.new({ datamodels: [datamodel] }, () => undefined, bindMigrationAwareSqlAdapterFactory(adapter));
}

/** The engine does not clear the timer it waits for its lock with: ten seconds that must not keep a process. */
function looseTimer(bindings: Bindings): Record<string, unknown> {
  const names = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'));
  return Object.fromEntries(names.map((name) => [name, (run: () => void, ms: number) => setTimeout(run, ms).unref()]));
}
