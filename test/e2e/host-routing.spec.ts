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
      tenants: [openTenant('one', 'workshop'), openTenant('two', 'workshop')],
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
});
