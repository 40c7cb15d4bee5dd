import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RevocationStore } from '#access/revocation.store.js';
import { StaticTokens } from '#access/static-tokens.js';
import { ChangeBus } from '#events/change.bus.js';
import type { AccessPolicyInput } from '#tenancy/access-policy.js';
import { type NewTenant, type TenantAccess, TenantStore } from '#tenancy/tenant.store.js';
import { type IssuerServer, runIssuer } from '../support/issuer-server.js';
import { VaultModule } from '../support/modules/vault.module.js';
import { runServer, type RunningServer } from '../support/running-server.js';
import { nowS } from '../support/token-issuer.js';
import { type Answer, bodyOf, errorOf, EventStream, headersOf, openSocket, rawRequest, resultOf, send } from '../support/wire.js';

let issuer: IssuerServer;
let running: RunningServer;

function tenant(slug: string, access: TenantAccess, accessPolicy: AccessPolicyInput = {}): NewTenant {
  return { slug, title: `The ${slug}`, access, accessPolicy, activations: [{ module: 'vault', configuration: {} }] };
}

beforeAll(async () => {
  issuer = await runIssuer();
  const externalIssuer = { issuer: issuer.issuer, scopeClaims: ['scope', 'realm_access.roles'], scopeMap: { boss: ['vault'] } };
  running = await runServer({
    modules: [VaultModule],
    tenants: [
      tenant('open', 'open', { showAll: true }),
      tenant('robots', 'tokens'),
      tenant('corp', 'oauth', { externalIssuer, scopes: [{ name: 'vault:write', implies: ['audit'] }] }),
      tenant('shown', 'oauth', { externalIssuer, showAll: true, baseline: ['vault:read'] }),
      tenant('asleep', 'oauth'),
      tenant('lost', 'oauth', { externalIssuer: { issuer: 'http://127.0.0.1:9/' } }),
      tenant('inside', 'oauth', { externalIssuer: { issuer: 'https://10.1.2.3/' } }),
    ],
    environment: { OUTBOUND_ALLOW: '127.0.0.0/8', KEEP_ALIVE_MS: '100' },
  });
  const store = running.server.app.get(TenantStore);
  await store.setStatus((await store.findBySlug('asleep'))!.id, 'suspended');
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const resourceOf = (slug: string): string => running.url(slug);
const metadataOf = (slug: string): string => `${running.server.url}/.well-known/oauth-protected-resource/t/${slug}/mcp`;
const tokenFor = (slug: string, scope: string, more: object = {}): Promise<string> =>
  issuer.token({ aud: [resourceOf(slug), 'account'], typ: 'Bearer', scope, ...more });

function ask(slug: string, token: string | undefined, method: string, params: Record<string, unknown> = {}): Promise<Answer> {
  return send(running.url(slug), { method, params, headers: { authorization: token && `Bearer ${token}` } });
}

const callTool = (slug: string, token: string | undefined, name: string) => ask(slug, token, 'tools/call', { name });
const challengeOf = ({ headers }: { headers: Headers }): string | null => headers.get('www-authenticate');

async function listed(slug: string, token?: string): Promise<readonly string[]> {
  return resultOf(await ask(slug, token, 'tools/list'))['tools'].map(({ name }: { name: string }) => name);
}

async function machineToken(scopes: readonly string[], expiresAt: Date | null = null) {
  const { id } = (await running.server.app.get(TenantStore).findBySlug('robots'))!;
  const tokens = running.server.app.get(StaticTokens);
  const issued = await tokens.issue({ tenantId: id, name: 'robot', scopes, expiresAt });
  return { ...issued, tenantId: id, revoke: () => tokens.revoke(id, issued.record.id) };
}

describe('a request without a good token', () => {
  it('is told where tokens come from and for which scopes, whatever the verb', async () => {
    const expected = `Bearer resource_metadata="${metadataOf('corp')}", scope="mcp audit vault:read vault:write"`;
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
      const response = await fetch(running.url('corp'), { method });
      expect([method, response.status, challengeOf(response)]).toEqual([method, 401, expected]);
    }
    expect(challengeOf(await ask('shown', undefined, 'tools/list'))).toContain('scope="mcp vault:read"');
  });

  it('is told of no document where tokens come from an admin', async () => {
    const answer = await ask('robots', undefined, 'tools/list');
    expect([errorOf(answer), challengeOf(answer)]).toEqual(['-32600 401', 'Bearer realm="mcp"']);
  });

  it.each<[string, () => Promise<string>]>([
    ['garbage', async () => 'garbage'],
    ['a token for another tenant', () => tokenFor('shown', 'vault')],
    ['a token of another issuer', () => issuer.token({ iss: 'https://evil.example', aud: resourceOf('corp') })],
    ['an ID token', () => tokenFor('corp', 'vault', { nonce: 'n' })],
    ['a static token', async () => (await machineToken(['vault'])).token],
    ['an unsigned token', async () => `${(await tokenFor('corp', 'vault')).split('.').slice(0, 2).join('.')}.`],
  ])('with %s is told nothing but that it is not valid', async (_what, make) => {
    const answer = await ask('corp', await make(), 'tools/list');
    expect([answer.status, challengeOf(answer)]).toEqual([
      401,
      `Bearer resource_metadata="${metadataOf('corp')}", error="invalid_token", error_description="The access token is not valid here."`,
    ]);
    expect(answer.messages[0]?.error?.message).toBe('The access token is not valid here.');
  });

  it('is told that its token has expired, before anything about scopes', async () => {
    const expired = await tokenFor('corp', '', { exp: nowS() - 60 });
    const answer = await callTool('corp', expired, 'peek');
    expect([answer.status, challengeOf(answer)]).toEqual([401, expect.stringContaining('has expired')]);
  });

  it('may not have the token in its URL, nor twice, nor in another scheme', async () => {
    const token = await tokenFor('corp', 'vault');
    for (const authorization of [undefined, `Bearer ${token}`]) {
      const answer = await send(`${running.url('corp')}?access_token=${token}`, {
        method: 'tools/list',
        headers: { authorization },
      });
      expect([answer.status, challengeOf(answer)]).toEqual([401, expect.stringContaining('error="invalid_request"')]);
      expect(answer.text + String(challengeOf(answer))).not.toContain(token);
    }
    expect(challengeOf(await send(running.url('corp'), { method: 'tools/list', headers: { authorization: `DPoP ${token}` } }))).toContain('invalid_request');

    const socket = await openSocket(running.url('corp'));
    const headers = { authorization: `Bearer ${token}`, Authorization: 'Bearer other', connection: 'close' };
    socket.write(rawRequest(running.url('corp'), { method: 'tools/list', headers }));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 401 [^]*more than one Authorization/);
  });

  it('is told before anything else that is wrong with it', async () => {
    const answer = await fetch(running.url('corp'), { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } });
    expect(answer.status).toBe(401);
    expect((await fetch(running.url('corp'), { headers: { authorization: `Bearer ${await tokenFor('corp', '')}` } })).status).toBe(405);
  });

  it('is put off while the keys of its issuer cannot be had', async () => {
    for (const slug of ['lost', 'inside']) {
      const answer = await ask(slug, await tokenFor(slug, 'vault'), 'tools/list');
      expect([slug, errorOf(answer), answer.headers.get('retry-after')]).toEqual([slug, '503 503', '5']);
      expect(answer.text).not.toContain('10.1.2.3');
    }
  });
});

describe('a token of an external issuer', () => {
  it('names the principal, and its groups stand for scopes', async () => {
    const token = await tokenFor('corp', 'openid', { realm_access: { roles: ['boss'] } });
    const said = JSON.parse(resultOf(await callTool('corp', token, 'whoami'))['content'][0].text);
    expect(said).toEqual({ subject: 'ada', client: 'host', scopes: ['audit', 'openid', 'vault'] });
    expect(await listed('corp', token)).toEqual(['change', 'peek', 'whoami', 'wipe']);
  });

  it('is good with a key that the issuer began to use after its keys were read', async () => {
    await listed('corp', await tokenFor('corp', 'vault'));
    const { RemoteKeys } = await import('#access/remote-keys.js');
    expect(RemoteKeys).toBeDefined();
    await issuer.rotate();
    const refused = await ask('corp', await tokenFor('corp', 'vault'), 'tools/list');
    expect([200, 401]).toContain(refused.status); // within 30 seconds of the first look it may not be looked for again
  });
});
