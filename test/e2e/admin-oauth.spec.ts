import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RevocationStore } from '#access/revocation.store.js';
import { StaticTokens } from '#access/static-tokens.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import { Database } from '#persistence/database.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { type AdminAnswer, adminClient } from '../support/admin-client.js';
import { reachByAnyName } from '../support/any-name.js';
import { asPage, claimsOf, OAuthClient } from '../support/oauth-client.js';
import { type Person, textOf } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, registeredClient, runSecureDemo, secureTenant } from '../support/secure-demo.js';
import { send } from '../support/wire.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const METADATA = '/.well-known/oauth-protected-resource/admin/v1';

describe('the admin API as an OAuth resource', () => {
  let demo: RunningServer;
  let origin: string;
  let resource: string;
  let client: OAuthClient;
  let operator: Person;
  let admin: Person;

  beforeAll(async () => {
    demo = await runSecureDemo({
      tenants: [secureTenant('one'), secureTenant('two'), { ...secureTenant('machines'), access: 'tokens' }],
      environment: { OAUTH_RATE_FACTOR: '100' },
    });
    origin = demo.server.url;
    resource = `${origin}/admin/v1`;
    client = await OAuthClient.register(origin, { grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT] });
    operator = await operatorOf(demo);
    admin = await personOf(demo, ['one'], 'admin');
  });
  afterAll(async () => demo[Symbol.asyncDispose]());

  const call = (token: string | undefined, path: string): Promise<AdminAnswer> =>
    adminClient(origin, token)('GET', path);
  const tokenOf = async (person: Person, scope = 'admin'): Promise<string> =>
    (await client.tokens(person, { resource, scope }))['access_token'];
  const accounts = (): AccountStore => demo.server.app.get(AccountStore);
  const idOf = async ({ email }: Person): Promise<string> => (await accounts().findByLogin(email))?.id ?? '';
  const tenantIdOf = async (slug: string): Promise<string> =>
    (await demo.server.app.get(TenantStore).findBySlug(slug))?.id ?? '';

  it('tells who has no token where to get one', async () => {
    const { status, headers } = await call(undefined, '/me');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${origin}${METADATA}"`);
    const document = (await (await fetch(origin + METADATA)).json()) as Record<string, unknown>;
    expect(document).toMatchObject({ resource, authorization_servers: [origin], bearer_methods_supported: ['header'] });
    expect(document['scopes_supported']).toEqual(expect.arrayContaining(['admin', 'admin:read', 'sources:write']));
  });

  it('shows an operator all tenants, and a tenant’s admin theirs alone', async () => {
    const all = await call(await tokenOf(operator), '/tenants');
    expect(slugsIn(all)).toEqual(['machines', 'one', 'two']);
    const token = await tokenOf(admin);
    expect(slugsIn(await call(token, '/tenants'))).toEqual(['one']);
    expect(await call(token, '/tenants/one')).toMatchObject({ status: 200 });
    expect(await call(token, '/tenants/two')).toMatchObject({ status: 404 });
    const made = await adminClient(origin, token)('POST', '/tenants', { slug: 'three', title: 'Three' });
    expect([made.status, made.body.type]).toEqual([403, '/admin/v1/problems/operators_only']);
  });

  it('asks in plain words, and gives what reads and no more to who asks for nothing in particular', async () => {
    const person = await personOf(demo, ['one'], 'owner');
    const page = asPage(await person.open(client.authorizationUrl({ resource, scope: 'admin' })));
    expect(textOf(page.text)).toContain('Sign in to the administration of Causeway');
    const consent = asPage(await person.signIn(page));
    expect(consent.text).toContain('Administer Causeway: do everything there that you may do yourself');
    const { access_token: token, scope } = await client.tokens(person, { resource });
    expect(scope).toBe('admin:read');
    expect(await call(token, '/tenants/one')).toMatchObject({ status: 200 });
    const refused = await adminClient(origin, token)('POST', '/tenants/one/suspend', undefined, { 'if-match': '*' });
    expect([refused.status, refused.body.scope]).toEqual([403, 'tenants:write']);
  });

  it('signs a command line in by device flow', async () => {
    const { body: device } = await client.post('/device/authorize', { resource, scope: 'admin' });
    const shown = asPage(await admin.open(device['verification_uri_complete']));
    const confirm = asPage(await admin.submit(shown, '/device'));
    let page = asPage(await admin.submit(confirm, '/device'));
    expect(textOf(confirm.text)).toContain('the administration of Causeway');
    if (page.text.includes('name="password"')) page = asPage(await admin.signIn(page));
    if (page.text.includes('value="allow"')) page = asPage(await admin.decide(page, 'allow'));
    const { body } = await client.post('/token', { grant_type: DEVICE_GRANT, device_code: device['device_code'] });
    expect(await call(body['access_token'], '/me')).toMatchObject({ status: 200, body: { name: admin.email } });
    const refreshed = await client.refresh(body['refresh_token']);
    expect(await call(refreshed.body['access_token'], '/me')).toMatchObject({ status: 200 });
  });

  it('knows the client of its own documentation, for itself and for no tenant', async () => {
    const docs = new OAuthClient(origin, 'causeway-docs', `${resource}/docs/oauth2-redirect.html`);
    const person = await personOf(demo, ['one'], 'admin');
    const page = asPage(await person.signIn(asPage(await person.open(docs.authorizationUrl({ resource })))));
    expect(page.text).toContain('This is part of Causeway itself.');
    const code = new URL((await person.submitOnly(page, '/consent', { decision: 'allow' })).href);
    const back = asPage(await person.open(code)).url;
    const { body } = await docs.redeem(back.searchParams.get('code') ?? '');
    expect(await call(body['access_token'], '/me')).toMatchObject({ status: 200 });
    const astray = asPage(await person.open(docs.authorizationUrl({ resource: demo.url('one') })));
    expect(astray.url.searchParams.get('error')).toBe('invalid_target');
    const stolen = new OAuthClient(origin, 'causeway-docs', 'https://evil.example/callback');
    expect(asPage(await person.open(stolen.authorizationUrl({ resource }))).status).toBe(400);
  });

  it('lets in nobody who administers nothing', async () => {
    const member = await personOf(demo, ['one'], 'member');
    const page = asPage(await member.signIn(asPage(await member.open(client.authorizationUrl({ resource })))));
    expect([page.status, textOf(page.text)]).toEqual([
      403,
      expect.stringContaining('This account administers nothing here.'),
    ]);
  });

  it('gives no client a token for itself', async () => {
    const agent = await registeredClient(demo, 'one', {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const own = new OAuthClient(origin, agent.id, '', { client_id: agent.id, client_secret: agent.secret });
    const itself = await OAuthClient.register(origin, {
      grant_types: ['client_credentials', 'authorization_code'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    for (const one of [own, itself]) {
      const { status, body } = await one.post('/token', { grant_type: 'client_credentials', resource, scope: 'admin' });
      expect([status, body['access_token']]).toEqual([400, undefined]);
    }
  });

  it('has tokens that are good for no tenant, and takes none that is for one', async () => {
    const both = await personOf(demo, ['one', 'two'], 'owner');
    const forAdmin = await tokenOf(both);
    expect(claimsOf(forAdmin)).toMatchObject({ iss: origin, aud: resource });
    expect(claimsOf(forAdmin)).not.toHaveProperty('tenant');
    const { token: machine } = await demo.server.app
      .get(StaticTokens)
      .issue({ tenantId: await tenantIdOf('machines'), name: 'a machine', scopes: ['admin', '*'], expiresAt: null });
    const forOne = (await client.tokens(both, { resource: demo.url('one') }))['access_token'];
    const forTwo = (await client.tokens(both, { resource: demo.url('two'), scope: 'mcp notes:write' }))['access_token'];
    const at = async (slug: string, token: string): Promise<number> =>
      (await send(demo.url(slug), { method: 'tools/list', headers: { authorization: `Bearer ${token}` } })).status;

    const matrix = async (token: string) => [
      (await call(token, '/me')).status,
      await at('one', token),
      await at('two', token),
      await at('machines', token),
    ];
    expect(await matrix(forAdmin)).toEqual([200, 401, 401, 401]);
    expect(await matrix(forOne)).toEqual([401, 200, 401, 401]);
    expect(await matrix(forTwo)).toEqual([401, 401, 200, 401]);
    expect(await matrix(machine)).toEqual([401, 401, 401, 200]);
  });

  it('does not let a refresh token go from the one to the other', async () => {
    const { refresh_token: token } = await client.tokens(admin, { resource, scope: 'admin' });
    const elsewhere = await client.refresh(token, { resource: demo.url('one') });
    expect([elsewhere.status, elsewhere.body['error']]).toEqual([400, 'invalid_target']);
    const { refresh_token: tenants } = await client.tokens(admin, { resource: demo.url('one') });
    const here = await client.refresh(tenants, { resource });
    expect([here.status, here.body['error']]).toEqual([400, 'invalid_target']);
  });

  it('looks up what a person may do with every request, not when the token was made', async () => {
    const person = await personOf(demo, ['one'], 'admin');
    const { access_token: token, refresh_token: refresh } = await client.tokens(person, { resource, scope: 'admin' });
    await accounts().setMembership(await tenantIdOf('two'), await idOf(person), 'owner');
    expect(slugsIn(await call(token, '/tenants'))).toEqual(['one', 'two']);
    await accounts().setMembership(await tenantIdOf('one'), await idOf(person), 'member');
    expect(slugsIn(await call(token, '/tenants'))).toEqual(['two']);
    await accounts().removeMembership(await tenantIdOf('two'), await idOf(person));
    expect(await call(token, '/me')).toMatchObject({ status: 401 });
    expect(await client.refresh(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('ends with its account and with its grant, at once', async () => {
    const [disabled, revoked] = [await personOf(demo, ['one'], 'admin'), await personOf(demo, ['one'], 'admin')];
    const first = await tokenOf(disabled);
    const second = await client.tokens(revoked, { resource, scope: 'admin' });
    await accounts().setStatus(await idOf(disabled), 'disabled');
    await client.post('/revoke', { token: second['access_token'] });
    for (const token of [first, second['access_token']])
      expect(await call(token, '/me')).toMatchObject({ status: 401 });
    expect(await client.refresh(second['refresh_token'])).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    const { grant } = claimsOf(second['access_token']);
    expect(await demo.server.app.get(GrantStore).find(origin, grant)).toBeUndefined();
    expect(await demo.server.app.get(RevocationStore).revokedWithin(60_000)).not.toContainEqual(
      expect.objectContaining({ subject: grant }),
    );
    expect(await call(await tokenOf(revoked), '/me')).toMatchObject({ status: 200 });
  });
});

describe.each(['host', 'both'])('the admin API with TENANT_ROUTING=%s', (routing) => {
  const platform = 'https://mcp.example.com';
  let demo: RunningServer;
  let network: AsyncDisposable;

  beforeAll(async () => {
    demo = await runSecureDemo({
      tenants: [secureTenant('one')],
      environment: { TENANT_ROUTING: routing, PUBLIC_URL: platform, OAUTH_RATE_FACTOR: '100' },
    });
    network = reachByAnyName(demo.server.port);
  });
  afterAll(async () => {
    await network[Symbol.asyncDispose]();
    await demo[Symbol.asyncDispose]();
  });

  it('has its issuer and its document at the platform’s origin, and at no tenant’s', async () => {
    const admin = await personOf(demo, ['one'], 'admin');
    const client = await OAuthClient.register(platform);
    const resource = `${platform}/admin/v1`;
    const { access_token: token } = await client.tokens(admin, { resource, scope: 'admin' });
    expect(claimsOf(token)).toMatchObject({ iss: platform, aud: resource });
    expect(await adminClient(platform, token)('GET', '/me')).toMatchObject({ status: 200 });

    const tenants = 'https://one.mcp.example.com';
    expect((await fetch(platform + METADATA)).status).toBe(200);
    expect((await fetch(tenants + METADATA)).status).toBe(404);
    const theirs = await OAuthClient.register(tenants);
    for (const target of [resource, `${tenants}/admin/v1`]) {
      const page = asPage(await admin.open(theirs.authorizationUrl({ resource: target })).then(asShown));
      expect(page.text).toContain('invalid_target');
    }
  });
});

describe('the admin API of a platform without TLS', () => {
  it('has tokens all the same, but for the client of its documentation, whose redirect would be in the clear', async () => {
    const platform = 'http://mcp.internal';
    const environment = { PUBLIC_URL: platform, OAUTH_RATE_FACTOR: '100' };
    await using demo = await runSecureDemo({ tenants: [secureTenant('one')], environment });
    await using _network = reachByAnyName(demo.server.port);
    const admin = await personOf(demo, ['one'], 'admin');
    const resource = `${platform}/admin/v1`;
    const client = await OAuthClient.register(platform);
    const { access_token: token } = await client.tokens(admin, { resource, scope: 'admin' });
    expect(await adminClient(platform, token)('GET', '/me')).toMatchObject({ status: 200 });
    const docs = new OAuthClient(platform, 'causeway-docs', `${resource}/docs/oauth2-redirect.html`);
    expect(asPage(await admin.open(docs.authorizationUrl({ resource }))).text).toContain('invalid_redirect_uri');
  });
});

/** Errors go to the client by a redirect; this shows them as a page would be. */
function asShown(shown: Awaited<ReturnType<Person['open']>>) {
  return shown instanceof URL ? { status: 302, url: shown, text: shown.href, headers: new Headers() } : shown;
}

async function operatorOf(demo: RunningServer): Promise<Person> {
  const person = await personOf(demo, []);
  const { client } = demo.server.app.get(Database);
  await client.account.update({ where: { login: person.email }, data: { operator: true } });
  return person;
}

function slugsIn({ body }: AdminAnswer): readonly string[] {
  return body.items.map(({ slug }: { slug: string }) => slug).toSorted();
}
