import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { McpModule, Resource, type ResourceContext, Tool, type ToolContext } from '#authoring/index.js';
import { type AdminCall, adminClient, issueKey } from '../support/admin-client.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { resultOf, send } from '../support/wire.js';

const Settings = z.strictObject({ word: z.string().min(1).default('Hello'), times: z.int().min(1).default(1) });
const Name = z.object({ name: z.string() });

@McpModule({ name: 'greeter', configuration: Settings })
class GreeterModule {
  @Tool({ description: 'Greets', input: Name })
  greet({ name }: z.infer<typeof Name>, context: ToolContext): string {
    const { word, times } = context.configuration as z.infer<typeof Settings>;
    return Array(times).fill(`${word}, ${name}!`).join(' ');
  }

  @Resource({ uri: 'greeter://word' })
  word(_uri: string, context: ResourceContext): string {
    return String(context.configuration['word']);
  }
}

@McpModule({ name: 'plain' })
class PlainModule {
  @Tool({ description: 'Shows what is set' })
  show(_input: object, context: ToolContext): string {
    return JSON.stringify(context.configuration);
  }
}

const NEW = { 'if-none-match': '*' };
const ANY = { 'if-match': '*' };

describe('what a tenant sets for a module', () => {
  let running: RunningServer;
  let admin: AdminCall;

  beforeAll(async () => {
    running = await runServer({
      modules: [GreeterModule, PlainModule],
      tenants: [openTenant('acme'), openTenant('other')],
    });
    admin = adminClient(running.server.url, await issueKey(running));
  });

  afterAll(async () => running[Symbol.asyncDispose]());

  const set = (slug: string, module: string, configuration: object, condition: Record<string, string> = ANY) =>
    admin('PUT', `/tenants/${slug}/activations/${module}`, { configuration }, condition);
  const call = async (slug: string, name: string, args: object = {}) =>
    resultOf(await send(running.url(slug), { method: 'tools/call', params: { name, arguments: args } }))['content'][0]
      .text;

  it('is described where modules are listed', async () => {
    const { items } = (await admin('GET', '/modules')).body;
    expect(items).toEqual([
      expect.objectContaining({ name: 'greeter', configuration: expect.objectContaining({ type: 'object' }) }),
      { name: 'plain' },
    ]);
  });

  it('reaches its handlers, with defaults, for each tenant its own, and from the next call on', async () => {
    expect((await set('acme', 'greeter', {}, NEW)).status).toBe(201);
    expect((await set('other', 'greeter', { word: 'Ahoy' }, NEW)).status).toBe(201);
    expect(await call('acme', 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
    expect(await call('other', 'greet', { name: 'Ada' })).toBe('Ahoy, Ada!');
    expect((await set('acme', 'greeter', { word: 'Hi', times: 2 })).status).toBe(200);
    expect(await call('acme', 'greet', { name: 'Ada' })).toBe('Hi, Ada! Hi, Ada!');
    const read = await send(running.url('acme'), { method: 'resources/read', params: { uri: 'greeter://word' } });
    expect(resultOf(read)['contents'][0].text).toBe('Hi');
  });

  it('is refused, with where and why, when it does not fit', async () => {
    expect(await set('acme', 'greeter', { times: 0 })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/configuration/times' }] },
    });
    expect((await set('acme', 'greeter', { wrod: 'x' })).body.errors[0].detail).toContain('wrod');
    expect(await set('acme', 'plain', { a: 1 }, NEW)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/configuration/a' }] },
    });
    expect(await call('acme', 'greet', { name: 'Ada' })).toBe('Hi, Ada! Hi, Ada!');
  });

  it('is nothing for a module that asks for nothing', async () => {
    expect((await set('other', 'plain', {}, NEW)).status).toBe(201);
    expect(await call('other', 'show')).toBe('{}');
  });
});
