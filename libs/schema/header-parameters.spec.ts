import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#protocol/json.js';
import { headerParameters } from './header-parameters.js';
import { SchemaFault } from './schema-fault.js';

const marked = { type: 'string', 'x-mcp-header': 'Region' } as const;
const root = (rest: JsonObject): JsonObject => ({ type: 'object', ...rest });

function faultOf(schema: JsonObject): SchemaFault {
  try {
    headerParameters(schema);
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
  throw new Error('the schema was accepted');
}

describe('header parameters', () => {
  it('are found at any depth of properties, in order', () => {
    const schema = root({
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        query: { type: 'string' },
        options: {
          type: 'object',
          properties: {
            dryRun: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
            limit: { type: 'integer', 'x-mcp-header': 'limit' },
          },
        },
      },
    });
    expect(headerParameters(schema)).toEqual([
      { header: 'mcp-param-region', name: 'Region', path: ['region'], type: 'string' },
      { header: 'mcp-param-dry-run', name: 'Dry-Run', path: ['options', 'dryRun'], type: 'boolean' },
      { header: 'mcp-param-limit', name: 'limit', path: ['options', 'limit'], type: 'integer' },
    ]);
  });

  it('are none in a schema without marks', () => {
    expect(headerParameters(root({}))).toEqual([]);
    expect(headerParameters(root({ properties: { a: true }, items: false, properties2: [] }))).toEqual([]);
  });

  it('are not properties that happen to be called x-mcp-header', () => {
    expect(headerParameters(root({ properties: { 'x-mcp-header': { type: 'array' } } }))).toEqual([]);
    expect(headerParameters(root({ properties: { 'x-mcp-header': marked } }))).toMatchObject([
      { path: ['x-mcp-header'] },
    ]);
  });

  it('are not data that looks like a mark', () => {
    const data = { 'x-mcp-header': 5 };
    expect(
      headerParameters(root({ const: data, enum: [data], default: data, examples: [data], 'x-vendor': data })),
    ).toEqual([]);
  });

  it.each(['', ' ', 'a b', 'a\r\nb', 'näme', 'a:b', 5, null, true])('must be named by a token, not %p', (name) => {
    const fault = faultOf(root({ properties: { a: { type: 'string', 'x-mcp-header': name } } }));
    expect(fault.pointer).toBe('/properties/a/x-mcp-header');
    expect(fault.problem).toBe('the value is not the name of a header');
  });

  it.each(['number', 'object', 'array', 'null', undefined, ['string'], ['integer', 'null']])(
    'must not have the type %p',
    (type) => {
      const property: JsonObject = type === undefined ? {} : { type };
      const fault = faultOf(root({ properties: { a: { ...property, 'x-mcp-header': 'A' } } }));
      expect(fault.problem).toBe('only a string, an integer or a boolean can be in a header');
    },
  );

  it('must differ, whatever the case', () => {
    const fault = faultOf(
      root({ properties: { a: marked, b: { properties: { c: { type: 'string', 'x-mcp-header': 'REGION' } } } } }),
    );
    expect(fault.message).toBe(
      'At /properties/b/properties/c/x-mcp-header, "REGION" is the header of a too: give each header a name of its own.',
    );
  });

  it.each<[string, JsonObject]>([
    ['/x-mcp-header', { 'x-mcp-header': 'Region' }],
    ['/properties/a/items/x-mcp-header', { properties: { a: { items: marked } } }],
    ['/properties/a/prefixItems/0/x-mcp-header', { properties: { a: { prefixItems: [marked] } } }],
    ['/properties/a/contains/x-mcp-header', { properties: { a: { contains: marked } } }],
    ['/allOf/0/properties/a/x-mcp-header', { allOf: [{ properties: { a: marked } }] }],
    ['/anyOf/0/properties/a/x-mcp-header', { anyOf: [{ properties: { a: marked } }] }],
    ['/properties/a/oneOf/1/x-mcp-header', { properties: { a: { oneOf: [{}, marked] } } }],
    ['/not/x-mcp-header', { not: marked }],
    ['/if/properties/a/x-mcp-header', { if: { properties: { a: marked } } }],
    ['/then/properties/a/x-mcp-header', { then: { properties: { a: marked } } }],
    ['/else/properties/a/x-mcp-header', { else: { properties: { a: marked } } }],
    ['/$defs/a/x-mcp-header', { $defs: { a: marked }, properties: { a: { $ref: '#/$defs/a' } } }],
    ['/definitions/a/properties/b/x-mcp-header', { definitions: { a: { properties: { b: marked } } } }],
    ['/patternProperties/^a~1/x-mcp-header', { patternProperties: { '^a/': marked } }],
    ['/additionalProperties/x-mcp-header', { additionalProperties: marked }],
    ['/unevaluatedProperties/x-mcp-header', { unevaluatedProperties: marked }],
    ['/propertyNames/x-mcp-header', { propertyNames: marked }],
    ['/dependentSchemas/a/properties/b/x-mcp-header', { dependentSchemas: { a: { properties: { b: marked } } } }],
    ['/dependencies/a/properties/b/x-mcp-header', { dependencies: { a: { properties: { b: marked } }, c: ['a'] } }],
  ])('must be reached through properties alone, not stand at %s', (pointer, rest) => {
    const fault = faultOf(root(rest));
    expect(fault.pointer).toBe(pointer);
    expect(fault.problem).toBe('the header belongs to no parameter that can be found by property names alone');
  });

  it('are found in a deep schema without recursion', () => {
    let schema: JsonObject = { type: 'string', 'x-mcp-header': 'Deep' };
    for (let level = 0; level < 2_000; level += 1) schema = { properties: { a: schema } };
    expect(headerParameters(schema)[0]?.path).toHaveLength(2_000);
  });
});
