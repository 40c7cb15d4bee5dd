import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TenantStore } from '#tenancy/tenant.store.js';
import { ChangeBus } from '#events/change.bus.js';
import { McpModule, Tool } from '#authoring/index.js';
import { Database } from '#persistence/database.js';
import { WorkshopModule } from '../support/modules/workshop.module.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { errorOf, EventStream, openSocket, rawRequest, send } from '../support/wire.js';

@McpModule({ name: 'extra' })
class ExtraModule {
  @Tool({ description: 'One more' })
  extra(): string {
    return 'extra';
  }
}

@McpModule({ name: 'hidden' })
class HiddenModule {
  @Tool({ description: 'Nobody here may see it', scopes: ['x:y'] })
  hidden(): string {
    return 'hidden';
  }
}

let running: RunningServer;
let url: string;

beforeAll(async () => {
  running = await runServer({
    modules: [WorkshopModule, ExtraModule, HiddenModule],
    tenants: [openTenant('workshop', 'workshop'), openTenant('other', 'workshop'), openTenant('crowded')],
    environment: { LISTEN_STREAMS_PER_PRINCIPAL: '3', KEEP_ALIVE_MS: '100' },
  });
  url = running.url('workshop');
});

afterAll(async () => running[Symbol.asyncDispose]());

function listen(notifications: unknown, id: string | number = 'sub-1', where = url): Promise<EventStream> {
  return EventStream.open(where, { method: 'subscriptions/listen', params: { notifications }, id });
}

/** Switches a module of a tenant on or off as the admin API will: store, then bus. */
async function activate(slug: string, module: string, active: boolean): Promise<void> {
  const store = running.server.app.get(TenantStore);
  const { id } = (await store.findBySlug(slug))!;
  const { revision } = (await store.setActivation(id, module, active))!;
  await running.server.app.get(ChangeBus).publish({ type: 'catalogue', tenantId: id, slug, revision });
}

const touch = (uri: string, where = url) =>
  send(where, { method: 'tools/call', params: { name: 'touch', arguments: { uri } } });
const SUBSCRIPTION = { 'io.modelcontextprotocol/subscriptionId': 'sub-1' };

