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
import { type Answer, errorOf, EventStream, openSocket, rawRequest, resultOf, send } from '../support/wire.js';

let issuer: IssuerServer;
let running: RunningServer;

function tenant(slug: string, access: TenantAccess, accessPolicy: AccessPolicyInput = {}): NewTenant {
  return { slug, title: `The ${slug}`, access, accessPolicy, activations: [{ module: 'vault', configuration: {} }] };
}

beforeAll(async () => {
  issuer = await runIssuer();
  const externalIssuer = {
    issuer: issuer.issuer,
    scopeClaims: ['scope', 'realm_access.roles'],
    scopeMap: { boss: ['vault'] },
  };
  running = await runServer({
    modules: [VaultModule],
    tenants: [
      tenant('open', 'open', { showAll: true }),
      tenant('robots', 'tokens'),
      tenant('corp', 'oauth', { externalIssuer, scopes: [{ name: 'vault:write', implies: ['audit'] }] }),
      tenant('shown', 'oauth', { externalIssuer, showAll: true, baseline: ['vault:read'] }),
      tenant('lost', 'oauth', { externalIssuer: { issuer: 'http://127.0.0.1:9/' } }),
      tenant('inside', 'oauth', { externalIssuer: { issuer: 'https://10.1.2.3/' } }),
    ],
    environment: { OUTBOUND_ALLOW: '127.0.0.0/8', KEEP_ALIVE_MS: '100' },
  });
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const resourceOf = (slug: string): string => running.url(slug);
const metadataOf = (slug: string): string => `${running.server.url}/.well-known/oauth-protected-resource/t/${slug}/mcp`;
const tokenFor = (slug: string, scope: string, more: object = {}): Promise<string> =>
  issuer.token({ aud: [resourceOf(slug), 'account'], typ: 'Bearer', scope, ...more });

function ask(
  slug: string,
  token: string | undefined,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Answer> {
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
    const expected = `Bearer resource_metadata="${metadataOf('corp')}"`; // whose scopes are the issuer's to name
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
      const response = await fetch(running.url('corp'), { method });
      expect([method, response.status, challengeOf(response)]).toEqual([method, 401, expected]);
    }
    expect(challengeOf(await ask('shown', undefined, 'tools/list'))).toContain('scope="vault:read"');
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
    expect(
      challengeOf(
        await send(running.url('corp'), { method: 'tools/list', headers: { authorization: `DPoP ${token}` } }),
      ),
    ).toContain('invalid_request');

    const socket = await openSocket(running.url('corp'));
    const headers = { authorization: `Bearer ${token}`, Authorization: 'Bearer other', connection: 'close' };
    socket.write(rawRequest(running.url('corp'), { method: 'tools/list', headers }));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 401 [^]*more than one Authorization/);
  });

  it('is told before anything else that is wrong with it', async () => {
    const answer = await fetch(running.url('corp'), {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(401);
    expect(
      (await fetch(running.url('corp'), { headers: { authorization: `Bearer ${await tokenFor('corp', '')}` } })).status,
    ).toBe(405);
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

  it('is asked for more where it permits too little, with every scope that is needed', async () => {
    const token = await tokenFor('corp', 'vault:read');
    expect(await listed('corp', token)).toEqual(['peek', 'whoami']);
    const answer = await callTool('corp', token, 'wipe');
    expect([errorOf(answer), answer.messages[0]?.id]).toEqual(['-32600 403', 1]);
    expect(challengeOf(answer)).toBe(
      `Bearer resource_metadata="${metadataOf('corp')}", scope="vault:write audit", error="insufficient_scope", ` +
        'error_description="More scopes are needed."',
    );
    expect(errorOf(await callTool('corp', token, 'nothing'))).toBe('-32602 200');
    const implied = await tokenFor('corp', 'vault:write');
    expect(resultOf(await callTool('corp', implied, 'wipe'))['content'][0].text).toBe('wiped');
  });

  it('opens resources, templates, prompts and completions by the same rules', async () => {
    const [less, more] = [await tokenFor('corp', ''), await tokenFor('corp', 'vault')];
    const calls: [string, Record<string, unknown>][] = [
      ['resources/read', { uri: 'vault://locked/box' }],
      ['resources/read', { uri: 'vault://locked/other' }],
      ['prompts/get', { name: 'plan' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'what', value: '' } }],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'vault://locked/{name}' }, argument: { name: 'name', value: '' } },
      ],
    ];
    for (const [method, params] of calls) {
      const refused = await ask('corp', less, method, params);
      expect([method, refused.status]).toEqual([method, 403]);
      expect(challengeOf(refused)).toContain('scope="vault:read"');
      expect([method, (await ask('corp', more, method, params)).status]).toEqual([method, 200]);
      expect([method, errorOf(await ask('open', undefined, method, params))]).toEqual([method, '-32602 200']);
    }
    const wide = await ask('corp', less, 'resources/read', { uri: 'vault://elsewhere' });
    expect(resultOf(wide)['contents'][0].text).toBe('wide elsewhere');
    expect(resultOf(await ask('corp', less, 'resources/list'))['resources']).toHaveLength(1);
    expect(resultOf(await ask('corp', less, 'resources/templates/list'))['resourceTemplates']).toHaveLength(1);
  });

  it('sees everything where the tenant shows all, and may do no more for it', async () => {
    const token = await tokenFor('shown', '');
    expect(await listed('shown', token)).toEqual(['change', 'peek', 'whoami', 'wipe']);
    expect(errorOf(await callTool('shown', token, 'peek'))).toBe('-32600 403');
    expect(await listed('open')).toEqual(['whoami']);
  });

  it('permits what the tenant says now', async () => {
    const token = await tokenFor('shown', 'vault:write');
    expect(errorOf(await callTool('shown', token, 'wipe'))).toBe('-32600 403');
    await setPolicy('shown', {
      showAll: true,
      scopes: [
        { name: 'vault', implies: ['audit'] },
        { name: 'vault:write', implies: ['vault'] },
      ],
    });
    await until(async () => (await callTool('shown', token, 'wipe')).status === 200);
  });
});

