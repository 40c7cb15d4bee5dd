import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { compileSchema, type SchemaSource, type Validation } from './compile-schema.js';
import { SchemaFault } from './schema-fault.js';
import { DEFAULT_SCHEMA_LIMITS } from './schema-limits.js';

const input = (source: SchemaSource) => compileSchema(source, { role: 'input', limits: DEFAULT_SCHEMA_LIMITS });
const output = (source: SchemaSource) => compileSchema(source, { role: 'output', limits: DEFAULT_SCHEMA_LIMITS });
const validate = async (source: SchemaSource, value: unknown): Promise<Validation> => input(source).validate(value);

function faultOf(source: unknown, role: 'input' | 'output' = 'input'): SchemaFault {
  try {
    compileSchema(source as SchemaSource, { role, limits: DEFAULT_SCHEMA_LIMITS });
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
  throw new Error('the schema was accepted');
}

describe('what is listed to clients', () => {
  /** The schema that the conformance suite expects of `json_schema_2020_12_tool`. */
  const fixture = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  } as const;

  it('is the very schema that the author gave, with every keyword in its place', () => {
    expect(JSON.stringify(input(fixture).json)).toBe(JSON.stringify(fixture));
  });

  it('validates by the keywords that it lists', async () => {
    expect(await validate(fixture, { contactMethod: 'phone', phone: '1' })).toHaveProperty('value');
    expect(await validate(fixture, { contactMethod: 'phone', email: 'a@b.example' })).toEqual({
      issues: [{ path: 'phone', message: 'is required' }],
    });
    expect(await validate(fixture, { email: 'a', address: { street: 5 } })).toEqual({
      issues: [{ path: 'address.street', message: 'must be string (given 5)' }],
    });
  });

  it('keeps keywords that JSON Schema does not know, and takes no meaning from them', async () => {
    const schema = {
      type: 'object',
      $async: true,
      discriminator: { propertyName: 'kind' },
      'x-vendor': { $ref: 'https://example.com/never-read', $id: 'x' },
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region', nullable: true, id: 'region', example: 'eu' },
        when: { type: 'string', format: 'a-format-of-ours' },
      },
    };
    expect(input(schema).json).toEqual(schema);
    expect(await validate(schema, { region: 'eu', when: 'soon' })).toEqual({ value: { region: 'eu', when: 'soon' } });
    expect(await validate(schema, { region: null })).toHaveProperty('issues');
  });

  it('does not change when the author changes the object afterwards', () => {
    const schema = { type: 'object', properties: { day: { type: 'string' } } };
    const { json } = input(schema);
    schema.properties.day.type = 'number';
    expect(json).toEqual({ type: 'object', properties: { day: { type: 'string' } } });
  });

  it('is not shared between two tools with the same schema', async () => {
    const schema = { type: 'object', required: ['shared'] };
    const first = input(schema);
    first.json['required'] = [];
    expect(input(schema).json).toEqual(schema);
    expect(await first.validate({})).toHaveProperty('issues');
  });

  it('is the JSON Schema of a Standard Schema for the role', () => {
    const schema = z.object({ day: z.iso.date(), count: z.number().default(1) });
    expect(input(schema).json).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['day'],
      properties: { day: { type: 'string', format: 'date' }, count: { type: 'number', default: 1 } },
    });
    expect(output(schema).json).toMatchObject({ required: ['day', 'count'] });
  });

  it('has the type that a union of objects leaves out', () => {
    const schema = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(input(schema).json).toMatchObject({ type: 'object', anyOf: expect.any(Array) as unknown });
  });
});

