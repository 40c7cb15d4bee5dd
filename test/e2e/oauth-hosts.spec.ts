import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asPage, asRedirect, claimsOf, OAuthClient, type Parameters } from '../support/oauth-client.js';
import { type Page, Person, textOf } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, registeredClient, runSecureDemo, secureTenant } from '../support/secure-demo.js';

let demo: RunningServer;
let issuer: string;
let resource: string;
let person: Person;
let client: OAuthClient;

beforeAll(async () => {
  demo = await runSecureDemo({
    tenants: [secureTenant(), secureTenant('second')],
    environment: { OAUTH_RATE_FACTOR: '100' },
  });
  issuer = demo.server.url;
  resource = demo.url('demo-secure');
  person = await personOf(demo, ['demo-secure', 'second']);
  client = await OAuthClient.register(issuer);
});

afterAll(async () => demo[Symbol.asyncDispose]());

const tokensFor = (parameters: Parameters) => client.tokens(person, { resource, ...parameters });
const scopesFor = async (scope: string | undefined): Promise<string> => (await tokensFor({ scope }))['scope'];

/** Where a browser is sent by a request that is refused before anybody is asked, or the page it is shown. */
const open = (parameters: Parameters, from = client): Promise<Page | URL> =>
  person.open(from.authorizationUrl({ resource, ...parameters }));
const errorOf = async (parameters: Parameters): Promise<string | null> =>
  asRedirect(await open(parameters)).searchParams.get('error');

describe('scopes of an authorization request', () => {
  it.each([
    ['none', undefined],
    ['an empty list', ''],
    ['unknown ones only', 'files:read admin'],
  ])('where a host asks for %s, it gets those for hosts that ask for nothing', async (_what, scope) => {
    expect(await scopesFor(scope)).toBe('mcp notes:read');
  });

  it('where a host asks for OpenID only, it gets those too, and an ID token', async () => {
    const tokens = await tokensFor({ scope: 'openid offline_access' });
    expect(tokens['scope']).toBe('mcp notes:read');
    expect(claimsOf(tokens['id_token'])).toMatchObject({ iss: issuer, aud: client.id });
  });

  it('where a host asks for some of the tenant, it gets these, the one to connect, and none that is unknown', async () => {
    expect(await scopesFor('notes:write unknown')).toBe('mcp notes:write');
  });
});

