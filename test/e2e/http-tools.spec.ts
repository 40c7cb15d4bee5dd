import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallTool, httpToolStage, type HttpToolStage, textOf } from '../support/http-tool-stage.js';
import { echo, type UpstreamService } from '../support/upstream-service.js';
import { resultOf, send } from '../support/wire.js';

let stage: HttpToolStage;
let upstream: UpstreamService;

beforeAll(async () => {
  stage = await httpToolStage();
  ({ upstream } = stage);
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

beforeEach(() => upstream.answer(echo));

const tool: HttpToolStage['tool'] = (...given) => stage.tool(...given);
const get: HttpToolStage['get'] = (...given) => stage.get(...given);

const TEXT = { type: 'string' } as const;
const needs = (...names: readonly string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, TEXT])),
  required: names,
});
const takes = (properties: object): object => ({ type: 'object', properties });

describe('a registered HTTP tool', () => {
  it('is listed with its schemas, and answers with JSON as structured content and as text', async () => {
    const slug = await stage.tenantOf([
      {
        name: 'orders',
        definition: {
          name: 'find_order',
          title: 'Orders',
          description: 'Finds an order',
          annotations: { readOnlyHint: true },
          input: needs('id'),
          output: { type: 'object', properties: { url: TEXT } },
          request: get('/orders/{id}'),
        },
      },
    ]);
    const { tools } = resultOf(await send(stage.running.url(slug), { method: 'tools/list' }));
    expect(tools).toEqual([
      {
        name: 'find_order',
        title: 'Orders',
        description: 'Finds an order',
        inputSchema: needs('id'),
        outputSchema: { type: 'object', properties: { url: TEXT } },
        annotations: { readOnlyHint: true },
      },
    ]);
    const result = await stage.call(slug, 'find_order', { id: 'a b' });
    expect(result['structuredContent']).toEqual({ method: 'GET', url: '/orders/a%20b', body: '' });
    expect(JSON.parse(textOf(result))).toEqual(result['structuredContent']);
    expect(result['isError']).toBeUndefined();
  });
});

