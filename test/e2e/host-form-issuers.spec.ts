import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reachByAnyName } from '../support/any-name.js';
import { asPage, asRedirect, claimsOf, OAuthClient, postForm } from '../support/oauth-client.js';
import { Person } from '../support/person.js';
import { openTenant, type RunningServer } from '../support/running-server.js';
import { personOf, registeredClient, runSecureDemo, secureTenant } from '../support/secure-demo.js';
import { send } from '../support/wire.js';

const PLATFORM = 'https://mcp.example.com';
const originOf = (slug: string): string => `https://${slug}.mcp.example.com`;
const resourceOf = (slug: string): string => `${originOf(slug)}/mcp`;
const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } };

describe.each(['host', 'both'])('tenants by host, with TENANT_ROUTING=%s', (routing) => {
  let demo: RunningServer;
  let network: AsyncDisposable;
  let person: Person;

  beforeAll(async () => {
    demo = await runSecureDemo({
      tenants: [secureTenant('one'), secureTenant('two'), openTenant('open', 'notes')],
      environment: { TENANT_ROUTING: routing, PUBLIC_URL: PLATFORM, OAUTH_RATE_FACTOR: '100' },
    });
    network = reachByAnyName(demo.server.port);
    person = await personOf(demo, ['one', 'two']);
  });

  afterAll(async () => {
    await network[Symbol.asyncDispose]();
    await demo[Symbol.asyncDispose]();
  });

  const statusUnder = (host: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = httpRequest({ port: demo.server.port, path, headers: { host } }, (response) => {
        resolve(response.resume().statusCode ?? 0);
      });
      asked.on('error', reject).end();
    });
  const newPerson = (): Person => new Person(person.email, person.password);
  const clientAt = (slug: string): Promise<OAuthClient> => OAuthClient.register(originOf(slug));
  const statusAt = async (resource: string, token: string): Promise<number> =>
    (await send(resource, { method: 'tools/list', headers: { authorization: `Bearer ${token}` } })).status;

  it('each are an issuer of their own, whose document is the same wherever hosts look for it', async () => {
    for (const slug of ['one', 'two']) {
      const read = async (path: string) => (await fetch(originOf(slug) + path)).json() as Promise<Record<string, any>>;
      const document = await read('/.well-known/oauth-authorization-server');
      for (const path of [
        '/.well-known/openid-configuration',
        '/.well-known/oauth-authorization-server/mcp',
        '/.well-known/openid-configuration/mcp',
        '/mcp/.well-known/openid-configuration',
      ]) {
        expect([path, await read(path)]).toEqual([path, document]);
      }
      expect(document['issuer']).toBe(originOf(slug));
      expect(document['scopes_supported']).toEqual(expect.arrayContaining(['mcp', 'notes:read', 'notes:write']));
      for (const [name, url] of Object.entries(document)) {
        if (/_endpoint$|_uri$/.test(name)) expect(new URL(url).origin).toBe(originOf(slug));
      }
      const { authorization_servers: servers, resource } = await read('/.well-known/oauth-protected-resource');
      expect([servers, resource]).toEqual([[originOf(slug)], resourceOf(slug)]);
    }
  });

  it('are no issuers under what else a Host can hold', async () => {
    const host = new URL(originOf('one')).host;
    for (const odd of [
      `x@${host}`,
      `one@${host}`,
      `a:b@${host}`,
      `on\te.mcp.example.com`,
      `[.mcp.example.com`,
      `%.mcp.example.com`,
    ]) {
      for (const path of ['/.well-known/oauth-authorization-server', '/device', '/authorize?client_id=x']) {
        expect([odd, await statusUnder(odd, path)]).toEqual([odd, 404]);
      }
    }
  });

  it('let a host in that names no resource: theirs is meant', async () => {
    const client = await clientAt('one');
    for (const resource of [undefined, '', `${resourceOf('one')}/`, 'HTTPS://ONE.mcp.example.com/mcp']) {
      const tokens = await client.tokens(person, { resource });
      expect(claimsOf(tokens['access_token'])).toMatchObject({ iss: originOf('one'), aud: resourceOf('one') });
      expect(await statusAt(resourceOf('one'), tokens['access_token'])).toBe(200);
    }
  });

  it('take no tokens of each other, nor of themselves in the path form', async () => {
    const tokens = await (await clientAt('one')).tokens(person, {});
    expect(await statusAt(resourceOf('two'), tokens['access_token'])).toBe(401);
    if (routing === 'both') expect(await statusAt(`${PLATFORM}/t/one/mcp`, tokens['access_token'])).toBe(401);
  });

  it('give no tokens for each other', async () => {
    const client = await clientAt('one');
    for (const resource of [resourceOf('two'), `${PLATFORM}/t/one/mcp`, `${originOf('one')}/t/one/mcp`]) {
      const back = asRedirect(await person.open(client.authorizationUrl({ resource })));
      expect(back.searchParams.get('error')).toBe('invalid_target');
    }
  });

  it('know no clients that registered with another', async () => {
    const client = await clientAt('one');
    const stranger = new OAuthClient(originOf('two'), client.id);
    expect(asPage(await person.open(stranger.authorizationUrl({}))).status).toBe(400);
    expect(await stranger.refresh('x')).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('redeem no codes and refresh no tokens of another', async () => {
    const [client, other] = [await clientAt('one'), await clientAt('two')];
    const code = await client.code(person, {});
    expect(await other.redeem(code)).toMatchObject(INVALID_GRANT);
    const { body: tokens } = await client.redeem(code);
    expect(await other.refresh(tokens['refresh_token'])).toMatchObject(INVALID_GRANT);
    expect((await other.post('/revoke', { token: tokens['access_token'] })).status).toBe(200);
    expect((await other.post('/revoke', { token: tokens['refresh_token'] })).status).toBe(200);
    expect(await statusAt(resourceOf('one'), tokens['access_token'])).toBe(200);
    expect((await client.refresh(tokens['refresh_token'])).status).toBe(200);
  });

  it('know nobody who signed in at another', async () => {
    const somebody = newPerson();
    await (await clientAt('one')).tokens(somebody, {});
    const client = await clientAt('two');
    expect(asPage(await somebody.open(client.authorizationUrl({}))).text).toContain('name="password"');
    const quiet = asRedirect(await somebody.open(client.authorizationUrl({ prompt: 'none' })));
    expect(quiet.searchParams.get('error')).toBe('login_required');
  });

  it('go on with no sign-in that was begun at another', async () => {
    const somebody = newPerson();
    const page = asPage(await somebody.open((await clientAt('one')).authorizationUrl({})));
    const elsewhere = asPage(await somebody.open(new URL(page.url.pathname, originOf('two'))));
    expect(elsewhere.status).toBe(400);
  });

  it('keep their cookies to themselves, and to TLS', async () => {
    const url = (await clientAt('one')).authorizationUrl({});
    const { headers } = await fetch(url, { redirect: 'manual' });
    const cookies = headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; secure/i);
      expect(cookie).toMatch(/; httponly/i);
      expect(cookie).toMatch(/; samesite=lax/i);
      expect(cookie).not.toMatch(/; domain=/i);
    }
  });

  it('answer to nobody where there is no tenant that wants tokens', async () => {
    for (const origin of [originOf('nobody'), originOf('open')]) {
      for (const path of ['/.well-known/oauth-authorization-server', '/authorize']) {
        const response = await fetch(origin + path, { redirect: 'manual' });
        expect([origin, path, response.status]).toEqual([origin, path, 404]);
      }
      const answer = await postForm(`${origin}/token`, {});
      expect(answer.status).toBe(404);
    }
  });

  it('have a client that an admin registered, for its own tenant alone', async () => {
    const { id, secret } = await registeredClient(demo, 'one', {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'notes:read',
    });
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    const { body } = await postForm(`${originOf('one')}/token`, form);
    expect(claimsOf(body['access_token'])).toMatchObject({ iss: originOf('one'), aud: resourceOf('one') });
    expect(await statusAt(resourceOf('one'), body['access_token'])).toBe(200);
    expect(await postForm(`${originOf('two')}/token`, form)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });
});

