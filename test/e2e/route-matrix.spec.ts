import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { STYLE_SHEET_PATH } from '#authorization/pages/style-sheet.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { NotesModule } from '#server/demo/notes.module.js';
import { firstTenants } from '#server/seed.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import {
  type Credential,
  CREDENTIALS,
  credentialsFor,
  type RealTokens,
  type Tokens,
} from '../support/credential-kinds.js';
import { OAuthClient } from '../support/oauth-client.js';
import { Person } from '../support/person.js';
import { handlersBeforeFastify, MCP_ROUTES, publicRoutes, type Route } from '../support/route-table.js';
import { runServer, type RunningServer } from '../support/running-server.js';
import { bodyOf, headersOf, openSocket, rawRequest } from '../support/wire.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What a route answers to one method, whatever token comes along. */
interface Row {
  readonly status: number;
  readonly error?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
}

const FOUND: Row = { status: 200 };
const NOBODY = { client_id: 'nobody' };
const UNKNOWN_CLIENT: Row = { status: 401, error: 'invalid_client', form: NOBODY };
const GONE: Row = { status: 400 };
const STRAY_FORM: Row = { status: 403, form: {} };

/** What every route without a lock answers to the methods that it takes. A new route needs a row here. */
const PUBLIC: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  '/.well-known/oauth-protected-resource/t/:slug/mcp': { GET: FOUND },
  '/.well-known/oauth-protected-resource/mcp': { GET: { status: 404, error: 'not_found' } },
  '/.well-known/oauth-protected-resource': { GET: { status: 404, error: 'not_found' } },
  '/.well-known/oauth-authorization-server': { GET: FOUND },
  '/.well-known/openid-configuration': { GET: FOUND },
  '/.well-known/oauth-authorization-server/t/:slug/mcp': { GET: FOUND },
  '/.well-known/openid-configuration/t/:slug/mcp': { GET: FOUND },
  '/t/:slug/mcp/.well-known/openid-configuration': { GET: FOUND },
  '/.well-known/oauth-authorization-server/mcp': { GET: FOUND },
  '/.well-known/openid-configuration/mcp': { GET: FOUND },
  '/mcp/.well-known/openid-configuration': { GET: FOUND },
  '/jwks': { GET: FOUND },
  '/token': { POST: { ...UNKNOWN_CLIENT, form: { ...NOBODY, grant_type: 'authorization_code', code: 'none' } } },
  '/register': { POST: { status: 201, json: { redirect_uris: ['https://host.example/callback'] } } },
  '/revoke': { POST: { ...UNKNOWN_CLIENT, form: { ...NOBODY, token: 'none' } } },
  '/introspect': { POST: { ...UNKNOWN_CLIENT, form: { ...NOBODY, token: 'none' } } },
  '/device/authorize': { POST: UNKNOWN_CLIENT },
  '/authorize': { GET: { status: 400, error: 'invalid_request' }, POST: { status: 303, form: NOBODY } },
  '/authorize/:uid': { GET: { status: 400, error: 'invalid_request' } },
  '/device': { GET: FOUND, POST: { status: 400, form: { user_code: 'none' } } },
  '/device/:uid': { GET: GONE },
  '/interaction/:uid': { GET: GONE },
  '/interaction/:uid/sign-in': { POST: STRAY_FORM },
  '/interaction/:uid/consent': { POST: STRAY_FORM },
  '/interaction/:uid/switch': { POST: STRAY_FORM },
  '/interaction/:uid/cancel': { POST: STRAY_FORM },
  '/interaction/:uid/upstream': { GET: GONE },
  '/interaction/:uid/upstream/finish': { GET: GONE },
  '/sign-in/callback': { GET: GONE },
  [STYLE_SHEET_PATH]: { GET: FOUND },
  '/': { GET: FOUND },
  '/healthz': { GET: FOUND },
  '/readyz': { GET: FOUND },
  '/admin': { GET: { status: 302 } },
  '/admin/': { GET: { status: 302 } },
};
/** Where Fastify answers, methods that a route does not take are not found; elsewhere they are not allowed. */
const OF_FASTIFY = new Set(['/', '/healthz', '/readyz', '/admin', '/admin/']);

