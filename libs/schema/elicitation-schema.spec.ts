import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { SchemaSource } from './compile-schema.js';
import { elicitationSchema } from './elicitation-schema.js';
import { SchemaFault } from './schema-fault.js';

const plain = (properties: object, rest: object = {}) => elicitationSchema({ type: 'object', properties, ...rest });
const field = (schema: object) => (plain({ a: schema }).json['properties'] as Record<string, unknown>)['a'];

function faultOf(source: SchemaSource): SchemaFault {
  try {
    elicitationSchema(source);
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
  throw new Error('the schema was accepted');
}

describe('the form', () => {
  const text = { title: 'Title', description: 'Text' };

  it.each<[string, object]>([
    [
      'a string',
      { type: 'string', ...text, minLength: 3, maxLength: 50, format: 'email', default: 'user@example.com' },
    ],
    ['a URI', { type: 'string', format: 'uri' }],
    ['a date', { type: 'string', format: 'date' }],
    ['a date with time', { type: 'string', format: 'date-time' }],
    ['a number', { type: 'number', ...text, minimum: 0, maximum: 100, default: 50 }],
    ['an integer', { type: 'integer', minimum: 0 }],
    ['a boolean', { type: 'boolean', ...text, default: false }],
    ['a choice', { type: 'string', ...text, enum: ['Red', 'Green'], default: 'Red' }],
    ['a choice with titles', { type: 'string', ...text, oneOf: [{ const: '#F00', title: 'Red' }], default: '#F00' }],
    ['a choice with titles of old', { type: 'string', enum: ['#F00'], enumNames: ['Red'] }],
    [
      'choices',
      { type: 'array', ...text, minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
    ],
    ['choices with titles', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }],
  ])('has %s as it is written', (_what, schema) => {
    expect(field(schema)).toEqual(schema);
  });

  it('has only what the specification lets it have', () => {
    const { json } = plain(
      {
        a: { type: 'string', pattern: '^a', format: 'uuid', examples: ['a'], 'x-order': 1 },
        b: { type: 'number', exclusiveMinimum: 0 },
      },
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'T',
        additionalProperties: false,
        required: ['a'],
      },
    );
    expect(json).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
    });
  });

  it('is made from zod', () => {
    const schema = z.object({
      slot: z.enum(['09:00', '10:00']),
      day: z.iso.date().describe('Which day'),
      mail: z.email().optional(),
      guests: z.int().min(1).max(9).default(2),
      colour: z.union([z.literal('r').meta({ title: 'Red' }), z.literal('g')]),
      days: z.array(z.enum(['mo', 'tu'])).min(1),
      remind: z.boolean(),
      kind: z.literal('only'),
    });
    expect(elicitationSchema(schema).json).toEqual({
      type: 'object',
      properties: {
        slot: { type: 'string', enum: ['09:00', '10:00'] },
        day: { type: 'string', format: 'date', description: 'Which day' },
        mail: { type: 'string', format: 'email' },
        guests: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
        colour: {
          type: 'string',
          oneOf: [
            { const: 'r', title: 'Red' },
            { const: 'g', title: 'g' },
          ],
        },
        days: { type: 'array', minItems: 1, items: { type: 'string', enum: ['mo', 'tu'] } },
        remind: { type: 'boolean' },
        kind: { type: 'string', enum: ['only'] },
      },
      required: ['slot', 'day', 'colour', 'days', 'remind', 'kind'],
    });
  });

  it('may be empty', () => {
    expect(elicitationSchema({ type: 'object' }).json).toEqual({ type: 'object', properties: {} });
  });

  it('is the same for the same schema, and can be changed without harm', () => {
    const first = plain({ once: { type: 'string' } }).json;
    (first['properties'] as Record<string, unknown>)['once'] = 'changed';
    expect(plain({ once: { type: 'string' } }).json).toEqual({
      type: 'object',
      properties: { once: { type: 'string' } },
    });
    expect(plain({ once: { type: 'string' } }).json).toEqual({
      type: 'object',
      properties: { once: { type: 'string' } },
    });
  });
});

describe('the answer', () => {
  it('is validated by the whole schema, also by what the form cannot say', async () => {
    const { validate } = plain({ code: { type: 'string', pattern: '^[A-Z]{3}$' } });
    expect(await validate({ code: 'ABC' })).toEqual({ value: { code: 'ABC' } });
    expect(await validate({ code: 'abc' })).toEqual({
      issues: [{ path: 'code', message: 'must match pattern "^[A-Z]{3}$" (given "abc")' }],
    });
  });

  it('gets the defaults of a Standard Schema', async () => {
    expect(await elicitationSchema(z.object({ n: z.number().default(2) })).validate({})).toEqual({ value: { n: 2 } });
  });
});

describe('what a form cannot ask for', () => {
  it.each<[string, object, string]>([
    ['an object', { type: 'object', properties: {} }, 'the property "a" is an object'],
    ['an array', { type: 'array', items: { type: 'string' } }, 'the property "a" is an array of anything but choices'],
    ['an array of anything', { type: 'array' }, 'the property "a" is an array of anything but choices'],
    ['one of two types', { type: ['string', 'null'] }, 'the property "a" is of type ["string","null"]'],
    ['nothing in particular', {}, 'the property "a" is of no type'],
    [
      'a union',
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      'the property "a" has alternatives that are no choice of strings',
    ],
    ['a choice of numbers', { type: 'number', enum: [1, 2] }, 'the property "a" has choices that are not strings'],
    ['a default of another type', { type: 'number', default: '1' }, 'the property "a" has a default of another type'],
  ])('is %s', (_what, schema, problem) => {
    const fault = faultOf({ type: 'object', properties: { a: schema } });
    expect(fault.problem).toBe(problem);
    expect(fault.pointer).toBe('/properties/a');
  });

  it('is a property that is true, or a reference', () => {
    expect(faultOf({ type: 'object', properties: { a: true } }).problem).toBe(
      'the property "a" says nothing about its type',
    );
    const referring = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } };
    expect(faultOf(referring).problem).toBe('the property "a" is a reference');
  });

  it.each(['allOf', 'if', 'patternProperties', 'minProperties'])('is what %s at the root says', (keyword) => {
    const value = { allOf: [true], if: true, patternProperties: {}, minProperties: 1 }[keyword];
    expect(faultOf({ type: 'object', [keyword]: value }).message).toBe(
      `At /${keyword}, a form cannot express "${keyword}": describe a flat object with "properties" and "required" only.`,
    );
  });

  it('is properties without names', () => {
    expect(faultOf({ type: 'object', additionalProperties: { type: 'string' } }).pointer).toBe('/additionalProperties');
  });

  it('is anything but an object', () => {
    expect(faultOf(z.string()).mend).toBe('set "type" to "object"');
  });
});