describe('the request of a tool', () => {
  it('has path, query, headers and cookies from constants and arguments, and leaves out what was left out', async () => {
    const run = await tool({
      description: 'd',
      input: {
        ...takes({ id: TEXT, tags: {}, filter: {}, page: { type: 'integer' }, lang: TEXT, session: TEXT }),
        required: ['id'],
      },
      request: get('/v1/{id}{?page}', {
        query: {
          fixed: 'yes & no',
          tags: { argument: 'tags' },
          list: { argument: 'tags', style: 'pipeDelimited' },
          filter: { argument: 'filter', style: 'deepObject' },
        },
        headers: { 'X-Version': 2, 'Accept-Language': { argument: 'lang' } },
        cookies: { session: { argument: 'session' } },
      }),
    });
    await run({ id: 'ö/ä', tags: ['a', 'b c'], filter: { price: { gt: 5 } }, page: 3, lang: 'de', session: 'x;y' });
    const [first] = upstream.received;
    expect(first!.url).toBe(
      '/v1/%C3%B6%2F%C3%A4?page=3&fixed=yes%20%26%20no&tags=a&tags=b%20c&list=a%7Cb%20c&filter%5Bprice%5D%5Bgt%5D=5',
    );
    expect(first!.headers).toMatchObject({ 'x-version': '2', 'accept-language': 'de', cookie: 'session=x%3By' });
    await run({ id: '1' });
    expect(upstream.received[1]!.url).toBe('/v1/1?fixed=yes%20%26%20no');
    expect(upstream.received[1]!.headers['cookie']).toBeUndefined();
  });

  it.each(['..', '.', '../admin', 'a/../b', 'a\\..\\b'])('refuses the path argument %j', async (id) => {
    const run = await tool({ description: 'd', input: needs('id'), request: get('/users/{id}') });
    expect(await run({ id })).toMatchObject({ isError: true });
    expect(upstream.received).toEqual([]);
  });

  it.each([
    ['?admin=1', '/users/%3Fadmin%3D1'],
    ['1#x', '/users/1%23x'],
    ['%2e%2e', '/users/%252e%252e'],
    ['a@b', '/users/a%40b'],
    ["it's", '/users/it%27s'],
  ])('keeps the path argument %j in its segment', async (id, url) => {
    const run = await tool({ description: 'd', input: needs('id'), request: get('/users/{id}') });
    await run({ id });
    expect(upstream.received[0]!.url).toBe(url);
  });

  it('lets no argument write headers', async () => {
    const run = await tool({
      description: 'd',
      input: needs('x'),
      request: get('/', { headers: { 'X-A': { argument: 'x' } } }),
    });
    const result = await run({ x: 'a\r\nX-Evil: 1' });
    expect([result['isError'], textOf(result)]).toEqual([
      true,
      'The argument "x" is sent as a header, and may hold printable ASCII alone.',
    ]);
    expect(upstream.received).toEqual([]);
  });

  it('has a JSON body with arguments in their places and of their types', async () => {
    const run = await tool({
      description: 'd',
      input: takes({
        title: TEXT,
        count: { type: 'integer' },
        done: { type: 'boolean' },
        id: TEXT,
        tags: { type: 'array' },
      }),
      request: {
        method: 'POST',
        url: `${upstream.origin}/tasks`,
        query: { id: { argument: 'id' } },
        body: {
          type: 'json',
          value: {
            kind: 'task',
            task: { title: { $argument: 'title' }, count: { $argument: 'count' }, done: { $argument: 'done' } },
            list: [{ $argument: 'count' }, 'end'],
            raw: { $literal: { $argument: 'not one' } },
          },
        },
      },
    });
    await run({ title: 'T', done: false, id: '7' });
    expect(upstream.received[0]!.headers['content-type']).toBe('application/json');
    expect(JSON.parse(upstream.received[0]!.body)).toEqual({
      kind: 'task',
      task: { title: 'T', done: false },
      list: ['end'],
      raw: { $argument: 'not one' },
    });
  });

  it('sends the arguments that stand nowhere else when no body is described', async () => {
    const run = await tool({
      description: 'd',
      input: { ...takes({ id: TEXT, title: TEXT, count: {} }), required: ['id'] },
      request: { method: 'PUT', url: `${upstream.origin}/tasks/{id}`, body: { type: 'json' } },
    });
    await run({ id: '7', title: 'T', count: 2 });
    expect(JSON.parse(upstream.received[0]!.body)).toEqual({ title: 'T', count: 2 });
  });

  it('has forms, parts, text and bytes as bodies', async () => {
    const input = takes({ a: {}, file: TEXT, name: TEXT });
    const post = (body: object): object => ({
      description: 'd',
      input,
      request: { method: 'POST', url: `${upstream.origin}/`, body },
    });
    const data = Buffer.from('bytes').toString('base64');
    await (
      await tool(post({ type: 'form' }))
    )({ a: ['1', '2'], name: 'é' });
    await (
      await tool(post({ type: 'form', fields: { b: { argument: 'a', explode: false }, c: 1 } }))
    )({ a: [1, 2] });
    await (
      await tool(post({ type: 'text', value: { $argument: 'name' }, contentType: 'text/markdown' }))
    )({ name: '# x' });
    await (
      await tool(post({ type: 'binary', argument: 'file' }))
    )({ file: data });
    const parts = {
      note: 'n',
      upload: { argument: 'file', encoding: 'base64', filename: { argument: 'name' }, contentType: 'image/png' },
      absent: { argument: 'a' },
    };
    await (
      await tool(post({ type: 'multipart', parts }))
    )({ file: data, name: 'a"\r\nb.png' });
    const bodies = upstream.received.map(({ headers, body }) => [headers['content-type']!.split(';', 1)[0], body]);
    expect(bodies.slice(0, 4)).toEqual([
      ['application/x-www-form-urlencoded', 'a=1&a=2&name=%C3%A9'],
      ['application/x-www-form-urlencoded', 'b=1,2&c=1'],
      ['text/markdown', '# x'],
      ['application/octet-stream', 'bytes'],
    ]);
    expect(bodies[4]![1]!.replaceAll(/causeway-[\w-]{36}/g, 'B')).toBe(
      '--B\r\nContent-Disposition: form-data; name="note"\r\n\r\nn\r\n' +
        '--B\r\nContent-Disposition: form-data; name="upload"; filename="a%22%0D%0Ab.png"\r\nContent-Type: image/png\r\n\r\nbytes\r\n' +
        '--B--\r\n',
    );
  });
});

