import { describe, expect, it } from '@jest/globals';
import { compileSchema, type Issue } from './compile-schema.js';
import { DEFAULT_SCHEMA_LIMITS as limits } from './schema-limits.js';

async function issuesOf(schema: object, value: unknown): Promise<readonly Issue[]> {
  const result = await compileSchema({ type: 'object', ...schema }, { role: 'input', limits }).validate(value);
  return 'issues' in result ? result.issues : [];
}

async function messageFor(property: object, value: unknown): Promise<string | undefined> {
  return (await issuesOf({ properties: { a: property } }, { a: value }))[0]?.message;
}

describe('where something is wrong', () => {
  it('is written as one would in code', async () => {
    const strings = { additionalProperties: { type: 'array', items: { additionalProperties: { type: 'string' } } } };
    const [issue] = await issuesOf(
      { properties: { guests: strings } },
      { guests: { list: [{}, { 'first name': 5 }] } },
    );
    expect(issue?.path).toBe('guests.list[1]["first name"]');
  });

  it('is empty for the value itself', async () => {
    expect(await issuesOf({}, [])).toEqual([{ path: '', message: 'must be object (given an array)' }]);
  });

  it('tells an index from a name that looks like one', async () => {
    const [issue] = await issuesOf({ additionalProperties: { additionalProperties: false } }, { '0': { '1': true } });
    expect(issue?.path).toBe('["0"]["1"]');
  });

  it('names the property that is missing or not expected', async () => {
    expect(
      await issuesOf({ required: ['day'], properties: { day: {} }, additionalProperties: false }, { dy: 'monday' }),
    ).toEqual([
      { path: 'day', message: 'is required' },
      { path: 'dy', message: 'is not a property that is expected here (given "monday")' },
    ]);
  });

  it('is kept short', async () => {
    const [issue] = await issuesOf({ additionalProperties: false }, { ['x'.repeat(5000)]: 1 });
    expect(issue?.path).toHaveLength(200);
  });
});

describe('what is wrong', () => {
  it.each<[object, unknown, string]>([
    [{ type: 'string' }, 5, 'must be string (given 5)'],
    [{ type: ['string', 'null'] }, true, 'must be string or null (given true)'],
    [{ type: 'string' }, null, 'must be string (given null)'],
    [{ type: 'string' }, { secret: 1 }, 'must be string (given an object)'],
    [{ enum: ['a', 1, null] }, 'b', 'must be one of "a", 1, null (given "b")'],
    [{ const: 'a' }, 'b', 'must be "a" (given "b")'],
    [{ minimum: 1 }, 0, 'must be >= 1 (given 0)'],
    [{ minLength: 2 }, 'a', 'must NOT have fewer than 2 characters (given "a")'],
    [{ format: 'date' }, 'tomorrow', 'must match format "date" (given "tomorrow")'],
    [{ not: {} }, 1, 'must not be what the schema excludes (given 1)'],
    [false as unknown as object, 1, 'must not be given (given 1)'],
    [{ propertyNames: { maxLength: 1 } }, { long: 1 }, 'must NOT have more than 1 characters (given an object)'],
    [{ uniqueItems: true }, [1, 1], 'must NOT have duplicate items (items ## 0 and 1 are identical) (given an array)'],
  ])('%j given %j: %s', async (property, value, message) => {
    expect(await messageFor(property, value)).toBe(message);
  });

  it('shows a short string whole and of a long one nothing', async () => {
    expect(await messageFor({ type: 'number' }, 'x'.repeat(40))).toBe(`must be number (given "${'x'.repeat(40)}")`);
    expect(await messageFor({ type: 'number' }, 'x'.repeat(41))).toBe(
      'must be number (given a string of 41 characters)',
    );
  });

  it('lists at most twenty of what is allowed', async () => {
    const message = await messageFor({ enum: Array.from({ length: 500 }, (_, index) => index) }, 'x');
    expect(message).toContain('18, 19, … (500 in all)');
  });

  it('says that any of several alternatives would do', async () => {
    expect(await messageFor({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5)).toBe(
      'must fit one alternative: must be string; or must be null (given 5)',
    );
    expect(await issuesOf({ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }, {})).toEqual([
      { path: '', message: 'must fit one alternative: phone is required; or email is required (given an object)' },
    ]);
  });

  it('says so too where the alternatives are references', async () => {
    const schema = {
      properties: { day: { type: 'integer' }, who: { oneOf: [{ $ref: '#/$defs/name' }, { $ref: '#/$defs/id' }] } },
      $defs: { name: { type: 'string' }, id: { type: 'integer' } },
    };
    expect(await issuesOf(schema, { day: 'x', who: true })).toEqual([
      { path: 'day', message: 'must be integer (given "x")' },
      { path: 'who', message: 'must fit one alternative: must be string; or must be integer (given true)' },
    ]);
  });

  it('does not take what is wrong besides for an alternative', async () => {
    const property = { minLength: 3, anyOf: [{ pattern: '^a' }, { pattern: '^b' }] };
    expect((await issuesOf({ properties: { a: property } }, { a: 'x' })).map(({ message }) => message)).toEqual([
      'must fit one alternative: must match pattern "^a"; or must match pattern "^b" (given "x")',
      'must NOT have fewer than 3 characters (given "x")',
    ]);
  });

  it('says that more than one of exclusive alternatives fits', async () => {
    expect(await messageFor({ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3)).toBe(
      'must match exactly one schema in oneOf (given 3)',
    );
  });

  it('reports all that is wrong with a small value at once', async () => {
    const issues = await issuesOf({ required: ['a', 'b'], properties: { c: { type: 'string' } } }, { c: 1 });
    expect(issues.map(({ path }) => path)).toEqual(['a', 'b', 'c']);
  });
});