const secure = firstTenants(true).find(({ slug }) => slug === 'demo-secure')!;
const TENANTS = [secure, { ...secure, slug: 'other' }];
const environment = { OAUTH_RATE_FACTOR: '1000' };
const PUBLIC_URL = 'http://mcp.example.com';

/** A tenant in one of the forms of its URL, and a token of each kind for it. */
interface Place {
  readonly running: RunningServer;
  readonly host: string;
  readonly origin: string;
  readonly resource: string;
  readonly metadata: string;
  readonly tokens: Tokens;
}

/** By the path of the MCP route. */
const places: Record<string, Place> = {};
const opened: RunningServer[] = [];

beforeAll(async () => {
  const inPath = await runServer({ modules: [NotesModule], tenants: TENANTS, environment });
  const inHost = await runServer({
    modules: [NotesModule],
    tenants: TENANTS,
    environment: { ...environment, TENANT_ROUTING: 'both', PUBLIC_URL },
  });
  opened.push(inPath, inHost);
  places['/t/:slug/mcp'] = await placeInPath(inPath);
  places['/mcp'] = await placeInHost(inHost);
});

afterAll(async () => {
  for (const running of opened) await running[Symbol.asyncDispose]();
});

async function placeInPath(running: RunningServer): Promise<Place> {
  const origin = running.server.url;
  const resource = running.url('demo-secure');
  const otherResource = running.url('other');
  const metadata = `${origin}/.well-known/oauth-protected-resource/t/demo-secure/mcp`;
  const real = await realTokens(running, resource, otherResource);
  const tokens = await credentialsFor({ running, slug: 'demo-secure', origin, resource, otherResource }, real);
  return { running, host: new URL(origin).host, origin, resource, metadata, tokens };
}

async function placeInHost(running: RunningServer): Promise<Place> {
  const host = 'demo-secure.mcp.example.com';
  const origin = `http://${host}`;
  const resource = `${origin}/mcp`;
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const otherResource = 'http://other.mcp.example.com/mcp';
  const tokens = await credentialsFor({ running, slug: 'demo-secure', origin, resource, otherResource });
  return { running, host, origin, resource, metadata, tokens };
}

/** What a person gets by signing in: each token from a client of its own. */
async function realTokens(running: RunningServer, resource: string, otherResource: string): Promise<RealTokens> {
  const { app, url: issuer } = running.server;
  const accounts = app.get(AccountStore);
  const passwordHash = await app.get(Passwords).hash('correct horse battery');
  const { id } = await accounts.create({ login: 'ada@example.com', name: 'Ada', passwordHash });
  for (const { slug } of TENANTS) {
    const tenant = await app.get(TenantStore).findBySlug(slug);
    await accounts.setMembership(tenant!.id, id, 'owner');
  }
  const person = new Person('ada@example.com', 'correct horse battery');
  const connect = async (parameters: Record<string, string>) => {
    const client = await OAuthClient.register(issuer);
    const { access_token: token } = await client.tokens(person, parameters);
    return { client, token: token as string };
  };
  const lost = await connect({ resource });
  expect((await ask(running, { path: '/t/demo-secure/mcp', ...listNotes(), token: lost.token })).status).toBe(200);
  expect((await lost.client.post('/revoke', { token: lost.token })).status).toBe(200);
  return {
    'a good token': (await connect({ resource })).token,
    'a token with too few scopes': (await connect({ resource, scope: 'mcp' })).token,
    "another tenant's token": (await connect({ resource: otherResource })).token,
    'a revoked token': lost.token,
  };
}

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  readonly host?: string;
  readonly token?: string | undefined;
}

