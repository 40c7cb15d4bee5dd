import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminScope } from '#admin/access/admin-scopes.js';
import { type AdminCall, adminClient, issueKey } from '../support/admin-client.js';
import { adminPaths } from '../support/route-table.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';

interface Operation {
  readonly method: string;
  /** Below `/admin/v1`, with values for its parameters. */
  readonly path: string;
  readonly isOfTenant: boolean;
  readonly isPublic: boolean;
  readonly scope: AdminScope | undefined;
}

let running: RunningServer;
let operations: readonly Operation[];
let documented: readonly string[];
const as: Record<string, AdminCall> = {};

beforeAll(async () => {
  running = await runServer({ modules: [], tenants: [openTenant('mine'), openTenant('theirs')] });
  const { url } = running.server;
  as['nobody'] = adminClient(url);
  as['a stranger'] = adminClient(url, `cwk_${'x'.repeat(43)}`);
  as['another tenant'] = adminClient(url, await issueKey(running, 'theirs'));
  as['keys:read'] = adminClient(url, await issueKey(running, 'mine', ['keys:read']));
  as['sources:read'] = adminClient(url, await issueKey(running, 'mine', ['sources:read']));
  as['its admin'] = adminClient(url, await issueKey(running, 'mine'));
  const { body } = await as['nobody']('GET', '/openapi.json');
  documented = Object.keys(body.paths);
  operations = Object.entries(body.paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: path
        .replace('/admin/v1', '')
        .replace('{slug}', 'mine')
        .replaceAll(/\{\w+\}/g, 'thing'),
      isOfTenant: path.includes('{slug}'),
      isPublic: security.length === 0,
      scope: security.find(({ key }: { key?: string[] }) => key)?.key[0],
    })),
  );
});

afterAll(async () => running[Symbol.asyncDispose]());

const locked = (): readonly Operation[] => operations.filter(({ isPublic }) => !isPublic);
const ofTenant = (): readonly Operation[] => operations.filter(({ isOfTenant }) => isOfTenant);

/** What each operation answers to a caller, as `METHOD path: status`. */
async function statuses(which: readonly Operation[], caller: (operation: Operation) => AdminCall) {
  const rows = which.map(async (operation) => {
    const { status, body } = await caller(operation)(operation.method, operation.path);
    return { row: `${operation.method} ${operation.path}`, status, type: body?.type, scope: body?.scope };
  });
  return Promise.all(rows);
}

/** A key of the tenant that lacks the scope. */
const lacking = ({ scope }: Operation): AdminCall =>
  as[scope?.startsWith('keys:') === true ? 'sources:read' : 'keys:read']!;

describe('every route of the admin API', () => {
  it('is in the OpenAPI document', () => {
    const paths = adminPaths(running.server).map((path) => path.replaceAll(/:(\w+)/g, '{$1}'));
    const pages = paths.filter((path) => /^\/admin\/v1(?:\/|\/docs.*)?$/.test(path));
    expect([...documented, ...pages].sort()).toEqual([...new Set(paths)].sort());
    expect(pages).toHaveLength(10);
    expect(operations.length).toBeGreaterThan(50);
  });

  it.each(['nobody', 'a stranger'])('is 401 for %s, unless it is public', async (who) => {
    // one address may fail 30 times a minute, and is told 429 after that
    const answers = await statuses(locked(), () => as[who]!);
    const expected = who === 'nobody' ? [401] : [401, 429];
    expect(answers.filter(({ status }) => !expected.includes(status))).toEqual([]);
    expect(operations.filter(({ isPublic }) => isPublic).map(({ path }) => path)).toEqual([
      '/login',
      '/problems/thing',
      '/openapi.json',
    ]);
  });

  it("is 404 for another tenant's admin, as for a tenant that is not there", async () => {
    for (const { method, path } of ofTenant()) {
      const theirs = await as['another tenant']!(method, path);
      const nobodys = await as['another tenant']!(method, path.replace('/mine', '/nobodys'));
      expect([method, path, theirs.status, theirs.body]).toEqual([method, path, 404, nobodys.body]);
    }
  });

  it('is 403 for who lacks the scope, and names it', async () => {
    const scoped = locked().filter(({ scope, path, method }) => {
      return scope !== undefined && !(path === '/tenants' && method === 'POST');
    });
    const answers = await statuses(scoped, lacking);
    expect(answers.filter(({ status }) => status !== 403)).toEqual([]);
    expect(answers.map(({ scope }) => scope)).toEqual(scoped.map(({ scope }) => scope));
  });

  it('is for operators alone where it makes tenants', async () => {
    const answer = await as['its admin']!('POST', '/tenants', { slug: 'x', title: 'x' });
    expect(answer).toMatchObject({ status: 403, body: { type: '/admin/v1/problems/operators_only' } });
  });

  it('shows the admin of a tenant that tenant alone', async () => {
    const tenants = await as['its admin']!('GET', '/tenants');
    expect(tenants.body.items.map(({ slug }: { slug: string }) => slug)).toEqual(['mine']);
    const keys = await as['its admin']!('GET', '/keys');
    expect(new Set(keys.body.items.map(({ tenant }: { tenant: string }) => tenant))).toEqual(new Set(['mine']));
    const refused = await as['its admin']!('POST', '/keys', { name: 'k', tenant: 'theirs' });
    const unknown = await as['its admin']!('POST', '/keys', { name: 'k', tenant: 'nobodys' });
    expect([refused.status, refused.body]).toEqual([unknown.status, unknown.body]);
  });

  it('wants If-Match for PUT, PATCH and DELETE, and never fails by itself', async () => {
    const changes = ofTenant().filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method));
    const answers = await statuses(changes, () => as['its admin']!);
    expect(answers.filter(({ status }) => status !== 428 && status !== 404)).toEqual([]);
    expect((await statuses(operations, () => as['its admin']!)).filter(({ status }) => status >= 500)).toEqual([]);
  });
});
