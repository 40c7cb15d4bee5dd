import { describe, expect, it } from '@jest/globals';
import { compileSchema } from './compile-schema.js';
import { SchemaFault } from './schema-fault.js';
import { DEFAULT_SCHEMA_LIMITS as limits } from './schema-limits.js';

const compile = (schema: object) => compileSchema({ type: 'object', ...schema }, { role: 'input', limits });

describe('dialects', () => {
  it('takes 2020-12 when none is named', async () => {
    const { validate } = compile({ properties: { pair: { prefixItems: [{ type: 'string' }], items: false } } });
    expect(await validate({ pair: ['a'] })).toHaveProperty('value');
    expect(await validate({ pair: ['a', 'b'] })).toHaveProperty('issues');
    expect(() => compile({ properties: { pair: { items: [{ type: 'string' }] } } })).toThrow(SchemaFault);
  });

  it.each([
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2020-12/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema#',
  ])('understands %s, and lists it as it is written', async ($schema) => {
    const { json, validate } = compile({ $schema, required: ['day'] });
    expect(json['$schema']).toBe($schema);
    expect(await validate({})).toEqual({ issues: [{ path: 'day', message: 'is required' }] });
  });

  it('validates by the dialect that is named', async () => {
    const tuple = { properties: { pair: { items: [{ type: 'string' }], additionalItems: false } } };
    const { validate } = compile({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple });
    expect(await validate({ pair: ['a', 'b'] })).toHaveProperty('issues');

    const siblings = {
      properties: { day: { $ref: '#/definitions/day', maxLength: 1 } },
      definitions: { day: { type: 'string' } },
    };
    const draft07 = compile({ $schema: 'http://json-schema.org/draft-07/schema#', ...siblings });
    const draft2019 = compile({ $schema: 'https://json-schema.org/draft/2019-09/schema', ...siblings });
    expect(await draft07.validate({ day: 'monday' })).toHaveProperty('value');
    expect(await draft2019.validate({ day: 'monday' })).toHaveProperty('issues');
  });

  it.each(['http://json-schema.org/draft-04/schema#', 'https://example.com/meta', 5])(
    'names the dialects instead of %p',
    ($schema) => {
      expect(() => compile({ $schema })).toThrow(
        `At /$schema, the dialect ${JSON.stringify($schema)} is not supported: ` +
          'use https://json-schema.org/draft/2020-12/schema or https://json-schema.org/draft/2019-09/schema ' +
          'or https://json-schema.org/draft-07/schema, or leave "$schema" out for the first of them.',
      );
    },
  );

  it('does not mix dialects in one document', () => {
    const inner = { $schema: 'http://json-schema.org/draft-07/schema#' };
    expect(() => compile({ $defs: { old: inner } })).toThrow(
      'At /$defs/old/$schema, the schema changes its dialect here',
    );
  });
});