describe('the resource of a request', () => {
  const spellings = (): string[] => [
    `${resource}/`,
    resource.replace('http://127.0.0.1', 'HTTP://127.0.0.1'),
    resource.replace('/t/', '/./t/'),
  ];

  it('may be spelt otherwise at either endpoint, and tokens have it as the tenant spells it', async () => {
    for (const spelling of spellings()) {
      for (const [asked, redeemed] of [
        [spelling, resource],
        [resource, spelling],
        [spelling, undefined],
      ]) {
        const code = await client.code(person, { resource: asked });
        const { status, body } = await client.redeem(code, { resource: redeemed });
        expect([asked, redeemed, status]).toEqual([asked, redeemed, 200]);
        expect(claimsOf(body['access_token'])['aud']).toBe(resource);
        const { body: refreshed } = await client.refresh(body['refresh_token'], { resource: redeemed });
        expect(claimsOf(refreshed['access_token'])['aud']).toBe(resource);
      }
    }
  });

  it('may be given twice if it is the same', async () => {
    const code = await client.code(person, { resource: [resource, `${resource}/`, ''] });
    expect((await client.redeem(code)).status).toBe(200);
  });

  it.each<[string, () => Parameters['resource']]>([
    ['none', () => undefined],
    ['the token endpoint alone', () => ''],
    ['two of them', () => [resource, demo.url('second')]],
    ['another path of the platform', () => `${issuer}/t/demo-secure`],
    ['nobody’s', () => demo.url('nobody')],
    ['one with a query', () => `${resource}?a=b`],
    ['one with a fragment', () => `${resource}#a`],
    ['one elsewhere', () => 'https://elsewhere.example/t/demo-secure/mcp'],
    ['no URL', () => 'demo-secure'],
  ])('is refused as invalid_target where it is %s', async (_what, value) => {
    expect(await errorOf({ resource: value() })).toBe('invalid_target');
  });

  it('is refused at the token endpoint where it is another than was asked for', async () => {
    for (const other of [demo.url('second'), demo.url('nobody'), [resource, demo.url('second')]]) {
      const code = await client.code(person, { resource });
      expect(await client.redeem(code, { resource: other })).toMatchObject({
        status: 400,
        body: { error: 'invalid_target' },
      });
    }
  });

  it('is that of its tenant where a registered client names none, and can be no other', async () => {
    const redirectUri = 'https://agent.example/callback';
    const { id, secret } = await registeredClient(demo, 'second', {
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const registered = new OAuthClient(issuer, id, redirectUri, { client_id: id, client_secret: secret });
    const tokens = await registered.tokens(person, {});
    expect(claimsOf(tokens['access_token'])['aud']).toBe(demo.url('second'));
    const elsewhere = await open({ resource }, registered);
    expect(asRedirect(elsewhere).searchParams.get('error')).toBe('invalid_target');
  });
});

describe('the redirect URI', () => {
  const uris = [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'http://localhost:1/callback',
    'http://[::1]:1/callback',
  ];

  it.each(uris)('may be %s', async (uri) => {
    const native = await OAuthClient.register(issuer, { redirect_uris: [uri] });
    const back = await person.authorize(native.authorizationUrl({ resource }));
    expect(back.href).toMatch(new RegExp(`^${uri.replace(/[[\]]/g, '\\$&')}\\?code=`));
    expect((await native.redeem(back.searchParams.get('code')!)).status).toBe(200);
  });

  it('has any port where it is on this computer', async () => {
    const native = await OAuthClient.register(issuer, { redirect_uris: ['http://127.0.0.1/callback?a=b'] });
    const asked = 'http://127.0.0.1:50123/callback?a=b';
    const back = await person.authorize(native.authorizationUrl({ resource, redirect_uri: asked }));
    expect(back.origin).toBe('http://127.0.0.1:50123');
    const code = back.searchParams.get('code')!;
    expect((await native.redeem(code, { redirect_uri: asked })).status).toBe(200);
  });

  it.each([
    'http://127.0.0.1:33418/callback/',
    'http://127.0.0.1:33418/Callback',
    'http://127.0.0.1:33418/callback?a=b',
    'http://127.0.0.1:33418/callback#a',
    'http://127.0.0.1:33418/callback/../callback',
    'http://127.0.0.1:33418/%63allback',
    'http://localhost:33418/callback',
    'https://127.0.0.1:33418/callback',
    'http://user@127.0.0.1:33418/callback',
    'http://127.0.0.1.evil.example:33418/callback',
    'http://evil.example/callback',
    'https://evil.example/callback',
  ])('is otherwise as it was registered: %s is refused on a page, and nobody is sent there', async (uri) => {
    const page = asPage(await open({ redirect_uri: uri }));
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(textOf(page.text)).toContain('invalid_redirect_uri');
  });

  it('of a web client has its port too', async () => {
    const web = await OAuthClient.register(issuer, { redirect_uris: ['https://app.example/callback'] });
    const page = asPage(await open({ redirect_uri: 'https://app.example:8443/callback' }, web));
    expect(page.status).toBe(400);
  });
});

describe('what hosts add to a request', () => {
  it('may be a nonce without openid, or prompts that nobody knows', async () => {
    expect((await tokensFor({ nonce: 'n', prompt: 'create login_hint' }))['scope']).toBe('mcp notes:read');
  });

  it('may be a nonce with openid, which the ID token has then', async () => {
    const tokens = await tokensFor({ scope: 'openid', nonce: 'the-nonce' });
    expect(claimsOf(tokens['id_token'])['nonce']).toBe('the-nonce');
  });

  it('may be select_account, and the person signs in again, as somebody else if they like', async () => {
    const other = await personOf(demo, ['demo-secure']);
    const somebody = new Person(other.email, other.password);
    await client.tokens(somebody, { resource });
    const shown = asPage(await somebody.open(client.authorizationUrl({ resource, prompt: 'select_account' })));
    expect(shown.text).toContain('name="password"');
    const back = asRedirect(await somebody.decide(asPage(await somebody.signIn(shown)), 'allow'));
    expect(back.searchParams.has('code')).toBe(true);
  });

  it('may be prompt=none, which is answered without asking', async () => {
    const stranger = new Person('nobody@example.com', 'x');
    const back = asRedirect(await stranger.open(client.authorizationUrl({ resource, prompt: 'none' })));
    expect(back.searchParams.get('error')).toBe('login_required');
  });

  it('may be a POST', async () => {
    const { search, origin } = client.authorizationUrl({ resource: `${resource}/` });
    const shown = await person.open(`${origin}/authorize`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: search.slice(1),
    });
    expect(textOf(asPage(shown).text)).toContain('Allow access');
  });
});

describe('PKCE', () => {
  it.each<[string, Parameters]>([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a plain one', { code_challenge_method: 'plain' }],
    ['one whose method is not said', { code_challenge_method: undefined }],
  ])('is wanted always: %s is refused', async (_what, parameters) => {
    expect(await errorOf(parameters)).toBe('invalid_request');
  });

  it('is wanted of confidential clients', async () => {
    const confidential = await OAuthClient.register(issuer, { token_endpoint_auth_method: 'client_secret_post' });
    const shown = await open({ code_challenge: undefined, code_challenge_method: undefined }, confidential);
    expect(asRedirect(shown).searchParams.get('error')).toBe('invalid_request');
  });

  it.each<[string, Parameters]>([
    ['without the verifier', { code_verifier: undefined }],
    ['with another one', { code_verifier: 'a'.repeat(43) }],
  ])('keeps a code from who redeems it %s', async (_what, parameters) => {
    const code = await client.code(person, { resource });
    expect(await client.redeem(code, parameters)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('the answer to a host', () => {
  it('names the issuer, gives the state back, and refreshes without offline_access', async () => {
    const answer = await client.authorize(person, { resource });
    expect([answer.get('iss'), answer.get('state')]).toEqual([issuer, 'the-state']);
    expect((await client.redeem(answer.get('code')!)).body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 600,
      refresh_token: expect.any(String),
    });
  });

  it('says that the person did not want it', async () => {
    const back = await person.authorize(client.authorizationUrl({ resource }), 'deny');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      iss: issuer,
      state: 'the-state',
    });
  });

  it('comes as a form where it is wanted so, which needs no script to be sent', async () => {
    const shown = asPage(await open({ response_mode: 'form_post' }));
    const answer = asPage(await person.decide(shown, 'allow'));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe-inline');
    expect(answer.text).toContain(`action="${client.redirectUri}"`);
    expect(answer.text).toContain('<button');
    const code = /name="code" value="([^"]+)"/.exec(answer.text)?.[1];
    expect((await client.redeem(code!)).status).toBe(200);
  });

  it('is a redirect that a POST becomes a GET by', async () => {
    const { search, origin } = client.authorizationUrl({ resource, prompt: 'none' });
    for (const init of [{ method: 'GET' }, { method: 'POST', body: new URLSearchParams(search) }]) {
      const target = init.method === 'GET' ? `${origin}/authorize${search}` : `${origin}/authorize`;
      const response = await fetch(target, { ...init, redirect: 'manual' });
      expect([302, 303]).toContain(response.status);
    }
  });
});

describe('forged names of the platform', () => {
  const forged: Record<string, string>[] = [
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-port': '444' },
    { 'x-forwarded-prefix': '/evil' },
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-original-url': '/evil', 'x-rewrite-url': '/evil' },
  ];

  it.each(forged)('change nothing in the metadata: %j', async (headers) => {
    const document = async (more: Record<string, string>) =>
      (await fetch(`${issuer}/.well-known/oauth-authorization-server`, { headers: more })).json();
    expect(await document(headers)).toEqual(await document({}));
  });

  it.each(forged)('change nothing about where a browser goes: %j', async (headers) => {
    const response = await fetch(client.authorizationUrl({ resource }), { redirect: 'manual', headers });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/interaction\//),
    ]);
    expect(response.headers.getSetCookie().join()).not.toContain('evil');
  });
});

describe('what is wrong with a request', () => {
  it('is a page for a browser, which says no more than it should', async () => {
    const stranger = new OAuthClient(issuer, 'nobody');
    const page = asPage(await open({}, stranger));
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(textOf(page.text)).toContain('This application is not known here');
  });

  it('is JSON for a program', async () => {
    const response = await fetch(new OAuthClient(issuer, 'nobody').authorizationUrl({ resource }), {
      headers: { accept: 'application/json' },
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_client' }),
    ]);
  });

  it.each<[string, Parameters, string]>([
    ['another response type', { response_type: 'none' }, 'unsupported_response_type'],
    ['a request object', { request: 'a.b.c' }, 'request_not_supported'],
    ['a request object elsewhere', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
  ])('is told to the client where the redirect URI is good: %s', async (_what, parameters, error) => {
    expect(await errorOf(parameters)).toBe(error);
  });

  it('is told where there are too many parameters', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, 'x']));
    const page = asPage(await open(many));
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });
});
