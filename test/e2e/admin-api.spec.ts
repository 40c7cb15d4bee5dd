import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { NotesModule } from '#server/demo/notes.module.js';
import { type AdminCall, adminClient, issueKey } from '../support/admin-client.js';
import { officialClient } from '../support/official-client.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { echo, runUpstream, type UpstreamService } from '../support/upstream-service.js';
import { EventStream, resultOf, send } from '../support/wire.js';

let running: RunningServer;
let upstream: UpstreamService;
let operator: AdminCall;

const ANY = { 'if-match': '*' };
const NEW = { 'if-none-match': '*' };

beforeAll(async () => {
  upstream = await runUpstream(echo);
  running = await runServer({
    modules: [NotesModule],
    tenants: [openTenant('acme'), openTenant('other')],
    environment: { OUTBOUND_ALLOW: '127.0.0.1' },
  });
  operator = adminClient(running.server.url, await issueKey(running));
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const tool = (name: string, more: object = {}): object => ({
  name,
  kind: 'http_tool',
  definition: { description: 'Weather', request: { method: 'GET', url: `${upstream.origin}/${name}` }, ...more },
});

describe('registering a tool', () => {
  it('is heard by a listener, and the official client calls it', async () => {
    using stream = await EventStream.open(running.url('acme'), {
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
      id: 'sub',
    });
    await stream.until(1);
    const made = await operator('POST', '/tenants/acme/sources', tool('weather'));
    expect(made).toMatchObject({ status: 201, body: { name: 'weather', version: 1, works: true, fault: null } });
    expect(made.body.primitives).toEqual([{ kind: 'tool', key: 'weather' }]);
    expect(made.headers.get('location')).toBe('/admin/v1/tenants/acme/sources/weather');
    expect((await stream.until(2))[1]).toMatchObject({ method: 'notifications/tools/list_changed' });
    await using client = await officialClient(running.url('acme'));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('weather');
    const result = await client.callTool({ name: 'weather', arguments: {} });
    expect(result.structuredContent ?? JSON.parse((result.content as any)[0].text)).toMatchObject({ url: '/weather' });
  });

  it('is refused with a pointer to the fault, and nothing changes', async () => {
    const before = (await operator('GET', '/tenants/acme')).body.revision;
    const answer = await operator('POST', '/tenants/acme/sources', tool('bad', { input: { type: 'strin' } }));
    expect(answer).toMatchObject({ status: 422, body: { type: '/admin/v1/problems/invalid_definition' } });
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(answer.body.errors[0].pointer).toMatch(/^\/definition\/input/);
    expect((await operator('GET', '/tenants/acme/sources/bad')).status).toBe(404);
    expect((await operator('GET', '/tenants/acme')).body.revision).toBe(before);
  });

  it('is refused where its address is one that the platform never calls', async () => {
    const definition = { description: 'd', request: { method: 'GET', url: 'http://169.254.169.254/latest' } };
    const answer = await operator('POST', '/tenants/acme/sources', { name: 'inside', kind: 'http_tool', definition });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/definition/request/url' }] } });
  });

  it('is refused where it names a secret that is not there, until it is', async () => {
    const secured = tool('secured', { credentials: { type: 'bearer', secret: 'token-1' } });
    const refused = await operator('POST', '/tenants/acme/sources', secured);
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/definition/credentials/secret' }] } });
    await operator('PUT', '/tenants/acme/secrets/token-1', { value: 's3cret-value' }, NEW);
    expect((await operator('POST', '/tenants/acme/sources', secured)).status).toBe(201);
    await send(running.url('acme'), { method: 'tools/call', params: { name: 'secured', arguments: {} } });
    expect(upstream.received.at(-1)?.headers.authorization).toBe('Bearer s3cret-value');
    expect(await operator('GET', '/tenants/acme/secrets/token-1')).toMatchObject({ body: { usedBy: ['secured'] } });
    const kept = await operator('DELETE', '/tenants/acme/secrets/token-1', undefined, ANY);
    expect(kept).toMatchObject({ status: 409, body: { detail: expect.stringContaining('secured') } });
    expect((await operator('DELETE', '/tenants/acme/secrets/token-1?force=true', undefined, ANY)).status).toBe(204);
  });

  it('is refused where the name of its tool is taken', async () => {
    await operator('POST', '/tenants/acme/sources', tool('first', { name: 'same' }));
    const answer = await operator('POST', '/tenants/acme/sources', tool('second', { name: 'same' }));
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/definition/name' }] } });
    expect(await operator('POST', '/tenants/acme/sources', tool('first'))).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: '/name' }] },
    });
  });
});

