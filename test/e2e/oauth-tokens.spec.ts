import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idHash } from '#authorization/provider/record.adapter.js';
import { Database } from '#persistence/database.js';
import { basic, OAuthClient, postForm, register } from '../support/oauth-client.js';
import type { Person } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, registeredClient, runSecureDemo } from '../support/secure-demo.js';
import { send } from '../support/wire.js';

let demo: RunningServer;
let issuer: string;
let resource: string;
let person: Person;

beforeAll(async () => {
  demo = await runSecureDemo({ environment: { OAUTH_RATE_FACTOR: '100' } });
  issuer = demo.server.url;
  resource = demo.url('demo-secure');
  person = await personOf(demo, ['demo-secure']);
});

afterAll(async () => demo[Symbol.asyncDispose]());

const newClient = () => OAuthClient.register(issuer);
const sql = (text: string) => demo.server.app.get(Database).client.$executeRawUnsafe(text);
const rows = (text: string) => demo.server.app.get(Database).client.$queryRawUnsafe<{ text: string }[]>(text);
const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant', error_description: expect.any(String) } };

/** Lets so many seconds pass since a code or a refresh token was used. */
async function age(token: string, seconds: number): Promise<void> {
  const aged = await sql(
    `UPDATE oauth_records SET consumed_at = consumed_at - interval '${seconds} seconds' WHERE id_hash = '${idHash(token)}'`,
  );
  expect(aged).toBe(1);
}

async function statusWith(token: string): Promise<number> {
  return (await send(resource, { method: 'tools/list', headers: { authorization: `Bearer ${token}` } })).status;
}

describe('a code', () => {
  it('that comes twice at once is refused, and what was got for it stays good', async () => {
    const client = await newClient();
    const code = await client.code(person, { resource });
    const tokens = await client.redeem(code);
    expect(await client.redeem(code)).toMatchObject(INVALID_GRANT);
    expect(await statusWith(tokens.body['access_token'])).toBe(200);
    expect((await client.refresh(tokens.body['refresh_token'])).status).toBe(200);
  });

  it('that comes again ten seconds later ends the grant, with all its tokens', async () => {
    const client = await newClient();
    const code = await client.code(person, { resource });
    const { body } = await client.redeem(code);
    expect(await statusWith(body['access_token'])).toBe(200);
    await age(code, 11);
    expect(await client.redeem(code)).toMatchObject(INVALID_GRANT);
    expect(await client.refresh(body['refresh_token'])).toMatchObject(INVALID_GRANT);
    expect(await statusWith(body['access_token'])).toBe(401);
  });

  it('is good for its client and its redirect URI alone, and is not used up by others', async () => {
    const [client, other] = [await newClient(), await newClient()];
    const code = await client.code(person, { resource });
    expect(await other.redeem(code)).toMatchObject(INVALID_GRANT);
    expect(await client.redeem(code, { redirect_uri: 'http://127.0.0.1:33419/callback' })).toMatchObject(INVALID_GRANT);
    expect((await client.redeem(code)).status).toBe(200);
  });

  it('is good for a minute', async () => {
    const client = await newClient();
    const code = await client.code(person, { resource });
    await sql(`UPDATE oauth_records SET expires_at = now() WHERE id_hash = '${idHash(code)}'`);
    expect(await client.redeem(code)).toMatchObject(INVALID_GRANT);
  });
});