/** Changes the policy of a tenant as the admin API will: store, then bus. */
async function setPolicy(slug: string, changes: AccessPolicyInput): Promise<void> {
  const store = running.server.app.get(TenantStore);
  const { id, accessPolicy } = (await store.findBySlug(slug))!;
  const { revision } = (await store.setAccess(id, {
    accessPolicy: { ...accessPolicy, ...changes },
  }))!;
  await running.server.app.get(ChangeBus).publish({ type: 'catalogue', tenantId: id, slug, revision });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('Waited in vain.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a static token', () => {
  it('calls with its scopes until it is revoked', async () => {
    const { token, revoke, record } = await machineToken(['vault:read']);
    expect(await listed('robots', token)).toEqual(['peek', 'whoami']);
    const said = JSON.parse(resultOf(await callTool('robots', token, 'whoami'))['content'][0].text);
    expect(said).toEqual({ subject: `token:${record.id}`, client: null, scopes: ['vault:read'] });
    const refused = await callTool('robots', token, 'wipe');
    expect([refused.status, challengeOf(refused)]).toEqual([403, expect.not.stringContaining('resource_metadata')]);
    await revoke();
    const answer = await ask('robots', token, 'tools/list');
    expect([answer.status, challengeOf(answer)]).toEqual([
      401,
      'Bearer error="invalid_token", error_description="The access token is not valid here."',
    ]);
  });

  it('is good at no tenant that wants OAuth, nor the other way round', async () => {
    const foreign = await issuer.token({ aud: resourceOf('robots') });
    expect((await ask('robots', foreign, 'tools/list')).status).toBe(401);
  });

  it('expires', async () => {
    const { token } = await machineToken([], new Date(Date.now() + 300));
    expect((await ask('robots', token, 'tools/list')).status).toBe(200);
    await until(async () => (await ask('robots', token, 'tools/list')).status === 401);
    expect(challengeOf(await ask('robots', token, 'tools/list'))).toContain('has expired');
  });
});

describe('a listener with a token', () => {
  const listen = (slug: string, token: string, notifications: object): Promise<EventStream> =>
    EventStream.open(running.url(slug), {
      method: 'subscriptions/listen',
      params: { notifications },
      id: 'sub',
      headers: { authorization: `Bearer ${token}` },
    });

  it('hears of no resource that it may not read', async () => {
    const [less, more] = [await tokenFor('corp', 'vault:write'), await tokenFor('corp', 'vault')];
    const resourceSubscriptions = ['vault://locked/box', 'vault://plain'];
    using deaf = await listen('corp', less, { resourceSubscriptions });
    using hearing = await listen('corp', more, { resourceSubscriptions });
    await Promise.all([deaf.until(1), hearing.until(1)]);
    expect(deaf.messages[0]?.params?.['notifications']).toEqual({ resourceSubscriptions: ['vault://plain'] });
    await callTool('corp', more, 'change');
    await Promise.all([deaf.until(2), hearing.until(3)]);
    const uris = (stream: EventStream) => stream.messages.slice(1).map(({ params }) => params?.['uri']);
    expect([uris(deaf), uris(hearing)]).toEqual([['vault://plain'], ['vault://locked/box', 'vault://plain']]);
  });

  it('hears of lists that look different to it after a change of the rules', async () => {
    const token = await tokenFor('corp', 'audit');
    using stream = await listen('corp', token, { toolsListChanged: true });
    await stream.until(1);
    await setPolicy('corp', {
      scopes: [
        { name: 'vault:write', implies: ['audit'] },
        { name: 'audit', implies: ['vault:read'] },
      ],
    });
    await stream.until(2);
    expect(stream.messages[1]?.method).toBe('notifications/tools/list_changed');
    expect(await listed('corp', token)).toEqual(['peek', 'whoami']);
  });

  it('is sent away, in order, when its token is revoked, here or by another node', async () => {
    for (const here of [true, false]) {
      const { token, revoke, record, tenantId } = await machineToken([]);
      using stream = await listen('robots', token, {});
      using other = await listen('robots', (await machineToken([])).token, {});
      await Promise.all([stream.until(1), other.until(1)]);
      if (here) await revoke();
      else {
        const subject = `static:${record.id}`;
        await running.server.app.get(RevocationStore).revoke({ tenantId, subject }, new Date(Date.now() + 60_000));
        await running.server.app.get(ChangeBus).publish({ type: 'revocation', tenantId, subject });
      }
      await stream.wait(() => stream.ended);
      expect(stream.messages.at(-1)).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
      expect(other.ended).toBe(false);
    }
  });

  it('is sent away, in order, when its token expires', async () => {
    const { token } = await machineToken([], new Date(Date.now() + 1_000));
    using stream = await listen('robots', token, {});
    await stream.wait(() => stream.ended);
    expect(stream.messages.at(-1)).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
  });
});
