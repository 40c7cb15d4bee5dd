import { describe, expect, it } from '@jest/globals';
import { DefinitionError } from '#catalogue/definition-error.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import type { JsonObject } from '#protocol/json.js';
import { DEFAULT_SCHEMA_LIMITS } from '#schema/schema-limits.js';
import { secretsNamedBy } from '../named-secrets.js';
import { RegisteredSources } from '../registered-sources.js';
import { checkSource } from '../source-checks.js';

const resolve = (name: string) =>
  Promise.resolve(
    name === 'unknown.example'
      ? []
      : [{ address: name === 'inside.example' ? '10.0.0.1' : '8.8.8.8', family: 4 as const }],
  );
const outbound = new OutboundClient({ allowedNetworks: [], resolve });
const sources = new RegisteredSources({
  limits: DEFAULT_SCHEMA_LIMITS,
  secrets: { read: () => Promise.reject(new Error('not now')) },
  outbound,
  wrap: (handler) => handler,
});

const INPUT = { type: 'object', properties: { id: { type: 'string' }, q: { type: 'string' } }, required: ['id'] };
const URL = 'https://api.example.com/orders/{id}';

const request = (more: object): object => ({
  description: 'd',
  input: INPUT,
  request: { method: 'POST', url: URL, ...more },
});
const tool = (more: object): object => ({ ...request({}), ...more });

function compile(definition: object): string {
  try {
    const source = {
      id: 's',
      name: 'orders',
      kind: 'http_tool' as const,
      version: 1,
      definition: definition as JsonObject,
    };
    sources.compile(source, { id: 't', slug: 't' });
    return 'compiles';
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return `${error.pointer} ${error.problem} ${error.mend}`;
  }
}

