import { isJsonObject, type JsonObject, type JsonValue } from '#protocol/json.js';

export type Subschema = JsonObject | boolean;

/** A schema object of a document, at its place. */
export interface Place {
  readonly schema: JsonObject;
  readonly pointer: string;
  /** The base URI that holds here (2020-12 core, section 8.2); empty where the document gives none. */
  readonly base: string;
  readonly depth: number;
}

/** A schema that stands directly under a keyword of another one. */
export interface Child {
  readonly keyword: string;
  /** The member name or index below the keyword; undefined where the keyword's value is the schema. */
  readonly token: string | number | undefined;
  readonly schema: Subschema;
}

type Shape = 'schema' | 'list' | 'map' | 'schema or list';

/**
 * Every keyword of draft-07, 2019-09 and 2020-12 that holds schemas. What stands under any other keyword (`const`, `enum`,
 * `default`, `examples`, vendor keywords) is data.
 */
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['additionalProperties', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['items', 'schema or list'],
  ['prefixItems', 'list'],
  ['additionalItems', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['contains', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['dependentSchemas', 'map'],
  ['dependencies', 'map'],
  ['contentSchema', 'schema'],
  ['$defs', 'map'],
  ['definitions', 'map'],
] as const);

/** The schemas directly under a schema, in the order in which they are written. Malformed keywords are passed over. */
export function childrenOf(schema: JsonObject): Child[] {
  return Object.entries(schema).flatMap(([keyword, value]) => childrenUnder(keyword, value));
}

function childrenUnder(keyword: string, value: JsonValue): Child[] {
  const shape = SHAPES.get(keyword);
  if (shape === undefined) return [];
  if (Array.isArray(value)) {
    return shape.endsWith('list') ? value.flatMap((item, index) => child(keyword, index, item)) : [];
  }
  if (shape === 'map') {
    return isJsonObject(value) ? Object.entries(value).flatMap(([name, item]) => child(keyword, name, item)) : [];
  }
  return shape === 'list' ? [] : child(keyword, undefined, value);
}

function child(keyword: string, token: string | number | undefined, schema: unknown): Child[] {
  return isSubschema(schema) ? [{ keyword, token, schema }] : [];
}

/** True for what can be a schema: an object, `true` or `false`. */
export function isSubschema(value: unknown): value is Subschema {
  return typeof value === 'boolean' || isJsonObject(value);
}
