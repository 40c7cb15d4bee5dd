import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idHash } from '#authorization/provider/record.adapter.js';
import { findPostgres, runSql, temporarySchema } from '../support/databases.js';
import { type EndpointAnswer, OAuthClient } from '../support/oauth-client.js';
import { Person } from '../support/person.js';
import { type ServerProcess, startProcess } from '../support/server-process.js';
import { send } from '../support/wire.js';

const AT_ONCE = 8;
const COUNT = 50;
const REDIRECT_URI = 'https://app.example/callback';

const postgres = await findPostgres();

(postgres === undefined ? describe.skip : describe)('two nodes on one database', () => {
  const schema = temporarySchema(postgres ?? '');
  const [, schemaName] = /schema=(\w+)/.exec(schema.value.url)!;
  const password = randomBytes(9).toString('base64url');
  const person = new Person('owner@localhost', password);
  let environment: Readonly<Record<string, string>>;
  let nodes: ServerProcess[];

  beforeAll(async () => {
    environment = {
      DATABASE_URL: schema.value.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      OWNER_PASSWORD: password,
      OAUTH_RATE_FACTOR: '100',
    };
    const first = await startProcess(environment);
    environment = { ...environment, PUBLIC_URL: first.url };
    nodes = [first, await startProcess(environment)];
  });

  afterAll(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await schema.dispose();
  });

  const first = (): ServerProcess => nodes[0]!;
  const second = (): ServerProcess => nodes[1]!;
  const resource = (): string => `${first().url}/t/demo-secure/mcp`;
  const newClient = () => OAuthClient.register(first().url, { redirect_uris: [REDIRECT_URI] });

  /** The same request eight times at once, in turn at either node. */
  const atOnce = (client: OAuthClient, ask: (client: OAuthClient) => Promise<EndpointAnswer>) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(client.at(nodes[index % 2]!.place))));

  /** The second time, nobody is asked: the answer comes at once. */
  async function codes(client: OAuthClient, count: number): Promise<readonly string[]> {
    const made: string[] = [];
    while (made.length < count) made.push(await client.code(person, { resource: resource() }));
    return made;
  }

  async function statusAt(node: ServerProcess, token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await send(`${node.place}/t/demo-secure/mcp`, { method: 'tools/list', headers })).status;
  }

  async function age(token: string, seconds: number): Promise<void> {
    await runSql(
      postgres!,
      `UPDATE ${schemaName}.oauth_records SET consumed_at = consumed_at - interval '${seconds} seconds'
       WHERE id_hash = '${idHash(token)}'`,
    );
  }

  async function until(limitMs: number, condition: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + limitMs;
    while (!(await condition())) {
      if (Date.now() > deadline) throw new Error('Waited in vain.');
      await delay(100);
    }
  }

  it('redeem each code once, and what the winner got stays good', async () => {
    const client = await newClient();
    const won: EndpointAnswer['body'][] = [];
    for (const code of await codes(client, COUNT)) {
      const answers = await atOnce(client, (one) => one.redeem(code));
      const good = answers.filter(({ status }) => status === 200);
      const others = answers.filter(({ status }) => status !== 200);
      expect(good).toHaveLength(1);
      expect(new Set(others.map(({ status, body }) => `${status} ${body['error']}`))).toEqual(
        new Set(['400 invalid_grant']),
      );
      won.push(good[0]!.body);
    }
    for (const [index, tokens] of won.entries()) {
      const node = nodes[index % 2]!;
      expect(await statusAt(node, tokens['access_token'])).toBe(200);
      expect((await client.at(node.place).refresh(tokens['refresh_token'])).status).toBe(200);
    }
  });

  it('refresh each token as often as it comes within the grace, with another one each time', async () => {
    const client = await newClient();
    const seen = new Set<string>();
    for (const code of await codes(client, COUNT)) {
      const { body } = await client.redeem(code);
      const answers = await atOnce(client, (one) => one.refresh(body['refresh_token']));
      expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
      for (const answer of answers) seen.add(answer.body['refresh_token']);
    }
    expect(seen.size).toBe(COUNT * AT_ONCE);
  });

  it('end the grant where a token comes again after the grace, on the other node too', async () => {
    const client = await newClient();
    const [code = ''] = await codes(client, 1);
    const { body: tokens } = await client.redeem(code);
    const { body: refreshed } = await client.refresh(tokens['refresh_token']);
    for (const node of nodes) expect(await statusAt(node, refreshed['access_token'])).toBe(200);

    await age(tokens['refresh_token'], 61);
    const answers = await atOnce(client, (one) => one.at(second().place).refresh(tokens['refresh_token']));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body['error']}`))).toEqual(
      new Set(['400 invalid_grant']),
    );
    expect(await statusAt(second(), refreshed['access_token'])).toBe(401);
    for (const node of nodes)
      expect((await client.at(node.place).refresh(refreshed['refresh_token'])).status).toBe(400);
    await until(15_000, async () => (await statusAt(first(), refreshed['access_token'])) === 401);
  });

  it('lose nothing when one of them dies in the middle of it', async () => {
    const client = await newClient();
    const made = await codes(client, 20);
    const tokens = await Promise.all(made.slice(0, 10).map(async (code) => (await client.redeem(code)).body));
    const { place } = second();
    const started = tokens.map(({ refresh_token: token }) => client.at(place).refresh(token));
    await started[0];
    await second().kill();
    const finished = await Promise.allSettled(started);
    expect(finished[0]!.status).toBe('fulfilled');

    for (const [index, outcome] of finished.entries()) {
      const answered = outcome.status === 'fulfilled' ? outcome.value.body['refresh_token'] : undefined;
      for (const token of [tokens[index]!['refresh_token'], answered]) {
        if (token !== undefined) expect((await client.refresh(token)).status).toBe(200);
      }
    }
    await second()[Symbol.asyncDispose]();
    nodes[1] = await startProcess(environment);
    for (const code of made.slice(10)) {
      const { status, body } = await client.at(second().place).redeem(code);
      expect([status, await statusAt(first(), body['access_token'])]).toEqual([200, 200]);
    }
    expect(await statusAt(second(), tokens[0]!['access_token'])).toBe(200);
  });
});