describe('a change', () => {
  it('is told what would happen by dryRun, and is not made', async () => {
    const answer = await operator('POST', '/tenants/acme/sources?dryRun=true', tool('dry'));
    expect(answer).toMatchObject({
      status: 200,
      body: { dryRun: true, action: 'source.create', target: 'dry', catalogue: { tools: { added: ['dry'] } } },
    });
    expect((await operator('GET', '/tenants/acme/sources/dry')).status).toBe(404);
  });

  it('says by dryRun which members of a primitive differ', async () => {
    await operator('POST', '/tenants/acme/sources', tool('changing'));
    const { definition } = tool('changing', { description: 'Other words' }) as { definition: object };
    const answer = await operator('PUT', '/tenants/acme/sources/changing?dryRun=true', { definition }, ANY);
    expect(answer.body.catalogue.tools).toEqual({
      added: [],
      removed: [],
      changed: [{ key: 'changing', members: ['description'] }],
    });
  });

  it('wants If-Match; of two who read the same, one is told that it has changed', async () => {
    await operator('POST', '/tenants/acme/sources', tool('raced'));
    const { etag, body } = await operator('GET', '/tenants/acme/sources/raced');
    const put = (description: string, headers = {}) =>
      operator('PUT', '/tenants/acme/sources/raced', { definition: { ...body.definition, description } }, headers);
    expect((await put('none')).status).toBe(428);
    const both = await Promise.all([put('one', { 'if-match': etag }), put('two', { 'if-match': etag })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = both.find(({ status }) => status === 200)!;
    const now = await operator('GET', '/tenants/acme/sources/raced');
    expect(now).toMatchObject({ etag: winner.etag, body: { version: 2, definition: winner.body.definition } });
    const again = await operator('GET', '/tenants/acme/sources/raced', undefined, { 'if-none-match': now.etag });
    expect(again).toMatchObject({ status: 304, body: undefined });
  });

  it('with an Idempotency-Key is made once, however often it is sent', async () => {
    const headers = { 'idempotency-key': 'once-1' };
    const post = (name: string) => operator('POST', '/tenants/acme/sources', tool(name), headers);
    const both = await Promise.all([post('once'), post('once')]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0].body).toEqual(both[1].body);
    expect(both.map((answer) => answer.headers.get('idempotent-replayed')).sort()).toEqual([null, 'true'].sort());
    expect(await post('another')).toMatchObject({ status: 422, body: { type: '/admin/v1/problems/key_reused' } });
    const other = adminClient(running.server.url, await issueKey(running));
    expect((await other('POST', '/tenants/acme/sources', tool('others'), headers)).status).toBe(201);
  });

  it('is in the history, with who made it', async () => {
    await operator('PUT', '/tenants/acme/activations/notes', {}, NEW);
    const { body } = await operator('GET', '/tenants/acme/history?limit=1');
    expect(body.items[0]).toMatchObject({ action: 'activation.create', target: 'notes' });
    expect(body.items[0].actor).toMatch(/^key:/);
    expect(body.next).toEqual(expect.any(String));
  });
});

describe('lists', () => {
  it('come in pages, each source once, and a cursor is good for its list alone', async () => {
    for (const name of ['p1', 'p2', 'p3']) await operator('POST', '/tenants/other/sources', tool(name));
    const names: string[] = [];
    for (let path = '/tenants/other/sources?limit=2'; path !== '';) {
      const { body, headers } = await operator('GET', path);
      names.push(...body.items.map(({ name }: { name: string }) => name));
      path = /^<\/admin\/v1(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(names).toEqual(['p1', 'p2', 'p3']);
    const { next } = (await operator('GET', '/tenants/other/sources?limit=2')).body;
    const elsewhere = await operator('GET', `/tenants/acme/sources?cursor=${next}`);
    expect(elsewhere).toMatchObject({ status: 400, body: { errors: [{ parameter: 'cursor' }] } });
  });
});

describe('tenants', () => {
  it('are made, suspended, to be deleted, and restored', async () => {
    const { status, body } = await operator('POST', '/tenants', { slug: 'new', title: 'New', access: 'open' });
    expect([status, body.url]).toEqual([201, running.url('new')]);
    expect((await operator('POST', '/tenants', { slug: 'new', title: 'New' })).status).toBe(409);
    const list = () => send(running.url('new'), { method: 'tools/list' });
    expect((await list()).status).toBe(200);
    const { body: going } = await operator('DELETE', '/tenants/new', undefined, ANY);
    expect(going).toMatchObject({ status: 'suspended', deletesAt: expect.any(String) });
    expect((await list()).status).toBe(403);
    expect((await operator('POST', '/tenants/new/resume')).status).toBe(409);
    expect((await operator('POST', '/tenants/new/restore')).body).toMatchObject({ status: 'active', deletesAt: null });
    expect((await list()).status).toBe(200);
  });

  it('keep their settings where none are given, and refuse those that cannot be', async () => {
    const { body } = await operator('PATCH', '/tenants/acme', { title: 'Acme Inc.' }, ANY);
    expect(body).toMatchObject({ title: 'Acme Inc.', access: 'open' });
    const policyAfter = async (accessPolicy: object) =>
      (await operator('PATCH', '/tenants/acme', { accessPolicy }, ANY)).body.accessPolicy;
    const scopes = [{ name: 'notes:read', implies: [] }];
    await policyAfter({ scopes });
    expect(await policyAfter({ baseline: ['notes:read'] })).toMatchObject({ scopes, baseline: ['notes:read'] });
    expect(await policyAfter({ scopes: null, baseline: null })).toMatchObject({ scopes: [], baseline: [] });
    const wrong = { accessPolicy: { scopes: [{ name: 'a b' }], rolez: {} } };
    const answer = await operator('PATCH', '/tenants/acme', wrong, ANY);
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/accessPolicy/scopes/0/name',
      '/accessPolicy/rolez',
    ]);
    const unknown = await operator('PATCH', '/tenants/acme?dryrun=true', { title: 'x' }, ANY);
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ parameter: 'dryrun' }] } });
  });

  it('are exported without what is secret', async () => {
    await operator('PUT', '/tenants/acme/secrets/exported', { value: 'never-shown' }, NEW);
    const { body } = await operator('GET', '/tenants/acme/export');
    expect(body.secrets).toContain('exported');
    expect(JSON.stringify(body)).not.toContain('never-shown');
  });
});

