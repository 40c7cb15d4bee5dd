import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountStore } from '#authorization/stores/account.store.js';
import { Database } from '#persistence/database.js';
import { type AdminCall, adminClient, issueKey } from '../support/admin-client.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';

const ANY = { 'if-match': '*' };
const NEW = { 'if-none-match': '*' };

let running: RunningServer;
let operator: AdminCall;
let key: string;
let tenantAdmin: AdminCall;
let slug: string;
let count = 0;

beforeAll(async () => {
  running = await runServer({ modules: [], tenants: [openTenant('mine')] });
  operator = adminClient(running.server.url, await issueKey(running));
});

beforeEach(async () => {
  slug = `tenant-${(count += 1)}`;
  await operator('POST', '/tenants', { slug, title: 'A tenant' });
  key = await issueKey(running, slug);
  tenantAdmin = adminClient(running.server.url, key);
});

afterAll(async () => running[Symbol.asyncDispose]());

const prompt = (text = 'x') => ({ description: 'd', messages: [{ role: 'user', content: { type: 'text', text } }] });
const status = async () => (await operator('GET', `/tenants/${slug}`)).body.status;

describe('a tenant that an operator suspended', () => {
  beforeEach(async () => {
    await operator('POST', `/tenants/${slug}/suspend`);
  });

  it('is not resumed by its own admin', async () => {
    const answer = await tenantAdmin('POST', `/tenants/${slug}/resume`);
    expect([answer.status, await status()]).toEqual([403, 'suspended']);
  });

  it('is not brought back by deleting and restoring it', async () => {
    await tenantAdmin('DELETE', `/tenants/${slug}`, undefined, ANY);
    const answer = await tenantAdmin('POST', `/tenants/${slug}/restore`);
    expect([answer.status, await status()]).toEqual([403, 'suspended']);
  });

  it('stays so when its admin suspends it too', async () => {
    await tenantAdmin('POST', `/tenants/${slug}/suspend`);
    expect((await tenantAdmin('POST', `/tenants/${slug}/resume`)).status).toBe(403);
  });

  it('is resumed by an operator, and then is its own again', async () => {
    expect((await operator('POST', `/tenants/${slug}/resume`)).body).toMatchObject({ status: 'active', held: false });
    await tenantAdmin('POST', `/tenants/${slug}/suspend`);
    expect((await tenantAdmin('POST', `/tenants/${slug}/resume`)).status).toBe(200);
  });
});

it('does not restore what an operator deleted', async () => {
  await operator('DELETE', `/tenants/${slug}`, undefined, ANY);
  expect((await tenantAdmin('POST', `/tenants/${slug}/restore`)).status).toBe(403);
  expect((await operator('POST', `/tenants/${slug}/restore`)).body.status).toBe('active');
});

