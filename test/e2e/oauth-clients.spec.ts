import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientStore } from '#authorization/stores/client.store.js';
import { asPage, basic, claimsOf, OAuthClient, postForm, register } from '../support/oauth-client.js';
import { type Person, textOf } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, registeredClient, runSecureDemo, secureTenant } from '../support/secure-demo.js';
import { nowS, TokenIssuer } from '../support/token-issuer.js';
import { resultOf, send } from '../support/wire.js';

const AGENT = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [], scope: 'notes:read' };

let demo: RunningServer;
let issuer: string;
let resource: string;
let person: Person;

beforeAll(async () => {
  demo = await runSecureDemo({
    tenants: [secureTenant(), secureTenant('second')],
    environment: { OAUTH_RATE_FACTOR: '100' },
  });
  issuer = demo.server.url;
  resource = demo.url('demo-secure');
  person = await personOf(demo, ['demo-secure', 'second']);
});

afterAll(async () => demo[Symbol.asyncDispose]());

describe('a registration', () => {
  it('is answered without members that are null or not set', async () => {
    const { status, body } = await register(issuer, { client_uri: undefined });
    expect([status, body['client_id'].length]).toEqual([201, expect.any(Number)]);
    expect(Object.values(body)).not.toContain(null);
    expect(body).not.toHaveProperty('client_secret');
    expect(body).not.toHaveProperty('scope');
    expect(body).toMatchObject({
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    });
  });

  it('may name scopes, which pin the client to nothing', async () => {
    const client = await OAuthClient.register(issuer, { scope: 'notes:read unknown' });
    const tokens = await client.tokens(person, { resource, scope: 'notes:write' });
    expect(tokens['scope']).toBe('mcp notes:write');
  });

  it.each(['ES256', 'RS256'])('may ask for ID tokens that are signed with %s', async (algorithm) => {
    const client = await OAuthClient.register(issuer, { id_token_signed_response_alg: algorithm });
    const { id_token: token } = await client.tokens(person, { resource, scope: 'openid' });
    const header = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString());
    const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string; alg: string }[] };
    expect(keys.find(({ kid }) => kid === header.kid)?.alg).toBe(algorithm);
    expect(header.alg).toBe(algorithm);
  });

  it('without any metadata but redirect URIs is that of a confidential client, whose secret is shown once', async () => {
    const { status, body } = await register(issuer, { token_endpoint_auth_method: undefined, client_name: undefined });
    expect([status, body['client_secret'], body['client_secret_expires_at']]).toEqual([201, expect.any(String), 0]);
    const client = new OAuthClient(issuer, body['client_id'], undefined, {});
    const code = await client.code(person, { resource });
    expect(await client.redeem(code, { client_id: client.id, client_secret: 'wrong' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    const own = basic(client.id, body['client_secret']);
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
    const answer = await client.post('/token', { ...form, code_verifier: 'a'.repeat(43) }, own);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,hello',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example/1',
    'about:blank',
    'http://app.example/callback',
    'http://127.0.0.1.app.example/callback',
    'https://app.example/callback#fragment',
    'callback',
  ])('with the redirect URI %s is refused', async (uri) => {
    const { status, body } = await register(issuer, { redirect_uris: ['https://app.example/callback', uri] });
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri']);
  });

  it.each<[string, object]>([
    ['no redirect URI', { redirect_uris: [] }],
    ['too many', { redirect_uris: Array.from({ length: 21 }, (_, index) => `https://app.example/${index}`) }],
    ['a long one', { redirect_uris: [`https://app.example/${'a'.repeat(2_048)}`] }],
    ['redirect URIs that are no list', { redirect_uris: 'https://app.example/' }],
    ['a redirect URI that is no text', { redirect_uris: [1] }],
    ['a long name', { client_name: 'a'.repeat(201) }],
    ['a name with NUL', { client_name: 'a\0b' }],
    ['a name with half a character', { client_name: 'a\ud800b' }],
    ['an algorithm that is a number', { id_token_signed_response_alg: 5 }],
    ['client_credentials alone', { grant_types: ['client_credentials'], response_types: [] }],
    ['an unknown way to authenticate', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['an algorithm that nobody has', { id_token_signed_response_alg: 'none' }],
  ])('with %s is refused', async (_what, metadata) => {
    const { status, body } = await register(issuer, metadata);
    expect([status, body['error']]).toEqual([400, expect.stringMatching(/^invalid_(?:client_metadata|redirect_uri)$/)]);
  });

  it.each(['', 'null', '[]', '"text"', '{', `${'['.repeat(20)}${']'.repeat(20)}`])('of %j is refused', async (body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${issuer}/register`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_client_metadata' }),
    ]);
  });

  it('cannot choose its id, its secret or what an admin gives', async () => {
    const { body } = await register(issuer, {
      client_id: 'mine',
      client_secret: 'mine',
      grant_types: ['authorization_code', 'client_credentials'],
    });
    expect(body['client_id']).not.toBe('mine');
    expect(body).not.toHaveProperty('client_secret');
    expect(body['grant_types']).toEqual(['authorization_code', 'refresh_token']);
  });

  it('that is too large is refused', async () => {
    const response = await fetch(`${issuer}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'a'.repeat(50_000) }),
    });
    expect([response.status, await response.json()]).toEqual([
      413,
      expect.objectContaining({ error: 'invalid_request' }),
    ]);
  });
});