describe('people and credentials', () => {
  it('are managed: scopes, roles, members, clients and tokens', async () => {
    const admin = adminClient(running.server.url, await issueKey(running, 'other'));
    expect((await admin('PUT', '/tenants/other/scopes/a%3Awrite', { implies: ['a:read'] }, NEW)).status).toBe(201);
    expect((await admin('PUT', '/tenants/other/roles/reader', { scopes: ['a:read'] }, NEW)).status).toBe(201);
    const nobody = await admin('POST', '/tenants/other/members', { email: 'new@x.example', role: 'reader' });
    expect(nobody).toMatchObject({ status: 422, body: { errors: [{ pointer: '/email' }] } });
    const made = await operator('POST', '/tenants/other/members', { email: 'new@x.example', role: 'reader' });
    expect(made).toMatchObject({ status: 201, body: { role: 'reader', password: expect.any(String) } });
    expect((await admin('DELETE', '/tenants/other/roles/reader', undefined, ANY)).status).toBe(409);
    const path = `/tenants/other/members/${made.body.accountId}`;
    expect((await admin('PUT', path, { role: 'member' }, { 'if-match': made.etag })).body.role).toBe('member');
    expect((await admin('DELETE', path, undefined, ANY)).status).toBe(204);
    const client = await admin('POST', '/tenants/other/clients', { name: 'c', redirectUris: ['https://h.example/cb'] });
    expect(client).toMatchObject({ status: 201, body: { clientSecret: expect.any(String), agent: false } });
    const bad = await admin('POST', '/tenants/other/clients', { name: 'c', redirectUris: ['http://h.example/cb'] });
    expect(bad).toMatchObject({ status: 422, body: { errors: [{ pointer: '/redirectUris/0' }] } });
    expect((await admin('DELETE', `/tenants/other/clients/${client.body.clientId}`, undefined, ANY)).status).toBe(204);
  });

  it('issues tokens that open the tenant, until they are revoked', async () => {
    await operator('POST', '/tenants', { slug: 'machines', title: 'Machines', access: 'tokens' });
    const { body } = await operator('POST', '/tenants/machines/tokens', { name: 'robot' });
    const call = () =>
      send(running.url('machines'), { method: 'tools/list', headers: { authorization: `Bearer ${body.token}` } });
    expect((await call()).status).toBe(200);
    expect((await operator('DELETE', `/tenants/machines/tokens/${body.id}`, undefined, ANY)).status).toBe(204);
    expect((await call()).status).toBe(401);
  });
});

