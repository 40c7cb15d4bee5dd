import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUTHORIZATION_ROUTES, type AuthorizationRoute } from '#authorization/http/routes.js';
import { OAuthClient, postForm } from '../support/oauth-client.js';
import { textOf } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { runSecureDemo } from '../support/secure-demo.js';

const FOREIGN = 'https://inspector.example';
const ROUTES: readonly AuthorizationRoute[] = AUTHORIZATION_ROUTES;

let demo: RunningServer;
let issuer: string;

beforeAll(async () => {
  demo = await runSecureDemo();
  issuer = demo.server.url;
});

afterAll(async () => demo[Symbol.asyncDispose]());

const urlOf = ({ path }: AuthorizationRoute): string =>
  issuer + path.replace(':slug', 'demo-secure').replace(':uid', 'abc');
const routesFor = (...audiences: AuthorizationRoute['audience'][]): [string, AuthorizationRoute][] =>
  ROUTES.filter(({ audience }) => audiences.includes(audience)).map((route) => [route.path, route]);

describe('the metadata', () => {
  const FORMS = [
    '/.well-known/oauth-authorization-server/t/demo-secure/mcp',
    '/.well-known/openid-configuration/t/demo-secure/mcp',
    '/t/demo-secure/mcp/.well-known/openid-configuration',
  ];
  const read = async (path: string): Promise<Record<string, any>> => (await fetch(issuer + path)).json() as never;

  it('is one document in every place where hosts look for it', async () => {
    const [first, ...others] = await Promise.all(FORMS.map(read));
    for (const other of others) expect(other).toEqual(first);
    const root = await read('/.well-known/oauth-authorization-server');
    expect(await read('/.well-known/openid-configuration')).toEqual(root);
    expect({ ...root, scopes_supported: [] }).toEqual({ ...first, scopes_supported: [] });
  });

  it('names the issuer exactly, and endpoints of its origin alone', async () => {
    const document = await read('/.well-known/oauth-authorization-server');
    expect(document['issuer']).toBe(issuer);
    const endpoints = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name));
    expect(endpoints.length).toBeGreaterThanOrEqual(6);
    for (const [, url] of endpoints) expect(new URL(url as string).origin).toBe(issuer);
    expect(document).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token', 'client_credentials']),
      response_types_supported: ['code'],
    });
  });

  it('lists the same scopes of the tenant as the document about its resource, and nothing administrative', async () => {
    const { scopes_supported: scopes } = await read(FORMS[0]!);
    const { scopes_supported: ofResource } = await read('/.well-known/oauth-protected-resource/t/demo-secure/mcp');
    expect(ofResource).toEqual(['mcp', 'notes:read', 'notes:write']);
    expect(scopes).toEqual(['openid', 'offline_access', 'email', 'profile', ...ofResource]);
    const { scopes_supported: ofAll } = await read('/.well-known/oauth-authorization-server');
    expect(ofAll).toEqual(scopes);
  });

  it('has endpoints where hosts look that do not read it', async () => {
    const document = await read('/.well-known/oauth-authorization-server');
    expect([document['authorization_endpoint'], document['token_endpoint'], document['registration_endpoint']]).toEqual(
      ['/authorize', '/token', '/register'].map((path) => issuer + path),
    );
  });

  it('is answered to HEAD, and has public keys alone behind it', async () => {
    const head = await fetch(`${issuer}/.well-known/oauth-authorization-server`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '',
    ]);
    const { keys } = (await read('/jwks')) as { keys: Record<string, unknown>[] };
    expect(keys.map(({ alg }) => alg).sort()).toEqual(['ES256', 'RS256']);
    for (const key of keys)
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(member);
  });
});

