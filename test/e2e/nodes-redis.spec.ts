import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPostgres, temporarySchema } from '../support/databases.js';
import { Host, Nodes } from '../support/nodes.js';
import { ownRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const postgres = await findPostgres();
const redis = await ownRedis();

(postgres && redis ? describe : describe.skip)('three nodes on Postgres and Redis', () => {
  const schema = temporarySchema(postgres ?? '');
  let nodes: Nodes;
  let hosts: Host[];

  beforeAll(async () => {
    const REDIS_PREFIX = randomBytes(6).toString('hex');
    nodes = new Nodes({ DATABASE_URL: schema.value.url, REDIS_URL: redis!.url, REDIS_PREFIX });
    for (let count = 0; count < 3; count += 1) await nodes.start();
    hosts = await Promise.all(nodes.nodes.map(async (node) => (await Host.connect(node)).listen()));
  });

  afterAll(async () => {
    for (const host of hosts) await host[Symbol.asyncDispose]();
    await nodes[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
    await schema.dispose();
  });

  const allHear = (numbers: readonly number[], since: readonly number[]): Promise<unknown> =>
    Promise.all(hosts.map((host, index) => host.untilShown(numbers, since[index]!)));
  const counts = (what: 'tools' | 'counter'): number[] => hosts.map(({ heard }) => heard[what]);
  const times = (text: string): number => nodes.log.split(text).length - 1;

  it('tell every listener what was registered on one of them', async () => {
    const before = counts('tools');
    await hosts[0]!.register(1);
    await allHear([1], before);
    const between = counts('tools');
    await hosts[2]!.register(2);
    await allHear([1, 2], between);
  });

  it('tell every listener of changed contents, once', async () => {
    await hosts[1]!.touch();
    await until(() => counts('counter').every((count) => count > 0));
    expect(counts('counter')).toEqual([1, 1, 1]);
  });

  it('serve on when Redis is killed, and tell what changes meanwhile and afterwards', async () => {
    await redis!.kill();
    await until(() => times('Redis carries no changes just now') === 3);
    const [tools, counter] = [counts('tools'), counts('counter')];
    await hosts[1]!.register(3);
    await hosts[2]!.touch();
    await allHear([3], tools);
    await until(() => counts('counter').every((count, index) => count > counter[index]!));

    await redis!.start();
    await until(() => times('Redis carries changes again') === 3);
    const since = counts('tools');
    await hosts[0]!.register(4);
    await allHear([3, 4], since);
    await hosts[1]!.touch();
    await until(() => counts('counter').every((count, index) => count > counter[index]! + 1));
    expect(counts('counter')).toEqual(counter.map((count) => count + 2));
    expect(times('Redis carries no changes just now')).toBe(3);
  });
});
