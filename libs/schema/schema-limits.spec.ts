import { describe, expect, it } from '@jest/globals';
import { compileSchema, type SchemaSource } from './compile-schema.js';
import { SchemaFault } from './schema-fault.js';
import { DEFAULT_SCHEMA_LIMITS, type SchemaLimits } from './schema-limits.js';

function faultOf(source: object, limits: SchemaLimits = DEFAULT_SCHEMA_LIMITS): SchemaFault {
  try {
    compileSchema(source as SchemaSource, { role: 'input', limits });
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
  throw new Error('the schema was accepted');
}

/** A schema of objects in objects, made without recursion. */
function nested(levels: number): object {
  let schema: object = { type: 'object' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

describe('limits', () => {
  const limits = { depth: 3, bytes: 1000, subschemas: 10 };

  it('hold for how deep subschemas nest', () => {
    expect(() => compileSchema(nested(3) as SchemaSource, { role: 'input', limits })).not.toThrow();
    const fault = faultOf(nested(4), limits);
    expect(fault.problem).toBe('the schema nests more than 3 subschemas deep');
    expect(fault.pointer).toBe('/properties/a/properties/a/properties/a/properties/a');
  });

  it('hold for bytes of UTF-8, not for characters', () => {
    const schema = (length: number) => ({ type: 'object', title: 'é'.repeat(length) });
    expect(() => compileSchema(schema(400), { role: 'input', limits })).not.toThrow();
    expect(faultOf(schema(600), limits).problem).toBe('the schema has more than 1000 bytes of JSON');
  });

  it('hold for the number of subschemas, booleans included', () => {
    const schema = (count: number) => ({ type: 'object', allOf: Array.from({ length: count }, () => true) });
    expect(() => compileSchema(schema(9), { role: 'input', limits })).not.toThrow();
    expect(faultOf(schema(10), limits).problem).toBe('the schema has more than 10 subschemas');
  });

  it('hold for a schema that was compiled before under wider ones', () => {
    expect(() =>
      compileSchema(nested(4) as SchemaSource, { role: 'input', limits: DEFAULT_SCHEMA_LIMITS }),
    ).not.toThrow();
    expect(faultOf(nested(4), limits).problem).toContain('3 subschemas deep');
  });
});

describe('hostile schemas', () => {
  it('nest 100,000 levels deep', () => {
    expect(faultOf(nested(100_000)).problem).toBe('the schema nests more than 68 levels of JSON deep');
    let data: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) data = [data];
    expect(faultOf({ type: 'object', const: data }).problem).toContain('levels of JSON deep');
  });

  it('contain themselves', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema['properties'] = { a: { items: schema } };
    const fault = faultOf(schema);
    expect(fault.problem).toBe('the schema object contains itself');
    expect(fault.pointer).toBe('/properties/a/items');
  });

  it('are small in memory and huge in JSON', () => {
    let data: unknown = 'ha';
    for (let level = 0; level < 60; level += 1) data = [data, data];
    expect(faultOf({ type: 'object', default: data }).problem).toBe('the schema has more than 262144 bytes of JSON');
  });

  it('are huge', () => {
    expect(faultOf({ type: 'object', description: 'x'.repeat(10_000_000) }).problem).toContain('262144 bytes');
    expect(faultOf({ type: 'object', enum: new Array(1e9) }).pointer).toBe('/enum/0');
  });
});

describe('hostile values end in an issue', () => {
  const validate = async (schema: SchemaSource, value: unknown) =>
    compileSchema(schema, { role: 'input', limits: DEFAULT_SCHEMA_LIMITS }).validate(value);
  const tooLong = { issues: [{ path: '', message: 'takes too long to check; give a simpler or smaller value' }] };

  it('when a pattern backtracks without end', async () => {
    const schema = { type: 'object', properties: { a: { pattern: '^(a+)+$' } } };
    expect(await validate(schema, { a: 'aaa' })).toHaveProperty('value');
    expect(await validate(schema, { a: `${'a'.repeat(60)}!` })).toEqual(tooLong);
  });

  it('when every level doubles the work', async () => {
    const twice = { anyOf: [{ $ref: '#/$defs/node' }, { $ref: '#/$defs/node' }] };
    const node = { type: 'object', properties: { next: twice }, required: ['name'] };
    let value: object = {};
    for (let level = 0; level < 60; level += 1) value = { next: value, name: 'x' };
    expect(await validate({ type: 'object', properties: { root: twice }, $defs: { node } }, { root: value })).toEqual(
      tooLong,
    );
  });

  it('when it nests deeper than the stack', async () => {
    let value: object = {};
    for (let level = 0; level < 100_000; level += 1) value = { next: value };
    expect(await validate({ type: 'object', properties: { next: { $ref: '#' } } }, value)).toEqual({
      issues: [{ path: '', message: 'nests too deeply' }],
    });
  });

  it('of which at most twenty are reported', async () => {
    const schema = { type: 'object', properties: { list: { items: { type: 'string' } } } };
    const result = (await validate(schema, { list: Array.from({ length: 500 }, (_, index) => index) })) as {
      issues: unknown[];
    };
    expect(result.issues).toHaveLength(20);
    const many = (await validate(schema, { list: Array.from({ length: 50_000 }, (_, index) => index) })) as {
      issues: unknown[];
    };
    expect(many.issues).toEqual([{ path: 'list[0]', message: 'must be string (given 0)' }]);
  });
});
