import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminCall, adminClient, issueKey } from '../support/admin-client.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';

let running: RunningServer;
let admin: AdminCall;

beforeAll(async () => {
  running = await runServer({ modules: [], tenants: [openTenant('mine')] });
  admin = adminClient(running.server.url, await issueKey(running));
});

afterAll(async () => running[Symbol.asyncDispose]());

const source = (definition: string): string => `{"name":"x","kind":"http_tool","definition":${definition}}`;

/** Bodies, and the problems that they are answered with. */
const BODIES: readonly (readonly [what: string, body: string, kind: string])[] = [
  ['no JSON', '{"name":', 'malformed_json'],
  ['nothing', '', 'invalid_body'],
  ['a deep nest', source('['.repeat(5_000) + ']'.repeat(5_000)), 'malformed_json'],
  ['two megabytes', source(`{"x":"${'x'.repeat(2_000_000)}"}`), 'payload_too_large'],
  ['a definition over its limit', source(`{"x":"${'x'.repeat(1_050_000)}"}`), 'invalid_body'],
  ['a number that is none', source('{"timeoutMs":1e999}'), 'invalid_body'],
  ['U+0000', source('{"description":"\\u0000"}'), 'invalid_body'],
  ['half a surrogate pair', source('{"description":"\\ud800"}'), 'invalid_body'],
  ['a prototype', '{"__proto__":{"name":"x"},"kind":"http_tool","definition":{}}', 'invalid_body'],
  ['a constructor', '{"constructor":{"prototype":{"x":1}},"name":"x"}', 'invalid_body'],
  ['an array', '[]', 'invalid_body'],
  ['null', 'null', 'invalid_body'],
  ['wrong types', '{"name":1,"kind":{},"definition":[]}', 'invalid_body'],
  ['a member that is not there', '{"name":"x","kind":"prompt","definition":{},"owner":"me"}', 'invalid_body'],
  ['a name that climbs', '{"name":"../x","kind":"prompt","definition":{}}', 'invalid_body'],
  ['a definition of nothing', source('{}'), 'invalid_definition'],
];

describe('a hostile body', () => {
  it.each(BODIES)('of %s is refused by a problem document', async (_what, body, kind) => {
    const answer = await admin('POST', '/tenants/mine/sources', body);
    expect(answer.body.type).toBe(`/admin/v1/problems/${kind}`);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(JSON.stringify(answer.body).length).toBeLessThan(5_000);
  });

  it('of another media type is refused', async () => {
    const answer = await admin('POST', '/tenants/mine/sources', 'name=x', { 'content-type': 'text/plain' });
    expect(answer).toMatchObject({ status: 415, body: { title: 'Unsupported media type' } });
  });

  it('does not make objects of what they are not', async () => {
    await admin('PATCH', '/tenants/mine', '{"accessPolicy":{"roles":{"__proto__":["*"]}}}', { 'if-match': '*' });
    expect(({} as Record<string, unknown>)['roles']).toBeUndefined();
    expect((await admin('GET', '/tenants/mine')).status).toBe(200);
  });
});

describe('a hostile header or path', () => {
  it.each([
    ['if-match', 'no-quotes'],
    ['idempotency-key', 'x'.repeat(200)],
  ])('%s is refused by its name', async (header, value) => {
    const method = header === 'if-match' ? 'DELETE' : 'POST';
    const path = header === 'if-match' ? '/tenants/mine/sources/x' : '/tenants/mine/sources';
    const body = method === 'POST' ? source('{}') : undefined;
    const answer = await admin(method, path, body, { [header]: value });
    expect([answer.status, answer.body.errors[0].parameter.toLowerCase()]).toEqual([400, header]);
  });

  it.each(['/tenants/%00', '/tenants/mine/sources/%00', '/keys/%00', '/tenants/mine/members/%00', '/nothing'])(
    '%s is not there',
    async (path) => {
      expect((await admin('GET', path)).status).toBe(404);
    },
  );
});
