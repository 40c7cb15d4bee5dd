import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { httpToolStage, type HttpToolStage, textOf } from '../support/http-tool-stage.js';
import { echo, runUpstream, sendJson, type UpstreamService } from '../support/upstream-service.js';

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

describe('the credentials of a tool', () => {
  it.each([
    [{ type: 'bearer', secret: 'key' }, { authorization: 'Bearer s3cr3t+/x' }, '/'],
    [{ type: 'basic', username: 'ada', secret: 'key' }, { authorization: 'Basic YWRhOnMzY3IzdCsveA==' }, '/'],
    [
      { type: 'api_key', in: 'header', name: 'X-Key', secret: 'key', prefix: 'Token ' },
      { 'x-key': 'Token s3cr3t+/x' },
      '/',
    ],
    [{ type: 'api_key', in: 'query', name: 'k', secret: 'key' }, {}, '/?k=s3cr3t%2B%2Fx'],
    [{ type: 'api_key', in: 'cookie', name: 'k', secret: 'key' }, { cookie: 'k=s3cr3t%2B%2Fx' }, '/'],
  ])('are sent as %j', async (credentials, headers, url) => {
    const run = await tool({ description: 'd', request: get('/'), credentials }, { key: 's3cr3t+/x\n' });
    upstream.answer((request, response) => sendJson(response, request.headers, 403));
    const told = textOf(await run());
    expect(upstream.received[0]!.headers).toMatchObject(headers);
    expect(upstream.received[0]!.url).toBe(url);
    expect(told).not.toMatch(/s3cr3t|YWRhOnMz/);
  });

  it('that are gone are told, and cost no other tool', async () => {
    const slug = await stage.tenantOf([
      {
        name: 'locked',
        definition: { description: 'd', request: get('/'), credentials: { type: 'bearer', secret: 'gone' } },
      },
      { name: 'open', definition: { description: 'd', request: get('/') } },
    ]);
    expect(await stage.call(slug, 'locked', {})).toMatchObject({
      isError: true,
      content: [{ text: 'The credentials are missing: there is no secret "gone". The tenant\'s admin must store it.' }],
    });
    expect((await stage.call(slug, 'open', {}))['isError']).toBeUndefined();
    for (let call = 0; call < 12; call += 1) await stage.call(slug, 'locked', {});
    expect(textOf(await stage.call(slug, 'locked', {}))).toContain('credentials are missing');
  });

  it('of OAuth are fetched once, and anew when the service refuses them', async () => {
    let issued = 0;
    let good = 'token-1';
    upstream.answer((request, response) => {
      if (request.url === '/token') {
        sendJson(response, { access_token: `token-${(issued += 1)}`, expires_in: 3600, token_type: 'Bearer' });
      } else if (request.headers.authorization === `Bearer ${good}`) sendJson(response, { ok: true });
      else sendJson(response, {}, 401);
    });
    const run = await tool(
      {
        description: 'd',
        request: get('/api'),
        credentials: {
          type: 'oauth_client_credentials',
          tokenUrl: `${upstream.origin}/token`,
          clientId: 'me',
          secret: 'key',
          scopes: ['a', 'b'],
        },
      },
      { key: 'open sesame' },
    );
    const results = await Promise.all([run(), run(), run()]);
    expect(results.map((result) => result['structuredContent'])).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect(issued).toBe(1);
    const [asked] = upstream.received.filter(({ url }) => url === '/token');
    expect(asked).toMatchObject({
      body: 'grant_type=client_credentials&scope=a+b',
      headers: { authorization: `Basic ${Buffer.from('me:open+sesame').toString('base64')}` },
    });
    good = 'token-2';
    expect(await run()).toMatchObject({ structuredContent: { ok: true } });
    good = 'none';
    expect(await run()).toMatchObject({ isError: true });
    expect(issued).toBe(3);
  });
});

describe('a tool whose service fails', () => {
  it('is repeated when that is harmless, and waits as long as it is told', async () => {
    const failing = (times: number): void => {
      let asked = 0;
      upstream.answer((_request, response) => {
        if ((asked += 1) > times) sendJson(response, { asked });
        else response.writeHead(503, { 'retry-after': '0' }).end();
      });
    };
    failing(2);
    expect(await (await tool({ description: 'd', request: get('/') }))()).toMatchObject({
      structuredContent: { asked: 3 },
    });
    failing(1);
    const post = { description: 'd', request: { method: 'POST', url: `${upstream.origin}/` } };
    expect(await (await tool(post))()).toMatchObject({ isError: true });
    expect(upstream.received).toHaveLength(1);
    upstream.answer((_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    expect(await (await tool({ description: 'd', request: get('/') }))()).toMatchObject({ isError: true });
    expect(upstream.received).toHaveLength(1);
  });

  it('is left alone after so many failures, and tried again later', async () => {
    const limits = { retries: 0, breaker: { failures: 2, openMs: 300 } };
    const run = await tool({ description: 'd', request: get('/'), limits });
    upstream.answer((_request, response) => response.writeHead(500).end());
    await run();
    await run();
    expect(textOf(await run())).toBe(
      'The service behind this tool has failed too often and is left alone for now. Try again in 1 s.',
    );
    expect(upstream.received).toHaveLength(2);
    upstream.answer(echo);
    let result = await run();
    while (result['isError'] === true) result = await run();
    expect(result).toMatchObject({ structuredContent: { method: 'GET' } });
    expect(upstream.received).toHaveLength(1);
  });

  it('is asked by so many calls at a time, and turns away what cannot wait', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    upstream.answer((_request, response) => {
      open.push(() => sendJson(response, {}));
      most = Math.max(most, open.length);
    });
    const run = await tool({ description: 'd', request: get('/'), limits: { concurrency: 2, queue: 1 } });
    const ended: Record<string, any>[] = [];
    const calls = [run(), run(), run(), run()].map(async (one) => ended.push(await one));
    while (ended.length < 4) {
      await new Promise((resolve) => setImmediate(resolve));
      if (ended.length > 0) open.shift()?.();
    }
    await Promise.all(calls);
    expect(most).toBe(2);
    expect(ended.map((result) => result['isError'] ?? false)).toEqual([true, false, false, false]);
    expect(textOf(ended[0]!)).toBe('Too many calls of this tool are under way. Try again in a moment.');
  });

  it('is ended when its time is over', async () => {
    upstream.answer(() => undefined);
    const run = await tool({ description: 'd', request: get('/'), limits: { timeoutMs: 100 } });
    expect(textOf(await run())).toBe('The call took longer than 0.1 s and was ended.');
  });

  it('says so when nothing listens', async () => {
    const gone = await runUpstream();
    await gone[Symbol.asyncDispose]();
    const run = await tool({ description: 'd', request: { method: 'GET', url: gone.origin }, limits: { retries: 0 } });
    expect(textOf(await run())).toBe('The service behind this tool accepts no connection. Try again later.');
  });
});
