import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TenantStore } from '#tenancy/tenant.store.js';
import { type IssuerServer, runIssuer } from '../support/issuer-server.js';
import { VaultModule } from '../support/modules/vault.module.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { openSocket, rawRequest, send } from '../support/wire.js';

let issuer: IssuerServer;
let running: RunningServer;

beforeAll(async () => {
  issuer = await runIssuer();
  const corp = { ...openTenant('corp', 'vault'), title: 'The corp', access: 'oauth' } as const;
  running = await runServer({
    modules: [VaultModule],
    tenants: [
      openTenant('open', 'vault'),
      { ...openTenant('robots', 'vault'), access: 'tokens' },
      { ...corp, accessPolicy: { externalIssuer: { issuer: issuer.issuer } } },
      { ...openTenant('own', 'vault'), access: 'oauth' },
      { ...openTenant('asleep', 'vault'), access: 'oauth' },
    ],
    environment: { OUTBOUND_ALLOW: '127.0.0.0/8' },
  });
  const store = running.server.app.get(TenantStore);
  await store.setStatus((await store.findBySlug('asleep'))!.id, 'suspended');
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const metadataOf = (slug: string): string => `${running.server.url}/.well-known/oauth-protected-resource/t/${slug}/mcp`;

describe('the document about a tenant', () => {
  it('says where its tokens come from', async () => {
    for (const url of [metadataOf('corp'), `${metadataOf('corp')}/`, `${metadataOf('corp')}?x=1`]) {
      const response = await fetch(url, { redirect: 'error' });
      expect(await response.json()).toEqual({
        resource: running.url('corp'),
        authorization_servers: [issuer.issuer],
        bearer_methods_supported: ['header'],
        resource_name: 'The corp',
      });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=60',
      });
    }
  });

  it('names the platform where tokens are its own', async () => {
    const { authorization_servers: servers } = (await (await fetch(metadataOf('own'))).json()) as Record<
      string,
      unknown
    >;
    expect(servers).toEqual([running.server.url]);
  });

  it.each([
    ['/t/open/mcp'],
    ['/t/robots/mcp'],
    ['/t/asleep/mcp'],
    ['/t/nobody/mcp'],
    ['/t/corp'],
    ['/t/corp/mcp/x'],
    ['/t/%63orp/mcp'],
    ['/mcp'],
    ['/'],
    [''],
  ])('is not at %s, in JSON', async (place) => {
    const response = await fetch(`${running.server.url}/.well-known/oauth-protected-resource${place}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
    expect(await response.json()).toMatchObject({ error: 'not_found' });
  });

  it('is read, and nothing else', async () => {
    const head = await fetch(metadataOf('corp'), { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const preflight = await fetch(metadataOf('corp'), {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-headers': 'mcp-protocol-version' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, '*']);
    const post = await fetch(metadataOf('corp'), { method: 'POST', body: '{}' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('a page of a foreign origin', () => {
  const origin = 'https://app.example';
  const preflight = (slug: string) =>
    fetch(running.url(slug), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, mcp-method, mcp-protocol-version',
      },
    });

  it.each(['corp', 'robots', 'own'])('may call %s, where only a token counts', async (slug) => {
    const asked = await preflight(slug);
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(asked.headers.get('access-control-allow-headers')).toMatch(/Authorization/);
    const refused = await send(running.url(slug), { method: 'tools/list', headers: { origin } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
    expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    expect(refused.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('gets its answer', async () => {
    const authorization = `Bearer ${await issuer.token({ aud: running.url('corp') })}`;
    const answer = await send(running.url('corp'), { method: 'tools/list', headers: { origin, authorization } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  });

  it.each(['open', 'nobody'])('may not call %s', async (slug) => {
    for (const answer of [
      await preflight(slug),
      await send(running.url(slug), { method: 'tools/list', headers: { origin } }),
    ]) {
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    }
  });

  it('may call no tenant by a name that is not the platform’s', async () => {
    const socket = await openSocket(running.url('corp'));
    const headers = { origin: 'http://evil.example', host: 'evil.example', connection: 'close' };
    socket.write(rawRequest(running.url('corp'), { method: 'tools/list', headers }));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
  });
});
