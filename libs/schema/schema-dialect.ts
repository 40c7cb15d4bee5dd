import type { JsonObject } from '#protocol/json.js';
import { SchemaFault } from './schema-fault.js';

/** A dialect of JSON Schema that is understood. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
] as const);

/**
 * The dialect that a schema names with `$schema`; 2020-12 when it names none (specification: basic, "JSON Schema Usage").
 * @throws SchemaFault for any other
 */
export function dialectOf(schema: JsonObject, pointer = ''): Dialect {
  const named = schema['$schema'];
  if (named === undefined) return '2020-12';
  const dialect = typeof named === 'string' ? DIALECTS.get(canonical(named)) : undefined;
  if (dialect !== undefined) return dialect;
  throw new SchemaFault(
    `${pointer}/$schema`,
    `the dialect ${JSON.stringify(named)} is not supported`,
    `use ${[...DIALECTS.keys()].join(' or ')}, or leave "$schema" out for the first of them`,
  );
}

/** Draft-07's own name has `http:` and an empty fragment; both are often written otherwise. */
function canonical(uri: string): string {
  return uri.replace(/#$/, '').replace(/^http:/, 'https:');
}
