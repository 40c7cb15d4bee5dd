import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminCall, adminClient, issueKey } from '../support/admin-client.js';
import { findPostgres, temporarySchema } from '../support/databases.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { EventStream } from '../support/wire.js';

const postgres = await findPostgres();
const onPostgres = postgres === undefined ? describe.skip : describe;

const prompt = (name: string, text = 'Hello') => ({
  name,
  kind: 'prompt',
  definition: { name, messages: [{ role: 'user', content: { type: 'text', text } }] },
});

onPostgres('the admin API on two nodes', () => {
  const place = temporarySchema(postgres ?? '');
  const nodes: RunningServer[] = [];
  const calls: AdminCall[] = [];

  beforeAll(async () => {
    const environment = { SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
    const start = () => runServer({ modules: [], tenants: [openTenant('acme')], environment, database: place.value });
    nodes.push(await start(), await start());
    const key = await issueKey(nodes[0]!);
    for (const { server } of nodes) calls.push(adminClient(server.url, key));
  });

  afterAll(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await place.dispose();
  });

  it('makes one source of one Idempotency-Key sent to both at once, with one answer', async () => {
    const headers = { 'idempotency-key': 'both' };
    const answers = await Promise.all(
      calls.map((call) => call('POST', '/tenants/acme/sources', prompt('once'), headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    const { body } = await calls[1]!('GET', '/tenants/acme/sources');
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['once']);
  });

  it('lets one of two admins win who read the same, each on a node of their own', async () => {
    await calls[0]!('POST', '/tenants/acme/sources', prompt('raced'));
    const read = await Promise.all(calls.map((call) => call('GET', '/tenants/acme/sources/raced')));
    const answers = await Promise.all(
      calls.map((call, at) => {
        const { definition } = prompt('raced', `Words of ${at}`);
        return call('PUT', '/tenants/acme/sources/raced', { definition }, { 'if-match': read[at]!.etag });
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('registers on one what a listener on the other hears', async () => {
    using stream = await EventStream.open(nodes[1]!.url('acme'), {
      method: 'subscriptions/listen',
      params: { notifications: { promptsListChanged: true } },
      id: 'sub',
    });
    await stream.until(1);
    expect((await calls[0]!('POST', '/tenants/acme/sources', prompt('heard'))).status).toBe(201);
    expect((await stream.until(2))[1]).toMatchObject({ method: 'notifications/prompts/list_changed' });
    const { body } = await calls[0]!('GET', '/tenants/acme/listeners');
    expect(body.items).toMatchObject([{ filter: { promptsListChanged: true } }]);
  });
});
