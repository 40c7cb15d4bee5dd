import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminCall } from '../support/admin-client.js';
import { findPostgres, temporarySchema } from '../support/databases.js';
import type { Host } from '../support/listening-host.js';
import { Nodes } from '../support/nodes.js';
import { nameOf, numbered, register, registerCounter, touchCounter } from '../support/numbered-sources.js';
import { ownRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { runUpstream } from '../support/upstream-service.js';

const postgres = await findPostgres();
const redis = await ownRedis();

(postgres && redis ? describe : describe.skip)('three nodes on Postgres and Redis', () => {
  const schema = temporarySchema(postgres ?? '');
  let nodes: Nodes;
  let hosts: Host[];
  let admins: AdminCall[];

  beforeAll(async () => {
    const REDIS_PREFIX = randomBytes(6).toString('hex');
    nodes = new Nodes({ DATABASE_URL: schema.value.url, REDIS_URL: redis!.url, REDIS_PREFIX });
    for (let count = 0; count < 3; count += 1) await nodes.start();
    admins = await nodes.admin();
    await registerCounter(admins[0]!);
    hosts = await nodes.hosts();
  });

  afterAll(async () => {
    for (const host of hosts) await host[Symbol.asyncDispose]();
    await nodes[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
    await schema.dispose();
  });

  const allAreTold = (...numbers: number[]): Promise<unknown> =>
    Promise.all(hosts.map((host) => host.untilTold(numbers.map(nameOf))));
  const counts = (): number[] => hosts.map(({ heard }) => heard.counter);

  it('tell every listener of the tool that was registered on one of them, and call it', async () => {
    await using upstream = await runUpstream();
    await register(admins[0]!, 1, upstream.origin);
    await register(admins[2]!, 2);
    await allAreTold(1, 2);
    const { structuredContent } = await hosts[1]!.client.callTool({ name: nameOf(1), arguments: {} });
    expect(structuredContent).toMatchObject({ method: 'GET', url: '/1' });
  });

  it('tell every listener of changed contents, once', async () => {
    await touchCounter(admins[1]!);
    await until(() => counts().every((count) => count > 0));
    expect(counts()).toEqual([1, 1, 1]);
  });

  it('show an admin of each who listens on all', async () => {
    for (const call of admins) {
      const { body } = await call('GET', '/tenants/acme/listeners');
      expect(body.items.map(({ filter }: any) => filter.toolsListChanged)).toEqual([true, true, true]);
    }
  });

  it('make one tool of one Idempotency-Key that is sent to all of them at once, with one answer', async () => {
    const headers = { 'idempotency-key': 'both' };
    const answers = await Promise.all(
      admins.map((call) => call('POST', '/tenants/acme/sources', numbered(10), headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await allAreTold(10);
    expect((await hosts[2]!.list()).filter((name) => name === nameOf(10))).toHaveLength(1);
    const { body } = await admins[2]!('GET', '/tenants/acme/history?limit=200');
    expect(body.items.filter(({ target }: any) => target === nameOf(10))).toHaveLength(1);
  });

  it('let one of two admins win who read the same tool, each on a node of their own', async () => {
    await register(admins[0]!, 20);
    const racers = [(await nodes.admin())[0]!, (await nodes.admin())[1]!];
    for (let round = 0; round < 10; round += 1) {
      const { etag } = await racers[1]!('GET', '/tenants/acme/sources/numbered-20');
      const answers = await Promise.all(
        racers.map((call, at) => {
          const definition = { ...numbered(20).definition, description: `Of ${at} in round ${round}` };
          return call('PUT', '/tenants/acme/sources/numbered-20', { definition }, { 'if-match': etag });
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      const winner = answers.findIndex(({ status }) => status === 200);
      await until(async () => {
        const { tools } = await hosts[2]!.client.listTools();
        return tools.some(({ description }) => description === `Of ${winner} in round ${round}`);
      });
    }
  });

  it('serve on when Redis is killed, and tell what changes meanwhile and afterwards', async () => {
    await redis!.kill();
    await until(() => nodes.times('Redis carries no changes just now') === 3);
    const before = counts();
    await register(admins[1]!, 3);
    await touchCounter(admins[2]!);
    await allAreTold(3);
    await until(() => counts().every((count, index) => count > before[index]!));

    await redis!.start();
    await until(() => nodes.times('Redis carries changes again') === 3);
    await register(admins[0]!, 4);
    await allAreTold(4);
    await touchCounter(admins[1]!);
    await until(() => counts().every((count, index) => count > before[index]! + 1));
    expect(counts()).toEqual(before.map((count) => count + 2));
    expect(nodes.times('Redis carries no changes just now')).toBe(3);
  });
});
