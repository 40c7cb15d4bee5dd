import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TenantStore } from '#tenancy/tenant.store.js';
import { WorkshopModule } from '../support/modules/workshop.module.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { bodyOf, errorOf, headersOf, openSocket, post, rawRequest, resultOf, send } from '../support/wire.js';

let running: RunningServer;
let url: string;

beforeAll(async () => {
  running = await runServer({
    modules: [WorkshopModule],
    tenants: [
      openTenant('workshop', 'workshop'),
      openTenant('other', 'workshop'),
      openTenant('empty'),
      { ...openTenant('closed', 'workshop'), access: 'oauth' },
    ],
    environment: { BODY_LIMIT: '64KiB', RESULT_LIMIT: '32KiB', ALLOWED_ORIGINS: 'https://app.example.com' },
  });
  url = running.url('workshop');
});

afterAll(async () => running[Symbol.asyncDispose]());

const list = { method: 'tools/list' };

describe('the HTTP of the endpoint', () => {
  it.each([
    ['in order', 'application/json, text/event-stream', 200],
    ['in the other order', 'text/event-stream,application/json', 200],
    ['with weights', 'text/event-stream;q=0.5, application/json;q=0.9', 200],
    ['as anything', '*/*', 200],
    ['by family', 'application/*, text/*', 200],
    ['JSON alone', 'application/json', 406],
    ['SSE alone', 'text/event-stream', 406],
    ['with one forbidden', '*/*, text/event-stream;q=0', 406],
    ['HTML', 'text/html', 406],
  ])('takes Accept %s', async (_how, accept, status) => {
    expect((await send(url, { ...list, headers: { accept } })).status).toBe(status);
  });

  it.each([
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['application/json; charset=latin1', 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
  ])('takes Content-Type %s with %i', async (type, status) => {
    expect((await send(url, { ...list, headers: { 'content-type': type } })).status).toBe(status);
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('answers %s with 405 and what is allowed', async (method) => {
    const response = await fetch(url, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });

  it('refuses a body over the limit without reading on', async () => {
    const answer = await post(url, ' '.repeat(70_000), headersOf(list));
    expect(errorOf(answer)).toBe('-32600 413');
  });

  it('refuses an untrusted origin and shares answers with a trusted one', async () => {
    const evil = await send(url, { ...list, headers: { origin: 'https://evil.example.com' } });
    expect(evil.status).toBe(403);
    expect(evil.headers.get('access-control-allow-origin')).toBeNull();
    for (const origin of ['https://app.example.com', 'http://localhost:6274', running.server.url]) {
      const good = await send(url, { ...list, headers: { origin } });
      expect([good.status, good.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    }
  });

  it('refuses origins that only look local', async () => {
    for (const origin of [
      'http://localhost.evil.com',
      'http://127.0.0.1.evil.com',
      'null',
      'http://localhost:80://evil',
      'file://',
      'http://evil.com/?http://localhost',
    ]) {
      expect((await send(url, { ...list, headers: { origin } })).status).toBe(403);
    }
  });

  it('refuses a Host that is not its own (DNS rebinding)', async () => {
    const socket = await openSocket(url);
    socket.end(rawRequest(url, { ...list, headers: { host: 'evil.example.com', connection: 'close' } }));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('answers a preflight, custom headers included', async () => {
    const response = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-headers': 'mcp-param-region, mcp-method' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toMatch(/Mcp-Method.*mcp-param-region/);
  });

  it.each([
    ['not JSON', '{', '-32700 400'],
    ['nothing', '', '-32700 400'],
    ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), '-32700 400'],
    ['nested too deeply', '['.repeat(100) + ']'.repeat(100), '-32700 400'],
    ['a batch', '[{}]', '-32600 400'],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', '-32600 400'],
  ])('refuses a body that is %s', async (_what, body, expected) => {
    expect(errorOf(await post(url, body, headersOf(list)))).toBe(expected);
  });

  it('takes a notification with 202 and no body', async () => {
    const answer = await post(url, '{"jsonrpc":"2.0","method":"notifications/whatever"}', headersOf(list));
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('echoes the id, a string or a number, in results and errors', async () => {
    for (const id of [0, -5, 'x"y', '']) {
      expect((await send(url, { ...list, id })).messages[0]?.id).toBe(id);
      expect((await send(url, { method: 'no/such', id })).messages[0]?.id).toBe(id);
    }
  });

  it('serves pipelined requests on one connection, in order', async () => {
    const socket = await openSocket(url);
    const requests = [1, 2, 3].map((id) =>
      rawRequest(url, { ...list, id, ...(id === 3 && { headers: { connection: 'close' } }) }),
    );
    socket.write(requests.join(''));
    const answers = await text(socket);
    expect([...answers.matchAll(/"jsonrpc":"2\.0","id":(\d)/g)].map(([, id]) => id)).toEqual(['1', '2', '3']);
  });

  it('serves a reader that is slow', async () => {
    const socket = await openSocket(url);
    socket.write(
      rawRequest(url, {
        method: 'tools/call',
        params: { name: 'large', arguments: { size: 30_000 } },
        headers: { connection: 'close' },
      }),
    );
    socket.pause();
    const chunks: Buffer[] = [];
    const done = new Promise<void>((resolve) => socket.once('end', resolve));
    socket.on('readable', () => {
      const chunk = socket.read(512) as Buffer | null;
      if (chunk) chunks.push(chunk);
      const rest = socket.read() as Buffer | null;
      if (rest) chunks.push(rest);
    });
    await done;
    expect(Buffer.concat(chunks).toString()).toContain('x'.repeat(30_000));
  });
});

describe('the target of a request', () => {
  it('may be absolute, and may end with a slash', async () => {
    for (const target of [url, `${new URL(url).pathname}/`, `${new URL(url).pathname}?x=1`]) {
      const socket = await openSocket(url);
      const request = rawRequest(url, { ...list, headers: { connection: 'close' } });
      socket.write(request.replace(/^POST \S+/, `POST ${target}`));
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });
});

describe('tenants', () => {
  it('are found by their slug alone', async () => {
    for (const slug of ['nobody', 'WORKSHOP', 'a'.repeat(64), '..', '%2e%2e', 'work%00shop', '__proto__']) {
      const answer = await post(`${running.server.url}/t/${slug}/mcp`, JSON.stringify(bodyOf(list)), headersOf(list));
      expect(answer.status).toBe(404);
    }
  });

  it('are closed without a token unless they are open by choice', async () => {
    const closed = running.url('closed');
    expect(errorOf(await send(closed, list))).toBe('-32600 401');
    expect(errorOf(await post(closed, '{', headersOf(list)))).toBe('-32600 401');
    expect((await fetch(closed)).status).toBe(401);
  });

  it('name themselves in every result', async () => {
    const info = async (slug: string) =>
      resultOf(await send(running.url(slug), list))['_meta']['io.modelcontextprotocol/serverInfo'];
    expect(await info('workshop')).toMatchObject({ name: 'workshop' });
    expect(await info('other')).toMatchObject({ name: 'other' });
  });

  it('without modules list nothing and find nothing', async () => {
    const empty = running.url('empty');
    expect(resultOf(await send(empty, list))['tools']).toEqual([]);
    expect(errorOf(await send(empty, { method: 'tools/call', params: { name: 'say' } }))).toBe('-32602 200');
  });

  it('are refused while suspended, at once, and served again after', async () => {
    const store = running.server.app.get(TenantStore);
    const tenant = (await store.findBySlug('other'))!;
    const { ChangeBus } = await import('#events/change.bus.js');
    const bus = running.server.app.get(ChangeBus);
    const set = async (status: 'active' | 'suspended') => {
      const { id, slug, revision } = (await store.setStatus(tenant.id, status))!;
      await bus.publish({ type: 'catalogue', tenantId: id, slug, revision });
    };
    await set('suspended');
    await expect(
      eventually(async () => errorOf(await send(running.url('other'), list)), '-32600 403'),
    ).resolves.toBeUndefined();
    await set('active');
    await expect(
      eventually(async () => String((await send(running.url('other'), list)).status), '200'),
    ).resolves.toBeUndefined();
  });
});

async function eventually(look: () => Promise<string>, expected: string): Promise<void> {
  const deadline = Date.now() + 5_000;
  let found = await look();
  while (found !== expected) {
    if (Date.now() > deadline) throw new Error(`Still ${found}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    found = await look();
  }
}

function text(socket: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = '';
    socket.on('data', (chunk: Buffer) => (all += chunk.toString()));
    socket.on('end', () => resolve(all));
    socket.on('error', reject);
  });
}
