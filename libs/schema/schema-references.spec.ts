import { describe, expect, it } from '@jest/globals';
import { compileSchema, type SchemaSource } from './compile-schema.js';
import { SchemaFault } from './schema-fault.js';
import { DEFAULT_SCHEMA_LIMITS as limits } from './schema-limits.js';

const compile = (schema: object) => compileSchema({ type: 'object', ...schema }, { role: 'input', limits });

/** A schema whose property `day` must be a string if the reference leads where it should. */
async function leadsToString(reference: object, rest: object): Promise<boolean> {
  const { validate } = compile({ properties: { day: reference }, ...rest });
  return 'value' in (await validate({ day: 'monday' })) && 'issues' in (await validate({ day: 5 }));
}

function faultOf(schema: object): SchemaFault {
  try {
    compile(schema);
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
  throw new Error('the schema was accepted');
}

describe('references inside the document', () => {
  const string = { type: 'string' };

  it.each<[string, object, object]>([
    ['a definition', { $ref: '#/$defs/day' }, { $defs: { day: string } }],
    ['a definition of old', { $ref: '#/definitions/day' }, { definitions: { day: string } }],
    ['an anchor', { $ref: '#day' }, { $defs: { day: { $anchor: 'day', ...string } } }],
    ['a dynamic anchor', { $dynamicRef: '#day' }, { $defs: { day: { $dynamicAnchor: 'day', ...string } } }],
    ['an anchor, dynamically', { $dynamicRef: '#day' }, { $defs: { day: { $anchor: 'day', ...string } } }],
    ['a pointer with escapes', { $ref: '#/$defs/a~1b~0c%25d%20e' }, { $defs: { 'a/b~c%d e': string } }],
    ['a pointer with an index', { $ref: '#/allOf/0/properties/x' }, { allOf: [{ properties: { x: string } }] }],
    [
      'a property that is called __proto__',
      { $ref: '#/$defs/__proto__' },
      JSON.parse('{"$defs":{"__proto__":{"type":"string"}}}'),
    ],
    ['a place under a keyword that holds no schemas', { $ref: '#/x-shared/day' }, { 'x-shared': { day: string } }],
    [
      'a reference from there',
      { $ref: '#/components/a' },
      { components: { a: { $ref: '#/components/b' }, b: string } },
    ],
    ['a schema with an identifier', { $ref: 'day.json' }, { $defs: { day: { $id: 'day.json', ...string } } }],
    [
      'the same below a base',
      { $ref: 'day' },
      { $id: 'https://example.com/a/', $defs: { day: { $id: '/a/day', ...string } } },
    ],
    [
      'an absolute URI of the document',
      { $ref: 'https://example.com/s#day' },
      { $id: 'https://example.com/s', $defs: { d: { $anchor: 'day', ...string } } },
    ],
    ['a URN of the document', { $ref: 'urn:x:s#/$defs/d' }, { $id: 'urn:x:s', $defs: { d: string } }],
    ['a reference beside other keywords', { $ref: '#/$defs/any', type: 'string' }, { $defs: { any: true } }],
  ])('find %s', async (_what, reference, rest) => {
    expect(await leadsToString(reference, rest)).toBe(true);
  });

  it('find what draft-07 and 2019-09 call otherwise', async () => {
    const draft07 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { day: { $id: '#day', ...string } },
    };
    expect(await leadsToString({ $ref: '#day' }, draft07)).toBe(true);

    const { validate } = compile({
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $recursiveAnchor: true,
      properties: { next: { $recursiveRef: '#' }, day: string },
    });
    expect(await validate({ next: { next: { day: 5 } } })).toEqual({
      issues: [{ path: 'next.next.day', message: 'must be string (given 5)' }],
    });
  });

  it('may lead to false', async () => {
    const { validate } = compile({ properties: { day: { $ref: '#/$defs/never' } }, $defs: { never: false } });
    expect(await validate({ day: 1 })).toEqual({ issues: [{ path: 'day', message: 'must not be given (given 1)' }] });
  });

  it('may be recursive', async () => {
    const tree = {
      properties: { name: string, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    };
    const { validate } = compile(tree);
    expect(await validate({ name: 'a', children: [{ name: 'b', children: [] }] })).toHaveProperty('value');
    expect(await validate({ name: 'a', children: [{ name: 'b', children: [{}] }] })).toEqual({
      issues: [{ path: 'children[0].children[0].name', message: 'is required' }],
    });
  });
});

describe('references that are refused', () => {
  it('lead to the network, and say so', () => {
    expect(faultOf({ properties: { a: { $ref: 'https://example.com/a.json' } } }).message).toBe(
      'At /properties/a/$ref, "https://example.com/a.json" would have to be fetched from the network, which is never done: ' +
        'copy that schema into "$defs" and point to it with "#/$defs/name".',
    );
    expect(
      faultOf({ properties: { a: { $ref: '//169.254.169.254/latest' } }, $id: 'https://example.com' }).problem,
    ).toContain('network');
  });

  it('lead to a meta-schema, which is somewhere else too', () => {
    expect(faultOf({ properties: { a: { $ref: 'https://json-schema.org/draft/2020-12/schema' } } }).problem).toContain(
      'network',
    );
  });

  it.each(['other.json', 'file:///etc/passwd', 'urn:x:y', '../up'])('lead out of the document: %s', ($ref) => {
    expect(faultOf({ properties: { a: { $ref } } }).problem).toBe(`${JSON.stringify($ref)} leads out of this schema`);
  });

  it.each(['#/$defs/none', '#none', '#/properties/a/x/y', '#/allOf/7', '#/%zz', '#/constructor'])(
    'lead nowhere: %s',
    ($ref) => {
      expect(faultOf({ properties: { a: { $ref } } }).problem).toBe(`${JSON.stringify($ref)} points to nothing`);
    },
  );

  it('lead to something that is no schema', () => {
    expect(faultOf({ properties: { a: { $ref: '#/required' } }, required: ['a'] }).problem).toContain('not a schema');
  });

  it('make an invalid schema of something else', () => {
    const fault = faultOf({ properties: { a: { $ref: '#/x/y' } }, x: { y: { properties: { b: { type: 'text' } } } } });
    expect(fault.pointer).toBe('/x/y/properties/b/type');
    expect(fault.problem).toBe('the schema is not valid in JSON Schema 2020-12');
  });

  it('stand where nothing uses them', () => {
    expect(faultOf({ $defs: { unused: { $dynamicRef: 'https://example.com/#x' } } }).pointer).toBe(
      '/$defs/unused/$dynamicRef',
    );
  });

  it('never come to an end', () => {
    expect(faultOf({ $ref: '#' }).problem).toContain('without end');
    const loop = { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { if: { $ref: '#/$defs/a' } } } };
    expect(faultOf(loop).problem).toContain('without end');
  });

  it('depend on the way there', () => {
    const twice = { $defs: { a: { $id: 'a', $dynamicAnchor: 'T' }, b: { $id: 'b', $dynamicAnchor: 'T' } } };
    expect(faultOf(twice).problem).toContain('not supported');
  });
});

describe('identifiers', () => {
  it('must differ within a document', () => {
    expect(faultOf({ $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }).problem).toContain('has the same name');
    expect(faultOf({ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }).problem).toContain('has the same name');
  });

  it('may be those of the schema of another tool', async () => {
    const $id = 'https://example.com/arguments';
    const first = compile({ $id, $defs: { x: { $id: '/x', type: 'string' } }, properties: { a: { $ref: '/x' } } });
    const second = compile({ $id, $defs: { x: { $id: '/x', type: 'number' } }, properties: { a: { $ref: '/x' } } });
    expect(await first.validate({ a: 'text' })).toHaveProperty('value');
    expect(await second.validate({ a: 1 })).toHaveProperty('value');
    expect(await second.validate({ a: 'text' })).toHaveProperty('issues');
    expect(() => compile({ properties: { a: { $ref: 'https://example.com/x' } } })).toThrow(SchemaFault);
  });

  it('may be that of a meta-schema, and still mean this document', async () => {
    const schema: SchemaSource = {
      $id: 'https://json-schema.org/draft/2020-12/schema',
      properties: { next: { $ref: '#' } },
    };
    expect(await compile(schema).validate({ next: 5 })).toHaveProperty('issues');
  });
});