describe('a client that registered itself', () => {
  it('is forgotten where nobody ever agreed to what it asked for, and kept where somebody did', async () => {
    const [used, unused] = [await OAuthClient.register(issuer), await OAuthClient.register(issuer)];
    await used.code(person, { resource });
    await person.authorize(unused.authorizationUrl({ resource }), 'deny');
    const clients = demo.server.app.get(ClientStore);
    await clients.sweepUnused(new Date(Date.now() + 60_000));
    expect([await clients.find(used.id), await clients.find(unused.id)]).toEqual([expect.anything(), undefined]);
    const page = asPage(await person.open(unused.authorizationUrl({ resource })));
    expect(textOf(page.text)).toContain('This application is not known here');
  });
});

describe('a client for itself', () => {
  const grant = { grant_type: 'client_credentials' };
  const ask = (form: object, headers = {}) => postForm(`${issuer}/token`, { ...grant, ...form }, headers);

  it('gets a token by Basic, for what its admin gave it, at its tenant alone', async () => {
    const { id, secret } = await registeredClient(demo, 'demo-secure', {
      ...AGENT,
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const { status, body } = await ask({}, basic(id, secret));
    expect([status, body['scope'], body['refresh_token']]).toEqual([200, 'notes:read', undefined]);
    expect(claimsOf(body['access_token'])).toMatchObject({
      sub: id,
      client_id: id,
      aud: resource,
      grant: `client:${id}`,
    });
    const headers = { authorization: `Bearer ${body['access_token']}` };
    const who = await send(resource, { method: 'tools/call', params: { name: 'who_am_i' }, headers });
    expect(resultOf(who)['structuredContent']).toEqual({ subject: id, client: id, scopes: ['notes:read'] });
    expect((await send(demo.url('second'), { method: 'tools/list', headers })).status).toBe(401);
    expect(await ask({ resource: demo.url('second') }, basic(id, secret))).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
  });

  it('gets one by a posted secret, and no scope that it was not given', async () => {
    const { id, secret } = await registeredClient(demo, 'demo-secure', {
      ...AGENT,
      scope: 'mcp notes:read notes:write',
      token_endpoint_auth_method: 'client_secret_post',
    });
    const scopes = async (scope: string) =>
      (await ask({ client_id: id, client_secret: secret, scope, resource })).body['scope'];
    expect(await scopes('notes:read admin')).toBe('mcp notes:read');
    expect(await scopes('openid offline_access')).not.toContain('offline_access');
    const less = await registeredClient(demo, 'demo-secure', {
      ...AGENT,
      token_endpoint_auth_method: 'client_secret_post',
    });
    const { body } = await ask({ client_id: less.id, client_secret: less.secret, scope: 'notes:write notes:read' });
    expect(body['scope']).toBe('notes:read');
    const { status } = await ask({ client_id: id, client_secret: 'wrong' });
    expect(status).toBe(401);
  });

  it('gets none where it registered itself', async () => {
    const { body } = await register(issuer, {
      grant_types: ['authorization_code', 'client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const answer = await ask({ client_id: body['client_id'], client_secret: body['client_secret'], resource });
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
  });

  it('gets none without a secret, whatever its registration says', async () => {
    const { id } = await registeredClient(demo, 'demo-secure', { ...AGENT, token_endpoint_auth_method: 'none' });
    const answer = await ask({ client_id: id });
    expect([answer.status, answer.body['error']]).toEqual([400, 'unauthorized_client']);
  });
});

describe('a client with a key of its own', () => {
  async function clientWithKey() {
    const key = await TokenIssuer.create('client-key', 'ES256');
    const client = await registeredClient(demo, 'demo-secure', {
      ...AGENT,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
    });
    return { key, id: client.id };
  }

  const claims = (id: string) => ({ iss: id, sub: id, aud: issuer, jti: randomUUID(), exp: nowS() + 60 });
  const ask = (assertion: string) =>
    postForm(`${issuer}/token`, {
      grant_type: 'client_credentials',
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    });

  it('authenticates by signing, for the issuer or the token endpoint, once', async () => {
    const { key, id } = await clientWithKey();
    for (const aud of [issuer, `${issuer}/token`]) {
      const assertion = await key.sign({ ...claims(id), aud });
      expect([aud, (await ask(assertion)).body]).toEqual([aud, expect.objectContaining({ scope: 'notes:read' })]);
      expect(await ask(assertion)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    }
  });

  it.each<[string, object]>([
    ['for somewhere else', { aud: 'https://elsewhere.example' }],
    ['expired', { exp: 1 }],
    ['of another client', { iss: 'another' }],
    ['without an id', { jti: undefined }],
  ])('is refused with an assertion that is %s', async (_what, wrong) => {
    const { key, id } = await clientWithKey();
    expect(await ask(await key.sign({ ...claims(id), ...wrong }))).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  it('is refused with another key', async () => {
    const { id } = await clientWithKey();
    const stranger = await TokenIssuer.create('client-key', 'ES256');
    expect((await ask(await stranger.sign(claims(id)))).status).toBe(401);
  });
});

describe('introspection', () => {
  async function confidential() {
    const redirectUri = 'https://app.example/callback';
    const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' };
    return OAuthClient.register(issuer, metadata);
  }

  const isActive = async (by: OAuthClient, token: string) => (await by.post('/introspect', { token })).body['active'];

  it('tells a confidential client of its own tokens, and of no others', async () => {
    const [one, other] = [await confidential(), await confidential()];
    const tokens = await one.tokens(person, { resource });
    const { body } = await one.post('/introspect', { token: tokens['access_token'] });
    expect(body).toMatchObject({
      active: true,
      token_type: 'Bearer',
      client_id: one.id,
      aud: resource,
      scope: 'mcp notes:read',
    });
    expect(await isActive(one, tokens['refresh_token'])).toBe(true);
    for (const token of [tokens['access_token'], tokens['refresh_token']])
      expect(await isActive(other, token)).toBe(false);
    for (const token of ['garbage', 'a.b.c', `${tokens['access_token']}x`])
      expect(await isActive(one, token)).toBe(false);
  });

  it('tells that a token was revoked', async () => {
    const client = await confidential();
    const { access_token: access, refresh_token: refresh } = await client.tokens(person, { resource });
    await client.post('/revoke', { token: access });
    expect([await isActive(client, access), await isActive(client, refresh)]).toEqual([false, false]);
  });

  it('tells a public client nothing', async () => {
    const client = await OAuthClient.register(issuer);
    const { access_token: access, refresh_token: refresh } = await client.tokens(person, { resource });
    expect([await isActive(client, access), await isActive(client, refresh)]).toEqual([false, false]);
  });

  it('is refused to whoever does not authenticate', async () => {
    const answer = await postForm(`${issuer}/introspect`, { token: 'x', client_id: (await confidential()).id });
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
  });
});