describe('signing in', () => {
  const password = 'correct-horse-1';
  const login = (email: string, given = password) =>
    adminClient(running.server.url)('POST', '/login', { email, password: given });

  it('gives operators everything, and others the tenants where they are owner or admin, as long as they are', async () => {
    const accounts = running.server.app.get(AccountStore);
    const tenants = running.server.app.get(TenantStore);
    const passwordHash = await running.server.app.get(Passwords).hash(password);
    await accounts.create({ login: 'op@x.example', name: 'Op', passwordHash, operator: true });
    const { id } = await accounts.create({ login: 'owner@x.example', name: 'Owner', passwordHash });
    const op = adminClient(running.server.url, (await login('op@x.example')).body.key);
    expect((await op('GET', '/me')).body).toMatchObject({ operator: true, scopes: ['*'] });
    expect((await login('owner@x.example')).status).toBe(403);
    const { id: acme } = (await tenants.findBySlug('acme'))!;
    await accounts.setMembership(acme, id, 'owner');
    const owner = adminClient(running.server.url, (await login('owner@x.example')).body.key);
    expect((await owner('GET', '/me')).body).toMatchObject({ operator: false, tenants: [{ slug: 'acme' }] });
    expect((await owner('GET', '/tenants')).body.items).toHaveLength(1);
    expect((await owner('GET', '/tenants/other')).status).toBe(404);
    await accounts.setMembership(acme, id, 'member');
    expect((await owner('GET', '/me')).status).toBe(401);
  });

  it('is refused to strangers, and after too many failures for a while', async () => {
    expect((await login('nobody@x.example', 'wrong')).status).toBe(401);
    for (let at = 0; at < 8; at += 1) await login('slow@x.example', 'wrong');
    const answer = await login('slow@x.example', 'wrong');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '900']);
  });
});

describe('keys', () => {
  it('give no more than their issuer has, and end when they are revoked', async () => {
    const narrow = adminClient(running.server.url, await issueKey(running, 'acme', ['keys:write', 'sources:read']));
    const wider = await narrow('POST', '/keys', { name: 'w', tenant: 'acme', scopes: ['secrets:write'] });
    expect(wider).toMatchObject({ status: 403, body: { scope: 'secrets:write' } });
    expect((await narrow('POST', '/keys', { name: 'w' })).status).toBe(403);
    const { body } = await narrow('POST', '/keys', { name: 'r', tenant: 'acme', scopes: ['sources:read'], days: 1 });
    const reader = adminClient(running.server.url, body.key);
    expect((await reader('GET', '/tenants/acme/sources')).status).toBe(200);
    expect((await reader('POST', '/tenants/acme/sources', tool('x'))).status).toBe(403);
    expect((await narrow('DELETE', `/keys/${body.id}`, undefined, ANY)).status).toBe(204);
    const answer = await reader('GET', '/tenants/acme/sources');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer realm="admin", .*error="invalid_token"$/),
    ]);
  });
});

describe('a catalogue', () => {
  it('is shown as hosts see it', async () => {
    const { body } = await operator('GET', '/tenants/other/catalogue');
    const { tools } = resultOf(await send(running.url('other'), { method: 'tools/list' }));
    expect(body.tools.map(({ definition }: { definition: object }) => definition)).toEqual(tools);
  });
});
