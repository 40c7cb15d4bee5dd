import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { isJsonObject } from '#protocol/json.js';
import { copyJson, type JsonCopy } from './json-copy.js';
import { SchemaFault } from './schema-fault.js';
import type { SchemaLimits } from './schema-limits.js';

/** A JSON Schema written out as an object. */
export interface PlainSchema {
  readonly [keyword: string]: unknown;
}

/**
 * What an author may give as a schema: one of any library that implements Standard JSON Schema (and, nearly always,
 * Standard Schema, by which values are then validated), or a plain JSON Schema object.
 */
export type SchemaSource<Input = unknown, Output = Input> = StandardJSONSchemaV1<Input, Output> | PlainSchema;

/** Which side of a tool a schema describes: what goes in before defaults and transforms, or what comes out. */
export type SchemaRole = 'input' | 'output';

type Standard = StandardJSONSchemaV1 & Partial<StandardSchemaV1>;

/**
 * The JSON Schema of a source for a role, within the limits.
 * @throws SchemaFault when the source is no schema, or cannot be expressed in JSON Schema
 */
export function readSource(source: SchemaSource, role: SchemaRole, limits: SchemaLimits): JsonCopy {
  if (!isSchemaObject(source)) {
    throw new SchemaFault(
      '',
      'the schema is not a JSON object',
      'give a JSON Schema object or a schema of zod or the like',
    );
  }
  if (!isStandard(source)) return copyJson(source, limits);
  const json = standardJson(source, role);
  // A union or a recursive object leaves the type out; the arguments of a call are an object all the same.
  return copyJson(role === 'input' && json['type'] === undefined ? { ...json, type: 'object' } : json, limits);
}

/** The source's own validation, when it has one. */
export function standardValidation(source: SchemaSource): StandardSchemaV1.Props | undefined {
  if (!isStandard(source)) return undefined;
  const props = source['~standard'] as Partial<StandardSchemaV1.Props>;
  return props.validate === undefined ? undefined : (props as StandardSchemaV1.Props);
}

/** Schemas of some libraries are functions. */
function isSchemaObject(source: unknown): boolean {
  return isJsonObject(source) || (typeof source === 'function' && '~standard' in source);
}

function isStandard(source: SchemaSource): source is Standard {
  return '~standard' in source;
}

function standardJson(source: Standard, role: SchemaRole): Record<string, unknown> {
  const { vendor, jsonSchema } = source['~standard'] as Partial<StandardJSONSchemaV1.Props>;
  if (jsonSchema === undefined) {
    throw new SchemaFault(
      '',
      `this schema of ${vendor ?? 'an unknown library'} does not say what it is in JSON Schema`,
      'use a version of the library that implements Standard JSON Schema, or give a plain JSON Schema object',
    );
  }
  try {
    return jsonSchema[role]({ target: 'draft-2020-12' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaFault('', `the schema cannot be written as JSON Schema (${reason})`, mendFor(role));
  }
}

function mendFor(role: SchemaRole): string {
  return role === 'input'
    ? 'describe only what JSON can hold'
    : 'describe what the handler returns without transforms, in types that JSON can hold';
}