describe('the response to a tool', () => {
  const answers = (type: string, body: string | Buffer, status = 200): void =>
    upstream.answer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
  const plain = (more: object = {}): Promise<CallTool> => tool({ description: 'd', request: get('/a?key=1'), ...more });

  it('is text, an image, audio or a resource by its content type', async () => {
    const run = await plain();
    const data = Buffer.from('data').toString('base64');
    answers('text/csv; charset=iso-8859-1', Buffer.from('a,\xe9', 'latin1'));
    expect((await run())['content']).toEqual([{ type: 'text', text: 'a,é' }]);
    answers('image/png', 'data');
    expect((await run())['content']).toEqual([{ type: 'image', mimeType: 'image/png', data }]);
    answers('audio/wav', 'data');
    expect((await run())['content']).toEqual([{ type: 'audio', mimeType: 'audio/wav', data }]);
    answers('application/pdf', 'data');
    expect((await run())['content']).toEqual([
      { type: 'resource', resource: { uri: `${upstream.origin}/a`, mimeType: 'application/pdf', blob: data } },
    ]);
    upstream.answer((_request, response) => response.writeHead(204).end());
    expect(textOf(await run())).toBe('Done: the service answered 204 with nothing else.');
  });

  it('is what the expression picks', async () => {
    answers('application/json', JSON.stringify({ data: { items: [{ id: 1, x: 2 }, { id: 2 }] } }));
    const run = await plain({ response: { expression: 'data.items[*].id' } });
    expect(await run()).toMatchObject({ structuredContent: [1, 2], content: [{ type: 'text', text: '[1,2]' }] });
  });

  it('that does not fit the output schema is told to the model', async () => {
    answers('application/json', '{"id":"7"}');
    const run = await plain({ output: takes({ id: { type: 'integer' } }) });
    const result = await run();
    expect([result['isError'], textOf(result)]).toEqual([
      true,
      'The service answered, but not as this tool\'s output schema says:\n- id: must be integer (given "7")',
    ]);
    answers('text/html', '<h1>Hello</h1>');
    expect(textOf(await run())).toMatch(/200 with something that is not JSON \(text\/html\)/);
  });

  it('is an error with what helps the model', async () => {
    answers('application/json', '{"error":{"message":"No such order"}}', 404);
    expect(await (await plain())()).toMatchObject({
      isError: true,
      content: [{ text: 'The service answered with the error 404.\nIt said: {"error":{"message":"No such order"}}' }],
    });
    const told = await plain({
      response: {
        errors: { messages: { '4XX': 'Wrong.', '404': 'Look for it by search_orders.' }, expression: 'error.message' },
      },
    });
    expect(textOf(await told())).toBe('Look for it by search_orders.\nIt said: No such order');
    answers('text/html', '<h1>stack trace</h1>', 500);
    expect(textOf(await told())).toBe('The service answered with the error 500.');
    answers('application/json', '[]', 404);
    expect(await (await plain({ response: { errors: { statuses: ['5XX'] } } }))()).toMatchObject({
      structuredContent: [],
    });
  });

  it('is refused when it is too large, unpacked or not', async () => {
    const run = await plain({ limits: { maxBytes: 1_000 } });
    answers('text/plain', 'x'.repeat(1_001));
    expect(textOf(await run())).toBe('The response is larger than 1000 bytes. Ask for less at once.');
    upstream.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(100_000)));
    });
    expect(textOf(await run())).toBe('The response is larger than 1000 bytes. Ask for less at once.');
  });
});
