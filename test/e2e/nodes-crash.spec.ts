import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { findPostgres, temporarySchema } from '../support/databases.js';
import type { Host } from '../support/listening-host.js';
import { Nodes } from '../support/nodes.js';
import { nameOf, register } from '../support/numbered-sources.js';
import { findRedis } from '../support/redis.js';

const postgres = await findPostgres();
const redis = await findRedis();

(postgres && redis ? describe : describe.skip)('one of three nodes that is killed', () => {
  const schema = temporarySchema(postgres ?? '');
  let nodes: Nodes;
  let hosts: Host[];

  beforeAll(async () => {
    const REDIS_PREFIX = randomBytes(6).toString('hex');
    nodes = new Nodes({ DATABASE_URL: schema.value.url, REDIS_URL: redis!, REDIS_PREFIX });
    await nodes.start();
    await nodes.start();
    hosts = await nodes.hosts();
  });

  afterAll(async () => {
    for (const host of hosts) await host[Symbol.asyncDispose]();
    await nodes[Symbol.asyncDispose]();
    await schema.dispose();
  });

  it('after it committed and before it told anybody is spoken for by another', async () => {
    await nodes.start({ DIES_BEFORE_TELLING: '1' });
    const dying = (await nodes.admin())[2]!;
    await expect(register(dying, 0)).rejects.toThrow();
    await Promise.all(hosts.map((host) => host.untilTold([nameOf(0)])));
  });

  it('in the middle of a hundred registrations has lost none that it answered', async () => {
    const node = await nodes.start();
    const dying = (await nodes.admin())[3]!;
    const answered: string[] = [];
    const registrations = Array.from({ length: 100 }, async (_, index) => {
      answered.push(await register(dying, 100 + index));
      if (answered.length === 30) await node.kill();
    });
    const outcomes = await Promise.allSettled(registrations);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(answered.length).toBeGreaterThanOrEqual(30);
    await Promise.all(hosts.map((host) => host.untilTold(answered)));
    for (const host of hosts) expect(await host.list()).toEqual(expect.arrayContaining(answered));
  });
});