describe('the definition of an HTTP tool', () => {
  it('compiles with all that it may have', () => {
    expect(
      compile({
        ...tool({
          name: 'find',
          title: 'T',
          scopes: ['a'],
          annotations: { readOnlyHint: true },
          _meta: { 'a.b/c': 1 },
        }),
        output: { type: 'array' },
        credentials: [
          { type: 'bearer', secret: 's' },
          { type: 'api_key', in: 'header', name: 'X-App', secret: 'app' },
        ],
        response: { as: 'json', expression: 'a[*].b', errors: { statuses: [404, '5xx'], messages: { '404': 'gone' } } },
        limits: { timeoutMs: 1_000, retries: 0, breaker: { failures: 3 } },
      }),
    ).toBe('compiles');
  });

  it.each([
    [{}, '/description'],
    [tool({ colour: 'red' }), '/colour "colour" is not known here. Known are: name, title, description'],
    [tool({ description: 5 }), '/description'],
    [tool({ name: 'find order' }), '/name the name "find order" is not allowed.'],
    [tool({ scopes: ['a b'] }), '/scopes/0'],
    [
      tool({ input: { type: 'object', properties: { id: { type: 'text' } }, required: ['id'] } }),
      '/input/properties/id/type',
    ],
    [tool({ input: { type: 'object', properties: { id: {} } } }), '/request/url the path needs the argument "id"'],
    [tool({ output: { type: 1 } }), '/output/type'],
    [tool({ limits: { timeoutMs: 1e9 } }), '/limits/timeoutMs must be 300000 or less.'],
    [tool({ limits: { breaker: { failure: 1 } } }), '/limits/breaker/failure'],
    [tool({ output: { type: 'object' }, response: { as: 'text' } }), '/response/as with an output schema'],
    [tool({ response: { as: 'image', expression: 'a' } }), '/response/as with an expression'],
    [tool({ response: { expression: 'a[*' } }), '/response/expression this is no JMESPath expression'],
    [tool({ response: { expression: 'frobnicate(@)' } }), '/response/expression the function "frobnicate"'],
    [tool({ response: { expression: 'pad_left(a, `9e9`)' } }), '/response/expression the function "pad_left"'],
    [tool({ response: { errors: { expression: '' } } }), '/response/errors/expression'],
    [tool({ response: { errors: { statuses: ['4X'] } } }), '/response/errors/statuses/0'],
    [tool({ credentials: { type: 'bearer' } }), '/credentials'],
    [tool({ credentials: { type: 'digest', secret: 's' } }), '/credentials'],
    [tool({ credentials: { type: 'api_key', in: 'header', name: 'Host', secret: 's' } }), '/credentials/name'],
    [
      tool({
        credentials: { type: 'oauth_client_credentials', tokenUrl: 'https://10.0.0.1/', clientId: 'c', secret: 's' },
      }),
      '/credentials/tokenUrl the host is at no address that may be called.',
    ],
    [request({ method: 'get' }), '/request/method must be one of GET'],
    [request({ method: 'GET', body: { type: 'json' } }), '/request/body a GET request has no body.'],
    [request({ url: 'https://api.example.com/{order}' }), '/request/url the input schema has no argument "order".'],
    [request({ url: 'https://{id}.example.com/' }), '/request/url this is not an absolute URL with a fixed host.'],
    [request({ url: 'https://example.com{id}' }), '/request/url a variable could change the host.'],
    [request({ url: 'https://example.com{.id}' }), '/request/url a variable could change the host.'],
    [request({ url: 'https://example.com:{id}/' }), '/request/url'],
    [request({ url: 'https://user:word@example.com/' }), '/request/url the URL holds a user or a password.'],
    [request({ url: 'https://example.com@10.0.0.1/' }), '/request/url the URL holds a user or a password.'],
    [
      request({ url: 'https://example.com/{+id}' }),
      '/request/url "{+id}" would let an argument change path and query.',
    ],
    [request({ url: 'https://example.com/{#id}' }), '/request/url "{#id}"'],
    [request({ url: 'https://example.com/a#b' }), '/request/url the URL has a fragment'],
    [request({ url: 'https://example.com/a/%2e%2E/b' }), '/request/url the path has "." or ".."'],
    [request({ url: 'https://example.com/{id' }), '/request/url the URL template is wrong'],
    [request({ url: 'http://example.com/' }), '/request/url http: is only for networks that the operator allowed.'],
    [request({ url: 'https://localhost:8443/' }), '/request/url the host is at no address that may be called.'],
    [request({ url: 'https://api.LOCALHOST./' }), '/request/url the host is at no address that may be called.'],
    [
      { descripton: 'x', request: { method: 'GET', url: 'https://example.com' } },
      '/descripton "descripton" is not known',
    ],
    [request({ url: 'https://0x7f.1/' }), '/request/url the host is at no address that may be called.'],
    [request({ url: 'https://[::ffff:169.254.169.254]/' }), '/request/url the host is at no address'],
    [request({ url: 'ftp://example.com/' }), '/request/url'],
    [request({ query: { a: { argument: 'x' } } }), '/request/query/a/argument the input schema has no argument "x".'],
    [request({ query: { a: { argument: 'q', style: 'comma' } } }), '/request/query/a/style'],
    [request({ query: { a: [] } }), '/request/query/a must be a string'],
    [request({ headers: { 'X-A\r\nX-B': 'c' } }), '/request/headers/X-A'],
    [request({ headers: { 'X-A': 'b\r\nX-C: d' } }), '/request/headers/X-A the value cannot stand in a header.'],
    [request({ headers: { Host: 'internal' } }), '/request/headers/Host the header "Host" is set by the platform.'],
    [request({ headers: { 'content-length': 5 } }), '/request/headers/content-length'],
    [request({ headers: { 'Transfer-Encoding': 'chunked' } }), '/request/headers/Transfer-Encoding'],
    [
      request({ headers: { Authorization: 'Bearer x' } }),
      '/request/headers/Authorization the header "Authorization" has a place',
    ],
    [request({ body: { type: 'json', value: { a: [{ $argument: 'x' }] } } }), '/request/body/value/a/0/$argument'],
    [
      request({ body: { type: 'json', value: { $argument: 'q', b: 1 } } }),
      '/request/body/value "$argument" stands beside',
    ],
    [request({ body: { type: 'json', value: { $arguments: 'some' } } }), '/request/body/value/$arguments'],
    [request({ body: { type: 'yaml' } }), '/request/body/type'],
    [
      request({ body: { type: 'multipart', parts: { f: { argument: 'q', filename: { argument: 'x' } } } } }),
      '/request/body/parts/f/filename/argument',
    ],
  ])('is refused where it cannot work: %j', (definition, expected) => {
    expect(compile(definition)).toContain(expected);
    expect(compile(definition).startsWith(expected.split(' ', 1)[0]!)).toBe(true);
  });
});

describe('before a definition is stored', () => {
  const check = (definition: object): Promise<void> =>
    checkSource({ kind: 'http_tool', definition: definition as JsonObject }, outbound);

  it('names that resolve to forbidden addresses alone are refused, with where they stand', async () => {
    await expect(check(request({ url: 'https://inside.example/{id}' }))).rejects.toMatchObject({
      pointer: '/request/url',
    });
    await expect(
      check(tool({ credentials: [{ type: 'oauth_client_credentials', tokenUrl: 'https://inside.example/t' }] })),
    ).rejects.toMatchObject({ pointer: '/credentials/0/tokenUrl' });
    await check(request({}));
    await check(request({ url: 'https://unknown.example/{id}' }));
  });

  it('the secrets that it names are known, with where they stand', () => {
    const named = (credentials: unknown): unknown =>
      secretsNamedBy({ kind: 'http_tool', definition: { credentials } as JsonObject });
    expect(named({ type: 'bearer', secret: 'a' })).toEqual([{ name: 'a', pointer: '/credentials/secret' }]);
    expect(named([{ secret: 'a' }, 5, { secret: 'b' }])).toEqual([
      { name: 'a', pointer: '/credentials/0/secret' },
      { name: 'b', pointer: '/credentials/2/secret' },
    ]);
    expect(named(undefined)).toEqual([]);
  });
});