describe('pages of other origins', () => {
  it.each(routesFor('programs', 'public'))('may read %s', async (_path, route) => {
    const [method = 'GET'] = route.methods;
    const response = await fetch(urlOf(route), { method, headers: { origin: FOREIGN } });
    expect(['*', FOREIGN]).toContain(response.headers.get('access-control-allow-origin'));
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it.each(routesFor('programs', 'public'))('may ask %s beforehand', async (_path, route) => {
    const [method = 'GET'] = route.methods;
    const headers = {
      origin: FOREIGN,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type, mcp-protocol-version',
    };
    const response = await fetch(urlOf(route), { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(['*', FOREIGN]).toContain(response.headers.get('access-control-allow-origin'));
    expect(response.headers.get('access-control-allow-methods')).toContain(method);
    const allowed = response.headers.get('access-control-allow-headers')!.toLowerCase();
    for (const name of ['authorization', 'content-type', 'mcp-protocol-version']) expect(allowed).toContain(name);
  });

  it('may read when to come back, and why they may not', async () => {
    const response = await fetch(`${issuer}/token`, { method: 'POST', headers: { origin: FOREIGN } });
    expect(response.headers.get('access-control-expose-headers')).toMatch(/WWW-Authenticate.*Retry-After/i);
  });

  it.each(routesFor('people'))('may not read %s', async (_path, route) => {
    for (const method of ['OPTIONS', ...route.methods]) {
      const response = await fetch(urlOf(route), { method, headers: { origin: FOREIGN }, redirect: 'manual' });
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
    }
  });
});

describe('a request that is not what the place is for', () => {
  it.each(ROUTES.map((route): [string, AuthorizationRoute] => [route.path, route]))(
    'is refused at %s with the methods that are',
    async (_path, route) => {
      const response = await fetch(urlOf(route), { method: 'DELETE' });
      expect([response.status, response.headers.get('content-type')]).toEqual([405, 'application/json']);
      for (const method of route.methods) expect(response.headers.get('allow')).toContain(method);
    },
  );

  it.each(['/token', '/revoke', '/introspect', '/device/authorize'])(
    'is refused at %s where it is JSON',
    async (path) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(issuer + path, { method: 'POST', headers, body: '{"client_id":"x"}' });
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_request' }),
      ]);
    },
  );

  it('is told so on a page where a person looks, and in JSON elsewhere, whatever a program accepts', async () => {
    const accept = { accept: 'text/html,application/xhtml+xml' };
    const seen = await fetch(`${issuer}/interaction/abc`, { headers: accept });
    expect([seen.status, seen.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(textOf(await seen.text())).toContain('no longer good');
    const refused = await fetch(`${issuer}/authorize`, { method: 'PUT', headers: accept });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([405, 'text/html; charset=utf-8']);
    const token = await fetch(`${issuer}/token`, { method: 'POST', headers: accept, body: new URLSearchParams() });
    expect([token.status, await token.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })]);
    const wrong = await fetch(`${issuer}/token`, { headers: accept });
    expect([wrong.status, await wrong.json()]).toEqual([405, expect.objectContaining({ error: 'invalid_request' })]);
  });
});

describe('too many requests', () => {
  let busy: RunningServer;
  beforeAll(async () => {
    busy = await runSecureDemo({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(async () => busy[Symbol.asyncDispose]());

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const ask = (id: string, address = '192.0.2.1') =>
    new OAuthClient(busy.server.url, id).post('/token', { grant_type: 'refresh_token' }, from(address));
  const registerFrom = (address: string) =>
    postForm(`${busy.server.url}/register`, {}, { 'content-type': 'application/json', ...from(address) });

  it('of one address are put off in the shape of OAuth, and not those of another address or place', async () => {
    const first = await Promise.all(Array.from({ length: 60 }, () => registerFrom('192.0.2.1')));
    expect(first.map(({ status }) => status)).toEqual(Array(60).fill(400));
    const { status, body, headers } = await registerFrom('192.0.2.1');
    expect([status, body]).toEqual([429, { error: 'temporarily_unavailable', error_description: expect.any(String) }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect((await registerFrom('192.0.2.2')).status).toBe(400);
    expect((await ask('somebody')).status).toBe(401);
  });

  it('of one client are put off, and not those of another, nor of who only uses its name elsewhere', async () => {
    const first = await Promise.all(Array.from({ length: 600 }, () => ask('eager')));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await ask('eager')).status).toBe(429);
    expect((await ask('other')).status).toBe(401);
    expect((await ask('eager', '192.0.2.2')).status).toBe(401);
  });
});
