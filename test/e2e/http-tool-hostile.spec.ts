import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpToolStage, type HttpToolStage, textOf } from '../support/http-tool-stage.js';
import { until } from '../support/until.js';
import { echo, sendJson } from '../support/upstream-service.js';

let stage: HttpToolStage;

beforeAll(async () => {
  stage = await httpToolStage();
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** A service that answers one request with these header fields and this body. */
async function answering(
  fields: string,
  body: string,
  status = 'HTTP/1.1 200 OK',
): Promise<{ readonly origin: string } & Disposable> {
  const length = Buffer.byteLength(body);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(`${status}\r\n${fields}\r\ncontent-length: ${length}\r\n\r\n${body}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => server.close() };
}

describe('arguments in the path of a tool', () => {
  it.each([
    ['/orders/{x:2}/items', { x: '..evil' }],
    ['/orders/{.x}/items', { x: '' }],
    ['/orders/{.x*}/items', { x: ['', ''] }],
    ['/orders/{x}/items', { x: '..' }],
    ['/orders{/x*}', { x: ['a', '.', 'b'] }],
    ['/orders{/x*}', { x: ['', 'b'] }],
    ['{/x*}', { x: ['', 'evil.example', 'b'] }],
  ])('lead nowhere else: %s with %j', async (path, args) => {
    stage.upstream.answer(echo);
    const input = { type: 'object', properties: { x: {} }, required: ['x'] };
    const run = await stage.tool({ description: 'd', input, request: stage.get(path) });
    expect(textOf(await run(args))).toMatch(/^The argument "x" must not/);
    expect(stage.upstream.received).toEqual([]);
  });
});

describe('what a hostile service answers', () => {
  it.each([
    ['content-type: application/json\r\ncontent-type: text/plain', { structuredContent: { a: 1 } }],
    ['content-type: application/json\r\ncontent-encoding: Identity', { structuredContent: { a: 1 } }],
    ['content-type: application/json\r\ncontent-encoding: ', { structuredContent: { a: 1 } }],
    ['content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-encoding: br', { isError: true }],
    ['content-type: application/json\r\ncontent-encoding: constructor', { isError: true }],
  ])('is read by its fields, whatever these are: %j', async (fields, result) => {
    using service = await answering(fields, '{"a":1}');
    const request = { method: 'GET', url: service.origin };
    const run = await stage.tool({ description: 'd', request, limits: { retries: 0 } });
    const told = await run();
    expect(told).toMatchObject(result);
    expect(textOf(told)).not.toContain('cannot be reached');
  });

  it.each([
    ['application/json', 200, String.raw`{"a":"s3cr3t+\/x"}`],
    ['application/json', 200, String.raw`{"a":"s3cr3t\u002B\u002fx"}`],
    ['application/json', 400, String.raw`{"error":"s3cr3t\u002b/x"}`],
    ['application/octet-stream', 200, 'of s3cr3t+/x'],
    ['application/pdf', 200, 'nothing'],
    ['image/png', 200, 's3cr3t+/x'],
  ])('never brings the secret back: as %s with %i', async (type, status, body) => {
    stage.upstream.answer(({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: '/of/s3cr3t+/x' }).end();
      else response.writeHead(status, { 'content-type': type }).end(body);
    });
    const credentials = { type: 'bearer', secret: 'key' };
    const run = await stage.tool({ description: 'd', request: stage.get('/'), credentials }, { key: 's3cr3t+/x' });
    const [content] = (await run())['content'];
    const { blob = '' } = content.resource ?? {};
    const shown = `${JSON.stringify(content)} ${Buffer.from(content.data ?? blob, 'base64').toString()}`;
    expect(shown).not.toMatch(/s3cr3t/);
  });

  it.each([
    ['HTTP/1.1 103 Early Hints\r\ncontent-length: 99999999\r\n\r\nHTTP/1.1 200 OK', 'text/plain', undefined],
    ['HTTP/1.1 999 Whatever', 'text/plain', true],
    ['HTTP/1.1 200 OK', 'image/"<script>', undefined],
  ])('is taken for what it is: %j as %s', async (status, type, isError) => {
    using service = await answering(`content-type: ${type}`, 'fine', status);
    const request = { method: 'GET', url: service.origin };
    const told = await (await stage.tool({ description: 'd', request, limits: { retries: 0 } }))();
    expect([told['isError'], told['content'][0].type]).toEqual([isError, 'text']);
    expect(textOf(told)).toContain('fine');
  });

  it('is held in memory up to a bound, whatever many calls ask for', async () => {
    const most = { concurrency: 256, timeoutMs: 60_000, maxBytes: 10_485_760, retries: 0, breaker: { failures: 1 } };
    const run = await stage.tool({ description: 'd', request: stage.get('/'), limits: most });
    const waiting: ServerResponse[] = [];
    stage.upstream.answer((_request, response) => {
      waiting.push(response.writeHead(200, { 'content-type': 'text/plain' }));
      response.write(Buffer.alloc(8_000_000, 'a'));
    });
    const ended: string[] = [];
    const calls = Array.from({ length: 20 }, async () => ended.push(textOf(await run()).slice(0, 100)));
    await until(() => ended.length === 12);
    for (const response of waiting) response.end();
    await Promise.all(calls);
    const refused = 'Too much is read from services at once. Ask for less, or try again in a moment.';
    expect(ended.filter((text) => text === refused)).toHaveLength(12);
    stage.upstream.answer(echo);
    expect((await run())['isError']).toBeUndefined();
  });

  it('never brings the secret back as the error of a token server', async () => {
    stage.upstream.answer((_request, response) => sendJson(response, { error: 'open_sesame_please' }, 400));
    const credentials = {
      type: 'oauth_client_credentials',
      tokenUrl: `${stage.upstream.origin}/token`,
      clientId: 'me',
      secret: 'key',
    };
    const run = await stage.tool(
      { description: 'd', request: stage.get('/'), credentials },
      { key: 'open_sesame_please' },
    );
    const told = textOf(await run());
    expect(told).toContain('refused');
    expect(told).not.toContain('sesame');
  });
});