interface Told {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly allow: string | undefined;
  readonly type: string | undefined;
  readonly text: string;
}

/** Sends a request as it is, whatever its `Host`; nothing is followed. */
async function ask({ server }: RunningServer, { path, method, headers, body, host, token }: Asked): Promise<Told> {
  return new Promise((resolve, reject) => {
    const all = {
      ...headers,
      ...(host !== undefined && { host }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const request = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const { 'www-authenticate': challenge, allow, 'content-type': type } = response.headers;
        resolve({ status: response.statusCode ?? 0, challenge, allow, type, text });
      });
    });
    request.on('error', reject).end(body);
  });
}

function listNotes(): Pick<Asked, 'method' | 'headers' | 'body'> {
  const call = { method: 'tools/call', params: { name: 'list_notes' } };
  return { method: 'POST', headers: headersOf(call), body: JSON.stringify(bodyOf(call)) };
}

const pathOf = (path: string): string => path.replace(':slug', 'demo-secure').replace(':uid', 'nobody');

describe.each(MCP_ROUTES)('the MCP endpoint $path', ({ path }) => {
  /** The status and the challenge that a cell is to have. */
  function expected(method: string, credential: Credential): { status: number; challenge?: string } {
    const document = `resource_metadata="${places[path]!.metadata}"`;
    const described = (error: string, description: string): string =>
      `error="${error}", error_description="${description}"`;
    if (method === 'OPTIONS') return { status: 204 };
    switch (credential) {
      case 'no token':
        return { status: 401, challenge: `Bearer ${document}, scope="mcp notes:read"` };
      case 'an expired token':
        return {
          status: 401,
          challenge: `Bearer ${document}, ${described('invalid_token', 'The access token has expired.')}`,
        };
      case 'a token with too few scopes':
        return method === 'POST'
          ? {
              status: 403,
              challenge: `Bearer ${document}, scope="notes:read", ${described('insufficient_scope', 'More scopes are needed.')}`,
            }
          : { status: 405 };
      case 'a good token':
        return { status: method === 'POST' ? 200 : 405 };
      default:
        return {
          status: 401,
          challenge: `Bearer ${document}, ${described('invalid_token', 'The access token is not valid here.')}`,
        };
    }
  }

  describe.each(METHODS)('%s', (method) => {
    it.each(CREDENTIALS)('with %s', async (credential) => {
      const { running, host, tokens } = places[path]!;
      const call = method === 'POST' ? listNotes() : { method };
      const told = await ask(running, { path: pathOf(path), host, token: tokens[credential], ...call });
      const { status, challenge } = expected(method, credential);
      expect([told.status, told.challenge]).toEqual([status, challenge]);
      if (status === 405) expect(told.allow).toBe('POST');
      if (status >= 400 && method !== 'HEAD') expect(JSON.parse(told.text).error.message).toEqual(expect.any(String));
      if (tokens[credential] !== undefined) expect(told.text).not.toContain(tokens[credential]);
    });
  });
});