describe('a tenant in both forms', () => {
  let demo: RunningServer;
  let network: AsyncDisposable;
  beforeAll(async () => {
    demo = await runSecureDemo({
      tenants: [secureTenant('one')],
      environment: { TENANT_ROUTING: 'both', PUBLIC_URL: PLATFORM },
    });
    network = reachByAnyName(demo.server.port);
  });
  afterAll(async () => {
    await network[Symbol.asyncDispose]();
    await demo[Symbol.asyncDispose]();
  });

  it('has two issuers, and what one gave is not taken by the other, from the same client even', async () => {
    const person = await personOf(demo, ['one']);
    const redirectUri = 'https://app.example/callback';
    const { id, secret } = await registeredClient(demo, 'one', {
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const credentials = { client_id: id, client_secret: secret };
    const [byHost, byPath] = [originOf('one'), PLATFORM].map(
      (issuer) => new OAuthClient(issuer, id, redirectUri, credentials),
    ) as [OAuthClient, OAuthClient];
    const resources = new Map([
      [byHost, resourceOf('one')],
      [byPath, `${PLATFORM}/t/one/mcp`],
    ]);
    for (const [client, other] of [
      [byHost, byPath],
      [byPath, byHost],
    ] as const) {
      const code = await client.code(person, {});
      expect(await other.redeem(code)).toMatchObject(INVALID_GRANT);
      const { body } = await client.redeem(code);
      expect(claimsOf(body['access_token'])).toMatchObject({ iss: client.issuer, aud: resources.get(client) });
      expect(await other.refresh(body['refresh_token'])).toMatchObject(INVALID_GRANT);
      for (const [where, resource] of resources) {
        const headers = { authorization: `Bearer ${body['access_token']}` };
        const { status } = await send(resource, { method: 'tools/list', headers });
        expect(status).toBe(where === client ? 200 : 401);
      }
    }
  });
});
