import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkshopModule } from '../support/modules/workshop.module.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { openSocket, rawRequest } from '../support/wire.js';

const call = { method: 'server/discover' };

describe('routing by host', () => {
  let running: RunningServer;

  beforeAll(async () => {
    running = await runServer({
      modules: [WorkshopModule],
      tenants: [
        openTenant('one', 'workshop'),
        openTenant('two', 'workshop'),
        { ...openTenant('safe', 'workshop'), access: 'oauth' },
      ],
      environment: { TENANT_ROUTING: 'both', PUBLIC_URL: 'https://mcp.example.com' },
    });
  });

  afterAll(async () => running[Symbol.asyncDispose]());

  /** The status and the tenant that answered. */
  async function ask(host: string, path = '/mcp'): Promise<string> {
    const url = `http://127.0.0.1:${running.server.port}${path}`;
    const socket = await openSocket(url);
    socket.write(rawRequest(url, { ...call, headers: { host, connection: 'close' } }));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return `${text.slice(9, 12)} ${/"name":"(\w+)"/.exec(text)?.[1] ?? '-'}`;
  }

  it('finds the tenant that the host names, whatever its case', async () => {
    expect(await ask('one.mcp.example.com')).toBe('200 one');
    expect(await ask('TWO.mcp.example.com')).toBe('200 two');
  });

  it('finds tenants by path too, when both are on', async () => {
    expect(await ask('mcp.example.com', '/t/two/mcp')).toBe('200 two');
  });

  it.each(['mcp.example.com', 'nobody.mcp.example.com', 'a.one.mcp.example.com', '.mcp.example.com'])(
    'finds no tenant at %s',
    async (host) => {
      expect(await ask(host)).toBe('404 -');
    },
  );

  it.each(['one.mcp.example.com.evil.com', 'evilmcp.example.com', 'evil.com'])(
    'does not answer to %s',
    async (host) => {
      expect(await ask(host)).toBe('403 -');
    },
  );

  /** What comes for a GET, as status, challenge and body. */
  async function get(host: string, path: string): Promise<{ status: number; challenge: string; body: any }> {
    const socket = await openSocket(`http://127.0.0.1:${running.server.port}`);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    const [, challenge = ''] = /www-authenticate: (.*)\r/i.exec(text) ?? [];
    return { status: Number(text.slice(9, 12)), challenge, body: JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) };
  }

  it.each([
    ['safe.mcp.example.com', '/mcp', 'https://safe.mcp.example.com/.well-known/oauth-protected-resource/mcp'],
    ['mcp.example.com', '/t/safe/mcp', 'https://mcp.example.com/.well-known/oauth-protected-resource/t/safe/mcp'],
  ])('says at %s%s where the document about it is', async (host, path, document) => {
    const { status, challenge } = await get(host, path);
    expect([status, challenge]).toEqual([401, expect.stringContaining(`resource_metadata="${document}"`)]);
  });

  it.each([
    ['safe.mcp.example.com', '', 'https://safe.mcp.example.com/mcp', 'https://safe.mcp.example.com'],
    ['SAFE.mcp.example.com', '/', 'https://safe.mcp.example.com/mcp', 'https://safe.mcp.example.com'],
    ['safe.mcp.example.com', '/mcp', 'https://safe.mcp.example.com/mcp', 'https://safe.mcp.example.com'],
    ['safe.mcp.example.com', '/mcp/', 'https://safe.mcp.example.com/mcp', 'https://safe.mcp.example.com'],
    ['mcp.example.com', '/t/safe/mcp', 'https://mcp.example.com/t/safe/mcp', 'https://mcp.example.com'],
    ['127.0.0.1', '/t/safe/mcp', 'https://mcp.example.com/t/safe/mcp', 'https://mcp.example.com'],
  ])('has the document of %s at %s', async (host, place, resource, issuer) => {
    const { status, body } = await get(host, `/.well-known/oauth-protected-resource${place}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ resource, authorization_servers: [issuer] });
  });

  it.each([
    ['mcp.example.com', ''],
    ['mcp.example.com', '/mcp'],
    ['one.mcp.example.com', ''],
    ['nobody.mcp.example.com', '/mcp'],
    ['safe.mcp.example.com.evil.com', ''],
  ])('has no document at %s%s', async (host, place) => {
    const { status, body } = await get(host, `/.well-known/oauth-protected-resource${place}`);
    expect([status, body.error]).toEqual([404, 'not_found']);
  });
});