describe('listening', () => {
  it('acknowledges first, with exactly what will be heard', async () => {
    using stream = await listen({
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: ['workshop://sign', 'workshop://no'],
      other: 1,
    });
    const [first] = await stream.until(1);
    expect(first).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        _meta: SUBSCRIPTION,
        notifications: { toolsListChanged: true, resourceSubscriptions: ['workshop://sign'] },
      },
    });
  });

  it('hears of the resources asked for, of this tenant, and of nothing else', async () => {
    using stream = await listen({ resourceSubscriptions: ['workshop://sign', 'workshop://drawer/a/b'] });
    await stream.until(1);
    await touch('workshop://bytes');
    await touch('workshop://sign', running.url('other'));
    await touch('workshop://sign');
    await touch('workshop://drawer/a/b');
    await stream.until(3);
    expect(stream.messages.slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { _meta: SUBSCRIPTION, uri: 'workshop://sign' },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { _meta: SUBSCRIPTION, uri: 'workshop://drawer/a/b' },
      },
    ]);
  });

  it('hears that a list has changed, if it asked for that list and may see the difference', async () => {
    using tools = await listen({ toolsListChanged: true });
    using prompts = await listen({ promptsListChanged: true, resourcesListChanged: true });
    await Promise.all([tools.until(1), prompts.until(1)]);
    await activate('workshop', 'hidden', true);
    await activate('workshop', 'extra', true);
    await tools.until(2);
    await activate('workshop', 'extra', false);
    await tools.until(3);
    expect(tools.messages.slice(1).map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/tools/list_changed',
    ]);
    expect(prompts.messages).toHaveLength(1);
    await activate('workshop', 'hidden', false);
  });

  it('is kept alive by comments', async () => {
    using stream = await listen({});
    await stream.until(1);
    await stream.wait(() => stream.comments >= 2);
  });

  it('outlives a stream that ends while its connection is busy with another', async () => {
    const socket = await openSocket(url);
    socket.on('error', () => undefined);
    socket.write(rawRequest(url, { method: 'subscriptions/listen', params: { notifications: {} }, id: 'first' }));
    socket.write(
      rawRequest(url, { method: 'tools/call', params: { name: 'progress' }, meta: { progressToken: 1 }, id: 2 }),
    );
    await new Promise((resolve) => setTimeout(resolve, 500)); // several keep-alive comments
    expect((await send(url, { method: 'tools/list' })).status).toBe(200);
    socket.destroy();
  });

  it('ends when its tenant is closed to the listener', async () => {
    using stream = await listen({ toolsListChanged: true }, 'sub-1', running.url('other'));
    await stream.until(1);
    const database = running.server.app.get(Database);
    await database.client
      .$executeRaw`UPDATE tenants SET access = 'oauth', revision = revision + 1, updated_at = now() WHERE slug = 'other'`;
    const { id, slug, revision } = (await running.server.app.get(TenantStore).findBySlug('other'))!;
    await running.server.app.get(ChangeBus).publish({ type: 'catalogue', tenantId: id, slug, revision });
    await stream.wait(() => stream.ended);
    expect(stream.messages.at(-1)).toMatchObject({ id: 'sub-1', result: { resultType: 'complete' } });
    expect(errorOf(await send(running.url('other'), { method: 'tools/list' }))).toBe('-32600 401');
  });

  it('is bounded for each principal, and frees its place when it ends', async () => {
    const crowded = running.url('crowded');
    const streams = await Promise.all([1, 2, 3].map((id) => listen({}, id, crowded)));
    await Promise.all(streams.map((stream) => stream.until(1)));
    const call = { method: 'subscriptions/listen', params: { notifications: {} } };
    const refused = await send(crowded, call);
    expect(errorOf(refused)).toBe('429 429');
    expect(refused.headers.get('retry-after')).not.toBeNull();
    streams[0]![Symbol.dispose]();
    const deadline = Date.now() + 5_000;
    for (;;) {
      using next = await listen({}, 4, crowded);
      if (next.status === 200) break;
      if (Date.now() > deadline) throw new Error('The place was not freed.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const stream of streams) stream[Symbol.dispose]();
  });

  it.each([
    undefined,
    null,
    [],
    'all',
    { toolsListChanged: 'yes' },
    { resourceSubscriptions: 'x' },
    { resourceSubscriptions: [1] },
  ])('refuses the filter %j', async (notifications) => {
    expect(errorOf(await send(url, { method: 'subscriptions/listen', params: { notifications } }))).toBe('-32602 200');
  });
});

describe('a server that stops', () => {
  it('ends streams gracefully and lets calls in flight finish', async () => {
    const stopping = await runServer({ modules: [WorkshopModule], tenants: [openTenant('workshop', 'workshop')] });
    const where = stopping.url('workshop');
    const stream = await listen({ toolsListChanged: true }, 9, where);
    await stream.until(1);
    const inFlight = send(where, { method: 'tools/call', params: { name: 'doze' } });
    const open = await openSocket(where);
    open.write(rawRequest(where, { method: 'tools/call', params: { name: 'doze' } }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const stopped = stopping[Symbol.asyncDispose]();
    open.write(rawRequest(where, { method: 'tools/list', id: 2 }));
    let answers = '';
    for await (const chunk of open) answers += String(chunk);
    await stopped;
    expect((await inFlight).status).toBe(200);
    expect(answers).toMatch(/HTTP\/1.1 200 OK[^]*HTTP\/1.1 503 Service Unavailable[^]*"code":503/);
    await stream.wait(() => stream.ended);
    expect(stream.messages.at(-1)).toMatchObject({
      id: 9,
      result: {
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/subscriptionId': 9, 'io.modelcontextprotocol/serverInfo': {} },
      },
    });
  });
});