describe('a refresh token', () => {
  it('is changed for another with each use', async () => {
    const client = await newClient();
    const first = await client.tokens(person, { resource });
    const { body: second } = await client.refresh(first['refresh_token']);
    const { body: third } = await client.refresh(second['refresh_token']);
    expect(new Set([first, second, third].map((tokens) => tokens['refresh_token'])).size).toBe(3);
    expect(await statusWith(third['access_token'])).toBe(200);
  });

  it('may be used again for a minute, by processes of one agent', async () => {
    const client = await newClient();
    const { refresh_token: token } = await client.tokens(person, { resource });
    const first = await client.refresh(token);
    await age(token, 55);
    const again = await client.refresh(token);
    expect([first.status, again.status]).toEqual([200, 200]);
    for (const { body } of [first, again]) expect((await client.refresh(body['refresh_token'])).status).toBe(200);
  });

  it('that comes again after that ends the grant, with all its tokens', async () => {
    const client = await newClient();
    const { refresh_token: token } = await client.tokens(person, { resource });
    const { body } = await client.refresh(token);
    expect(await statusWith(body['access_token'])).toBe(200);
    await age(token, 61);
    expect(await client.refresh(token)).toMatchObject(INVALID_GRANT);
    expect(await client.refresh(body['refresh_token'])).toMatchObject(INVALID_GRANT);
    expect(await statusWith(body['access_token'])).toBe(401);
  });

  it('that is expired, unknown or another client’s is refused as invalid_grant, in JSON', async () => {
    const client = await newClient();
    const { refresh_token: token } = await client.tokens(person, { resource });
    const other = await newClient();
    for (const answer of [await client.refresh('garbage'), await client.refresh('\0'), await other.refresh(token)]) {
      expect(answer).toMatchObject(INVALID_GRANT);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    await sql(`UPDATE oauth_records SET expires_at = now() WHERE id_hash = '${idHash(token)}'`);
    expect(await client.refresh(token)).toMatchObject(INVALID_GRANT);
  });

  it('gets fewer scopes where fewer are asked for, and never more', async () => {
    const client = await newClient();
    const { refresh_token: token } = await client.tokens(person, { resource, scope: 'notes:read notes:write' });
    const less = await client.refresh(token, { scope: 'notes:read offline_access' });
    expect(less.body['scope']).toBe('notes:read');
    expect((await client.refresh(less.body['refresh_token'])).body['scope']).toBe('mcp notes:read notes:write');
    const { refresh_token: small } = await (await newClient()).tokens(person, { resource, scope: 'notes:read' });
    expect(small).toBeDefined();
    const other = await newClient();
    const { refresh_token: own } = await other.tokens(person, { resource, scope: 'notes:read' });
    expect(await other.refresh(own, { scope: 'notes:write' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
  });
});

describe('an unknown client', () => {
  it.each(['/token', '/revoke', '/introspect', '/device/authorize'])(
    'is told so at %s with 401, in JSON',
    async (path) => {
      const form = { client_id: 'nobody', grant_type: 'refresh_token', refresh_token: 'x', token: 'x' };
      for (const headers of [{}, { accept: 'text/html' }, basic('nobody', 'secret')]) {
        const answer = await postForm(
          issuer + path,
          { ...form, client_id: 'authorization' in headers ? undefined : 'nobody' },
          headers,
        );
        expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      }
    },
  );
});

describe('revocation', () => {
  it.each(['refresh_token', 'access_token'])('of %s stops the access token at once', async (which) => {
    const client = await newClient();
    const tokens = await client.tokens(person, { resource });
    expect(await statusWith(tokens['access_token'])).toBe(200);
    expect(await client.post('/revoke', { token: tokens[which] })).toMatchObject({ status: 200, body: {} });
    expect(await statusWith(tokens['access_token'])).toBe(401);
    expect(await client.refresh(tokens['refresh_token'])).toMatchObject(INVALID_GRANT);
  });

  it('of what is nobody’s, or another client’s, is answered alike and changes nothing', async () => {
    const [client, other] = [await newClient(), await newClient()];
    const tokens = await client.tokens(person, { resource });
    for (const token of ['garbage', 'a.b.c', tokens['access_token'], tokens['refresh_token']]) {
      expect((await other.post('/revoke', { token })).status).toBe(200);
    }
    expect(await statusWith(tokens['access_token'])).toBe(200);
    expect((await client.refresh(tokens['refresh_token'])).status).toBe(200);
  });
});

describe('what is kept', () => {
  it('is of no use to who reads the tables', async () => {
    const { body: registered } = await register(issuer, { token_endpoint_auth_method: 'client_secret_post' });
    const { client_id: id, client_secret: secret } = registered;
    const client = new OAuthClient(issuer, id, undefined, { client_id: id, client_secret: secret });
    const code = await client.code(person, { resource });
    const { body: tokens } = await client.redeem(await client.code(person, { resource }));
    const { body: rotated } = await client.refresh(tokens['refresh_token']);
    const form = { client_id: id, client_secret: secret, resource };
    const device = await registeredClient(demo, 'demo-secure', {
      redirect_uris: [],
      response_types: [],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const asked = await postForm(`${issuer}/device/authorize`, {
      ...form,
      client_id: device.id,
      client_secret: device.secret,
    });
    expect(asked.status).toBe(200);
    const shown = await person.open(client.authorizationUrl({ resource }));
    if (shown instanceof URL) throw new Error('There was nothing to ask.');
    const cookies = person
      .cookieFor(shown.url)
      .split('; ')
      .filter((cookie) => !cookie.includes('.sig=') && !cookie.startsWith('causeway_browser'))
      .map((cookie) => cookie.slice(cookie.indexOf('=') + 1));
    expect(cookies.length).toBeGreaterThanOrEqual(2);
    const secrets = [
      ...[code, secret, device.secret, tokens['refresh_token'], rotated['refresh_token'], tokens['access_token']],
      ...[asked.body['device_code'], asked.body['user_code'], asked.body['user_code'].replace('-', ''), ...cookies],
    ] as string[];

    const kept = await Promise.all(
      ['oauth_records', 'oauth_clients', 'oauth_grants', 'accounts', 'signing_keys'].map((table) =>
        rows(`SELECT row_to_json(kept)::text AS text FROM ${table} AS kept`),
      ),
    );
    const text = kept.flat().map((row) => row.text);
    expect(text.length).toBeGreaterThan(20);
    expect(text.join('\n')).toContain(idHash(code));
    const found = secrets.filter((one) => text.some((row) => row.includes(one)));
    expect(found).toEqual([]);
  });
});