describe('a route without a lock', () => {
  it('has a row in the table, and every row has a route', () => {
    const methodsOf = (routes: readonly Route[]) =>
      Object.fromEntries(routes.map(({ path, methods }) => [path, [...methods].sort()]));
    const rows = Object.entries(PUBLIC).map(([path, row]) => ({ path, methods: Object.keys(row) }));
    expect(methodsOf(rows)).toEqual(methodsOf(publicRoutes(opened[0]!.server)));
    expect(handlersBeforeFastify()).toEqual(['serveMcp', 'serveResourceMetadata', 'serveAuthorization']);
  });

  it.each(Object.keys(PUBLIC))('%s answers the same, whatever token comes along', async (path) => {
    const { running, tokens } = places['/t/:slug/mcp']!;
    for (const method of METHODS) {
      for (const credential of CREDENTIALS) {
        const token = tokens[credential];
        const told = await ask(running, { ...requestFor(path, method), path: pathOf(path), token });
        const cell = [method, credential];
        expect([...cell, told.status, errorIn(told)]).toEqual([...cell, ...expectedOf(path, method)]);
        expect([...cell, told.challenge]).toEqual([...cell, undefined]);
        if (token !== undefined) expect(told.text).not.toContain(token);
      }
    }
  });

  function rowOf(path: string, method: string): Row | undefined {
    return PUBLIC[path]?.[method === 'HEAD' ? 'GET' : method];
  }

  function requestFor(path: string, method: string): Pick<Asked, 'method' | 'headers' | 'body'> {
    const { form, json } = rowOf(path, method) ?? {};
    if (form) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return { method, headers, body: new URLSearchParams(form).toString() };
    }
    return json ? { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) } : { method };
  }

  /** The status, and the error of an OAuth answer. */
  function expectedOf(path: string, method: string): readonly [number, string | undefined] {
    const row = rowOf(path, method);
    if (row) return [row.status, method === 'HEAD' ? undefined : row.error];
    if (OF_FASTIFY.has(path)) return [404, method === 'HEAD' ? undefined : 'Not Found'];
    return method === 'OPTIONS' ? [204, undefined] : [405, method === 'HEAD' ? undefined : 'invalid_request'];
  }

  function errorIn({ type, text }: Told): string | undefined {
    return type?.startsWith('application/json') === true && text !== '' ? JSON.parse(text).error : undefined;
  }
});

describe('an unusual request to the MCP endpoint', () => {
  const place = (): Place => places['/t/:slug/mcp']!;
  const good = (): string => place().tokens['a good token']!;
  const askWith = (headers: OutgoingHttpHeaders, query = ''): Promise<Told> => {
    const call = listNotes();
    return ask(place().running, {
      ...call,
      path: `/t/demo-secure/mcp${query}`,
      headers: { ...call.headers, ...headers },
    });
  };

  it.each(['DPoP', 'Token', 'Basic', 'bearer', 'BEARER'])('with the scheme %s', async (scheme) => {
    const { status, challenge } = await askWith({ authorization: `${scheme} ${good()}` });
    const isBearer = scheme.toLowerCase() === 'bearer';
    expect([status, challenge]).toEqual(
      isBearer ? [200, undefined] : [401, expect.stringContaining('invalid_request')],
    );
  });

  it('with two Authorization headers is refused, even if they are equal', async () => {
    const { status, challenge } = await askWith({ authorization: [`Bearer ${good()}`, `Bearer ${good()}`] as never });
    expect([status, challenge]).toEqual([401, expect.stringContaining('error="invalid_request"')]);
  });

  it('with the token in its URL is refused, and does not have it repeated', async () => {
    for (const authorization of [undefined, `Bearer ${good()}`]) {
      const told = await askWith(authorization === undefined ? {} : { authorization }, `?access_token=${good()}`);
      expect([told.status, told.challenge]).toEqual([401, expect.stringContaining('error="invalid_request"')]);
      expect(told.text + String(told.challenge)).not.toContain(good());
    }
  });

  it.each([10, 20])('with a token of %d KB is told that it is too long', async (size) => {
    const { status, challenge } = await askWith({ authorization: `Bearer ${'x'.repeat(size * 1_024)}` });
    expect([status, challenge]).toEqual([401, expect.stringContaining('too long')]);
  });

  it('with a token of 40 KB is cut off, which nobody else notices', async () => {
    const url = `http://127.0.0.1:${place().running.server.port}/t/demo-secure/mcp`;
    const socket = await openSocket(url);
    const authorization = `Bearer ${'x'.repeat(40 * 1_024)}`;
    socket.write(rawRequest(url, { method: 'tools/list', headers: { authorization } }));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect((await askWith({ authorization: `Bearer ${good()}` })).status).toBe(200);
  });
});
