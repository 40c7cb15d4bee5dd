import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { Database } from '#persistence/database.js';
import { adminClient, issueKey } from '../support/admin-client.js';
import { officialClient } from '../support/official-client.js';
import { register, storeSecret } from '../support/registered-sources.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { until } from '../support/until.js';
import { type Received, runUpstream, type UpstreamService } from '../support/upstream-service.js';

let running: RunningServer;
let service: UpstreamService;
let client: Client & AsyncDisposable;
let contents = 'first';

const SECRET = 'whsec_c2hvcCBzZWNyZXQ=';
const API_KEY = 'a-key-to-the-service';

function answer(request: Received, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url, 'http://x');
  const etag = `"${contents}"`;
  const reply = (status: number, type: string, body: string | Buffer = '', headers: object = {}): void =>
    void response.writeHead(status, { ...(type !== '' && { 'content-type': type }), ...headers }).end(body);
  if (pathname === '/watched') {
    if (request.headers['if-none-match'] === etag) reply(304, '');
    else reply(200, 'text/plain', contents, { etag });
  } else if (pathname === '/key')
    reply(200, 'text/plain', `${request.headers.authorization} ${String(request.headers['x-shop'])}`);
  else if (pathname === '/bytes') reply(200, 'image/png', Buffer.from([1, 2, 255]));
  else if (pathname.startsWith('/items/')) reply(200, 'application/json', JSON.stringify({ pathname, search }));
  else if (pathname === '/refused') reply(401, 'text/plain', `no: ${request.headers.authorization}`);
  else if (pathname === '/large') reply(200, 'text/plain', 'x'.repeat(2_000));
  else if (pathname === '/slow') setTimeout(() => reply(200, 'text/plain', 'late'), 5_000).unref();
  else if (pathname === '/away') reply(302, '', '', { location: 'http://127.0.0.2:9/' });
  else if (pathname === '/broken') reply(500, 'text/plain', 'stack trace');
  else reply(404, 'text/plain', 'nothing');
}

beforeAll(async () => {
  service = await runUpstream(answer);
  running = await runServer({
    modules: [],
    tenants: [openTenant('shop')],
    environment: { OUTBOUND_ALLOW: '127.0.0.1', SHUTDOWN_TIMEOUT_MS: '500' },
  });
  await storeSecret(running, 'shop', 'service', API_KEY);
  await storeSecret(running, 'shop', 'hook', SECRET);
  client = await officialClient(running.url('shop'));
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

beforeEach(() => void service.received.splice(0));

const http = (name: string, definition: object) =>
  register(running, 'shop', { name, kind: 'resource', definition: { uri: `shop://${name}`, ...definition } });

async function readOne(uri: string): Promise<object | undefined> {
  return (await client.readResource({ uri })).contents[0];
}

describe('resources that a service answers', () => {
  it('are read with credentials and headers, and do not show what the service sends back of them', async () => {
    const credentials = { type: 'bearer', secret: 'service' };
    await http('key', { url: `${service.origin}/key`, credentials, headers: { 'X-Shop': 'one' } });
    expect(await readOne('shop://key')).toEqual({
      uri: 'shop://key',
      mimeType: 'text/plain',
      text: 'Bearer [hidden] one',
    });
    expect(service.received[0]?.headers).toMatchObject({ authorization: `Bearer ${API_KEY}`, 'x-shop': 'one' });
  });

  it('are bytes where their type is no text, and of the type that the definition says', async () => {
    await http('bytes', { url: `${service.origin}/bytes` });
    expect(await readOne('shop://bytes')).toEqual({ uri: 'shop://bytes', mimeType: 'image/png', blob: 'AQL/' });
    await http('json', { url: `${service.origin}/items/1`, mimeType: 'application/vnd.shop+json' });
    expect(await readOne('shop://json')).toMatchObject({
      mimeType: 'application/vnd.shop+json',
      text: expect.any(String),
    });
  });

  it('are read by template, with the variables percent-encoded and never out of their place', async () => {
    const definition = { uriTemplate: 'shop://items/{id}{?tags*}', url: `${service.origin}/items/{id}{?tags*}` };
    await register(running, 'shop', { name: 'items', kind: 'resource', definition });
    const text = async (uri: string) => JSON.parse(((await readOne(uri)) as { text: string }).text);
    expect(await text('shop://items/a%2Fb%3Fc?tags=x&tags=y%26z')).toEqual({
      pathname: '/items/a%2Fb%3Fc',
      search: '?tags=x&tags=y%26z',
    });
    service.received.splice(0);
    for (const id of ['..', '%2E%2E', '..%2Fkey']) {
      await expect(readOne(`shop://items/${id}`)).rejects.toMatchObject({ code: -32602 });
    }
    expect(service.received).toEqual([]);
  });

  it('are not found where the service has nothing', async () => {
    await http('nothing', { url: `${service.origin}/nothing` });
    await expect(readOne('shop://nothing')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Resource not found'),
      data: { uri: 'shop://nothing' },
    });
  });

  it.each([
    ['refused', {}, /does not accept the credentials: it answered 401/],
    ['broken', { limits: { retries: 0 } }, /failed: it answered 500/],
    ['large', { limits: { maxBytes: 1_000 } }, /larger than 1000 bytes/],
    ['slow', { limits: { timeoutMs: 200 } }, /longer than 0.2 s/],
    ['away', {}, /at no address that may be called/],
    ['unknown_secret', { credentials: { type: 'bearer', secret: 'no_such' } }, /there is no secret "no_such"/],
  ])('say why they cannot be read: %s', async (name, more, message) => {
    const credentials = { type: 'bearer', secret: 'service' };
    await http(name, { url: `${service.origin}/${name}`, credentials, ...more });
    const failure = await readOne(`shop://${name}`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: -32603, message: expect.stringMatching(message) });
    expect(JSON.stringify(failure) + String(failure)).not.toContain(API_KEY);
  });
});