describe('validation by a Standard Schema', () => {
  it('applies defaults and transforms', async () => {
    const schema = z.object({ count: z.number().default(3), name: z.string().transform((name) => name.trim()) });
    expect(await validate(schema, { name: ' Ada ' })).toEqual({ value: { count: 3, name: 'Ada' } });
  });

  it('waits for asynchronous checks', async () => {
    const schema = z.object({ name: z.string().refine(async (name) => name !== 'taken', 'must not be taken') });
    expect(await validate(schema, { name: 'free' })).toEqual({ value: { name: 'free' } });
    expect(await validate(schema, { name: 'taken' })).toEqual({
      issues: [{ path: 'name', message: 'must not be taken (given "taken")' }],
    });
  });

  it('tells where and what is wrong', async () => {
    const schema = z.object({ guests: z.array(z.object({ name: z.string() })) });
    expect(await validate(schema, { guests: [{ name: 'Ada' }, { name: 5 }] })).toEqual({
      issues: [{ path: 'guests[1].name', message: 'Invalid input: expected string, received number (given 5)' }],
    });
  });

  it('ends for a value that nests deeper than the stack', async () => {
    const node = z.object({
      get next() {
        return node.optional();
      },
    });
    expect(await validate(node, nested(100_000))).toEqual({ issues: [{ path: '', message: 'nests too deeply' }] });
  });

  it('lets a fault of the schema itself through', async () => {
    const schema = z.object({ n: z.number().transform((n) => n.toFixed(1000)) });
    await expect(validate(schema, { n: 1 })).rejects.toThrow(RangeError);
  });

  it('falls back to the JSON Schema where there is no validation', async () => {
    const json = { type: 'object', required: ['day'] };
    const schema = {
      '~standard': { version: 1 as const, vendor: 'ours', jsonSchema: { input: () => json, output: () => json } },
    };
    expect(await validate(schema, {})).toEqual({ issues: [{ path: 'day', message: 'is required' }] });
  });

  it('takes schemas that are functions', async () => {
    const json = { type: 'object' };
    const standard = { version: 1 as const, vendor: 'ours', jsonSchema: { input: () => json, output: () => json } };
    expect(input(Object.assign(() => true, { '~standard': standard })).json).toEqual(json);
  });

  it('refuses a schema that cannot be written as JSON Schema', () => {
    expect(faultOf(z.object({ at: z.date() })).message).toBe(
      'At the root of the schema, the schema cannot be written as JSON Schema (Date cannot be represented in JSON Schema): describe only what JSON can hold.',
    );
    expect(faultOf(z.object({ n: z.string().transform(Number) }), 'output').mend).toContain('without transforms');
  });

  it('refuses a Standard Schema that has no JSON Schema', () => {
    const standard = { '~standard': { version: 1, vendor: 'old', validate: () => ({ value: 1 }) } };
    expect(faultOf(standard).problem).toBe('this schema of old does not say what it is in JSON Schema');
  });
});

