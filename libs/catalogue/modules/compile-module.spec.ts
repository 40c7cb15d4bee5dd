import { describe, expect, it } from '@jest/globals';
import type { PrimitiveDeclaration } from '#authoring/options.js';
import { DEFAULT_SCHEMA_LIMITS } from '#schema/schema-limits.js';
import { DeclarationError } from '../declaration-error.js';
import type { CompiledModule } from '../entries.js';
import { compileModule } from './compile-module.js';

const handler = (): string => 'done';

function compile(methods: Record<string, PrimitiveDeclaration>, name = 'calendar'): CompiledModule {
  const declared = Object.entries(methods).map(([method, declaration]) => ({ method, declaration, handler }));
  return compileModule({ type: 'CalendarModule', options: { name }, methods: declared }, DEFAULT_SCHEMA_LIMITS);
}

const tool = (options: object): PrimitiveDeclaration => ({ kind: 'tool', options: { description: 'x', ...options } });
const resource = (options: object): PrimitiveDeclaration => ({
  kind: 'resource',
  options: { uri: 'notes://today', ...options },
});
const template = (uriTemplate: string): PrimitiveDeclaration => ({ kind: 'template', options: { uriTemplate } });
const prompt = (options: object): PrimitiveDeclaration => ({ kind: 'prompt', options });

describe('a module', () => {
  it('lists its primitives as declared, named like their methods', () => {
    const input = { type: 'object', properties: { day: { type: 'string' } }, 'x-vendor': 1 };
    const { entries } = compile({ book: tool({ title: 'Book', input, annotations: { readOnlyHint: false } }) });
    expect(entries.tools[0]?.definition).toEqual({
      name: 'book',
      title: 'Book',
      description: 'x',
      inputSchema: input,
      annotations: { readOnlyHint: false },
    });
  });

  it('takes no arguments where a tool declares no input', async () => {
    const { entries } = compile({ book: tool({}) });
    expect(entries.tools[0]?.definition['inputSchema']).toEqual({ type: 'object', additionalProperties: false });
    expect(await entries.tools[0]?.input({ a: 1 })).toHaveProperty('issues');
  });

  const cases: Record<string, [Record<string, PrimitiveDeclaration>, RegExp]> = {
    'two tools of one name': [
      { a: tool({ name: 'same' }), b: tool({ name: 'same' }) },
      /^CalendarModule\.b: the tool "same" is declared by CalendarModule\.a already\. Give/,
    ],
    'a name with a space': [
      { a: tool({ name: 'my tool' }) },
      /^CalendarModule\.a: the name "my tool" is not allowed\. Use 1 to 128/,
    ],
    'a name without end': [{ a: tool({ name: 'x'.repeat(129) }) }, /is not allowed/],
    'an input that is no object': [
      { a: tool({ input: { type: 'string' } }) },
      /^CalendarModule\.a: the input schema is wrong: .*"object"/,
    ],
    'a schema that is none': [
      { a: tool({ input: { type: 'object', properties: { x: { type: 'nonsense' } } } }) },
      /the input schema is wrong at \/properties\/x/,
    ],
    'a dialect that is not served': [
      { a: tool({ input: { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' } }) },
      /draft-04/,
    ],
    'a reference into the network': [
      { a: tool({ output: { $ref: 'https://example.com/schema.json' } }) },
      /the output schema is wrong at \/\$ref/,
    ],
    'a schema that is too deep': [{ a: tool({ input: nested(40) }) }, /the input schema is wrong/],
    'a header on a number': [
      { a: tool({ input: { type: 'object', properties: { x: { type: 'number', 'x-mcp-header': 'X' } } } }) },
      /x-mcp-header/,
    ],
    'a time limit of nothing': [{ a: tool({ timeoutMs: 0 }) }, /timeoutMs is 0\. Give/],
    'a scope with a space': [{ a: tool({ scopes: ['a b'] }) }, /"a b" is not an OAuth scope/],
    'an icon that runs code': [
      { a: tool({ icons: [{ src: 'javascript:alert(1)' }] }) },
      /an icon has an unsafe address/,
    ],
    'a reserved _meta key': [{ a: tool({ _meta: { 'io.modelcontextprotocol/x': 1 } }) }, /is reserved for MCP/],
    'a URI that is none': [{ a: resource({ uri: 'today' }) }, /"today" is not an absolute URI/],
    'a time to live below nothing': [{ a: resource({ ttlMs: -1 }) }, /ttlMs is -1/],
    'a template that is none': [{ a: template('notes://{day') }, /^CalendarModule\.a: the URI template is wrong/],
    'a prompt argument that is a number': [
      { a: prompt({ input: { type: 'object', properties: { n: { type: 'number' } } } }) },
      /the argument "n" is not a string/,
    ],
    'a completion of nothing': [
      { a: { kind: 'complete', options: { prompt: 'nope', argument: 'x' } } },
      /completes the prompt "nope", which CalendarModule does not declare/,
    ],
    'a completion of no argument': [
      {
        notes: template('notes://{day}'),
        a: { kind: 'complete', options: { resourceTemplate: 'notes://{day}', argument: 'dya' } },
      },
      /has no argument "dya"\. It has: day/,
    ],
  };

  it.each(Object.entries(cases))('does not boot with %s', (_what, [methods, message]) => {
    expect(() => compile(methods)).toThrow(message);
    expect(() => compile(methods)).toThrow(DeclarationError);
  });

  it('does not boot with a name that tenants could not write', () => {
    expect(() => compile({}, 'My Calendar')).toThrow(
      /^CalendarModule: the module name "My Calendar" is not allowed\. Use/,
    );
  });
});

function nested(depth: number): object {
  return depth === 0 ? { type: 'string' } : { type: 'object', properties: { x: nested(depth - 1) } };
}