describe('an admin of a tenant', () => {
  it('does not have the sealed secret of its provider sent to another issuer', async () => {
    const upstreamProvider = { issuer: 'https://id.example', clientId: 'c', clientSecret: 'hush', label: 'Id' };
    const path = `/tenants/${slug}`;
    const { body } = await tenantAdmin('PATCH', path, { accessPolicy: { upstreamProvider } }, ANY);
    const provider = body.accessPolicy.upstreamProvider;
    const set = (given: object) => tenantAdmin('PATCH', path, { accessPolicy: { upstreamProvider: given } }, ANY);
    expect((await set({ ...provider, label: 'Other' })).status).toBe(200);
    expect((await set({ ...provider, issuer: 'https://evil.example' })).body.errors).toEqual([
      expect.objectContaining({ pointer: '/accessPolicy/upstreamProvider/sealedSecret' }),
    ]);
  });

  it('does not make the access policy larger than it may be, a role at a time', async () => {
    const scopes = Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(128, 'x'));
    const statuses: number[] = [];
    for (let role = 0; role < 9; role += 1)
      statuses.push((await tenantAdmin('PUT', `/tenants/${slug}/roles/role-${role}`, { scopes }, NEW)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([201, 422]);
  });

  it('is told when a role cannot be kept by its name', async () => {
    const answer = await tenantAdmin('PUT', `/tenants/${slug}/roles/__proto__`, { scopes: ['*'] }, NEW);
    expect(answer.body.title).toBe('Invalid body');
    const { body } = await tenantAdmin('GET', `/tenants/${slug}/history`);
    expect(body.items.map(({ action }: { action: string }) => action)).not.toContain('role.delete');
  });

  it('registers nothing whose path would lead elsewhere', async () => {
    for (const name of ['.', '..']) {
      const answer = await tenantAdmin('POST', `/tenants/${slug}/sources`, {
        name,
        kind: 'prompt',
        definition: prompt(),
      });
      expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '/name' })]);
    }
  });

  it('reaches what has the longest name', async () => {
    const path = `/tenants/${slug}/secrets/${'n'.repeat(128)}`;
    expect((await tenantAdmin('PUT', path, { value: 'v' }, NEW)).status).toBe(201);
    expect((await tenantAdmin('DELETE', path, undefined, ANY)).status).toBe(204);
  });

  it.each([
    ['half an escape', '%zz'],
    ['no UTF-8', '%ED%A0%80'],
    ['5,000 characters', 'x'.repeat(5_000)],
  ])('is answered by a problem document on a path with %s', async (_what, name) => {
    const answer = await tenantAdmin('GET', `/tenants/${name}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringMatching('problem')]);
  });

  it('gets 412, not 422, for a change of what was deleted meanwhile', async () => {
    const answer = await tenantAdmin('PUT', `/tenants/${slug}/sources/gone`, { definition: prompt() }, ANY);
    expect(answer.status).toBe(412);
  });

  it.each(['a\u0000b', '\ud800'])('is told that %j cannot be kept as it is', async (value) => {
    const answer = await tenantAdmin('PUT', `/tenants/${slug}/secrets/odd`, { value }, NEW);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '/value' })]);
  });

  it('does not fill the memory of the nodes', async () => {
    const { client } = running.server.app.get(Database);
    await client.$executeRaw`
      INSERT INTO sources (tenant_id, id, name, kind, definition, updated_at)
      SELECT id, gen_random_uuid(), 'large', 'prompt', json_build_object('x', repeat('x', 64 * 1024 * 1024)), now()
      FROM tenants WHERE slug = ${slug}`;
    const add = () =>
      tenantAdmin('POST', `/tenants/${slug}/sources`, { name: 'more', kind: 'prompt', definition: prompt() });
    expect((await add()).body).toMatchObject({ status: 409, title: 'Limit reached' });
    await tenantAdmin('DELETE', `/tenants/${slug}/sources/large`, undefined, ANY);
    expect((await add()).status).toBe(201);
  });

  it('does not end the last owner or admin', async () => {
    const add = async (name: string, role: string) => {
      const { body } = await operator('POST', `/tenants/${slug}/members`, { email: `${name}@${slug}.example`, role });
      return `/tenants/${slug}/members/${body.accountId}`;
    };
    const [owner, other] = [await add('owner', 'owner'), await add('other', 'admin')];
    expect((await tenantAdmin('DELETE', other, undefined, ANY)).status).toBe(204);
    expect((await tenantAdmin('DELETE', owner, undefined, ANY)).status).toBe(409);
    expect((await tenantAdmin('PUT', owner, { role: 'member' }, ANY)).status).toBe(409);
    expect((await tenantAdmin('PUT', owner, { role: 'admin' }, ANY)).status).toBe(200);
    expect((await operator('DELETE', owner, undefined, ANY)).status).toBe(204);
  });

  it('does not keep others from signing in by naming strangers', async () => {
    const accounts = running.server.app.get(AccountStore);
    const strangers = Array.from({ length: 150 }, (_, index) =>
      tenantAdmin('POST', `/tenants/${slug}/members`, { email: `nobody-${index}@x.example` }),
    );
    const signIn = adminClient(running.server.url)('POST', '/login', { email: 'nobody@x.example', password: 'wrong' });
    const answers = await Promise.all([...strangers, signIn]);
    expect([...new Set(answers.map((answer) => answer.status))]).toEqual([422, 401]);
    expect(await accounts.findByLogin('nobody-1@x.example')).toBeUndefined();
  });
});

describe('a request', () => {
  it('with two Authorization fields is refused: a proxy may have seen the other', async () => {
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const headers = ['Host', 'localhost', 'Authorization', `Bearer ${key}`, 'authorization', 'Bearer cwk_other'];
      const sent = request(`${running.server.url}/admin/v1/me`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
    expect(answered).toBe(400);
  });

  it('whose body is not UTF-8 changes nothing', async () => {
    const response = await fetch(`${running.server.url}/admin/v1/tenants/${slug}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...ANY },
      body: Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    });
    expect([response.status, (await tenantAdmin('GET', `/tenants/${slug}`)).body.title]).toEqual([400, 'A tenant']);
  });
});