describe('validation by a plain schema', () => {
  it('returns the value as it is: no defaults, no conversion', async () => {
    const value = { n: 1 };
    const schema = { type: 'object', properties: { n: { type: 'integer' }, m: { type: 'integer', default: 5 } } };
    expect(await validate(schema, value)).toEqual({ value: { n: 1 } });
    expect(((await validate(schema, value)) as { value: unknown }).value).toBe(value);
    expect(await validate(schema, { n: '1' })).toHaveProperty('issues');
  });

  it('knows the formats', async () => {
    const day = { type: 'object', properties: { day: { format: 'date' } } };
    expect(await validate(day, { day: '2026-02-28' })).toHaveProperty('value');
    expect(await validate(day, { day: '2026-02-30' })).toHaveProperty('issues');
  });

  it('counts characters, not UTF-16 units, in patterns and lengths', async () => {
    const schema = { type: 'object', properties: { one: { pattern: '^.$', maxLength: 1 } } };
    expect(await validate(schema, { one: '💚' })).toHaveProperty('value');
  });

  it('takes patterns that are valid without the Unicode flag only', async () => {
    const schema = { type: 'object', properties: { name: { pattern: '^[\\w-.]+$' } } };
    expect(await validate(schema, { name: 'a-b.c' })).toHaveProperty('value');
    expect(await validate(schema, { name: 'a b' })).toHaveProperty('issues');
  });

  it('reckons multiples of decimal fractions', async () => {
    expect(await validate({ type: 'object', properties: { n: { multipleOf: 0.1 } } }, { n: 0.3 })).toHaveProperty(
      'value',
    );
  });

  it('takes an empty enum for a schema that nothing fits', async () => {
    const schema = { type: 'object', properties: { none: { enum: [] } } };
    expect(await validate(schema, {})).toHaveProperty('value');
    expect(await validate(schema, { none: 1 })).toHaveProperty('issues');
  });

  it('looks at own members only', async () => {
    const schema = { type: 'object', properties: { constructor: { type: 'string' } }, required: ['toString'] };
    expect(await validate(schema, { toString: 1 })).toHaveProperty('value');
    expect(await validate(schema, {})).toEqual({ issues: [{ path: 'toString', message: 'is required' }] });
  });

  it('checks a property that is called __proto__ like any other', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
    ) as SchemaSource;
    expect(JSON.stringify(input(schema).json)).toBe(JSON.stringify(schema));
    expect(await validate(schema, JSON.parse('{"__proto__":"text"}'))).toHaveProperty('value');
    expect(await validate(schema, JSON.parse('{"__proto__":{"admin":true}}'))).toEqual({
      issues: [{ path: '__proto__', message: 'must be string (given an object)' }],
    });
    expect(Object.prototype).not.toHaveProperty('admin');
  });

  it('lets any JSON value be an output', async () => {
    expect(await output({ type: 'array', items: { type: 'string' } }).validate(['a'])).toEqual({ value: ['a'] });
  });
});

describe('a schema that is refused', () => {
  it.each([true, null, [], 'text', 5, undefined, () => true])('%p is no schema', (source) => {
    expect(faultOf(source).problem).toBe('the schema is not a JSON object');
  });

  it('does not describe an object, and is for input', () => {
    expect(faultOf({ type: 'array' }).message).toBe(
      'At the root of the schema, the input schema does not describe an object: set "type" to "object".',
    );
    expect(faultOf({ properties: {} }).pointer).toBe('');
    expect(faultOf(z.string()).pointer).toBe('');
  });

  it('breaks its meta-schema', () => {
    const fault = faultOf({ type: 'object', properties: { a: { type: 'text' } } });
    expect(fault.pointer).toBe('/properties/a/type');
    expect(fault.message).toBe(
      'At /properties/a/type, the schema is not valid in JSON Schema 2020-12: ' +
        'what stands there must be one of "array", "boolean", "integer", "null", "number", "object", "string".',
    );
  });

  it('has a pattern that is no regular expression, or a very long one', () => {
    expect(faultOf({ type: 'object', properties: { a: { pattern: '(' } } }).pointer).toBe('/properties/a/pattern');
    expect(faultOf({ type: 'object', patternProperties: { '[': true } }).pointer).toBe('/patternProperties/[');
    expect(faultOf({ type: 'object', properties: { a: { pattern: 'a'.repeat(2001) } } }).problem).toContain('longer');
  });

  it('holds what JSON cannot', () => {
    expect(faultOf({ type: 'object', properties: { a: { const: new Date(0) } } }).pointer).toBe('/properties/a/const');
    expect(faultOf({ type: 'object', minProperties: Number.NaN }).problem).toBe('there is NaN');
    expect(faultOf({ type: 'object', default: 1n }).problem).toBe('there is a value of type bigint');
    expect(faultOf({ type: 'object', required: ['a', undefined] }).pointer).toBe('/required/1');
  });
});

/** An object in an object in an object …, made without recursion. */
function nested(levels: number): object {
  let value = {};
  for (let level = 0; level < levels; level += 1) value = { next: value };
  return value;
}