describe('a listener', () => {
  it('hears of updates that the platform finds by looking, and that a webhook tells', async () => {
    await http('watched', {
      url: `${service.origin}/watched`,
      updates: { poll: { intervalSeconds: 10 }, webhook: { secret: 'hook' } },
    });
    const heard: string[] = [];
    let wake = (): void => undefined;
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
      wake();
    });
    const subscription = await client.listen({ resourceSubscriptions: ['shop://watched'] });
    const { client: database } = running.server.app.get(Database);
    const lookAgain = () => database.$executeRaw`UPDATE resource_polls SET next_at = now()`;

    await until(async () => (await database.resourcePoll.count({ where: { etag: '"first"' } })) === 1);
    await lookAgain();
    await until(async () => service.received.some(({ headers }) => headers['if-none-match'] === '"first"'));
    await until(async () => (await database.resourcePoll.count({ where: { claim: null } })) === 1);
    expect(heard).toEqual([]);

    const byLooking = new Promise<void>((resolve) => (wake = resolve));
    contents = 'second';
    await lookAgain();
    await byLooking;
    expect(heard).toEqual(['shop://watched']);
    expect(await readOne('shop://watched')).toMatchObject({ text: 'second' });

    const byWebhook = new Promise<void>((resolve) => (wake = resolve));
    const message = JSON.stringify({ uris: ['shop://watched', 'shop://other'] });
    const notify = (body: string, key?: string, signature: Record<string, string> = {}) =>
      adminClient(running.server.url, key)('POST', '/tenants/shop/resources/notify', body, signature);
    const [signature, forged] = [signed(message, 'shop secret'), signed(message, 'another secret')];
    expect(await notify(message, undefined, signature)).toMatchObject({
      status: 200,
      body: { announced: ['shop://watched'], unknown: ['shop://other'], repeated: false },
    });
    await byWebhook;
    expect((await notify(message, undefined, signature)).body).toEqual({ announced: [], unknown: [], repeated: true });
    expect((await notify(`${message} `, undefined, signature)).status).toBe(401);
    expect((await notify(message, undefined, forged)).status).toBe(401);
    expect((await notify(message)).status).toBe(401);
    expect(heard).toEqual(['shop://watched', 'shop://watched']);

    const byAdmin = new Promise<void>((resolve) => (wake = resolve));
    const key = await issueKey(running, 'shop', ['sources:write']);
    expect((await notify('{"uris":["shop://watched"]}', key)).body.announced).toEqual(['shop://watched']);
    await byAdmin;
    expect(await notify('{"uris":[1]}', key)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/uris/0' }] },
    });
    expect((await notify('{"uris":["a:b"]}', await issueKey(running, 'shop', ['sources:read']))).status).toBe(403);
    await subscription.close();
  });
});

/** The fields of a signed message (Standard Webhooks). */
function signed(body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const mac = createHmac('sha256', secret).update(`m1.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': 'm1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
}
