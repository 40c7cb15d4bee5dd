import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Host, Nodes } from '../support/nodes.js';
import { ownPostgres } from '../support/own-postgres.js';
import { until } from '../support/until.js';

const postgres = await ownPostgres();

(postgres ? describe : describe.skip)('two nodes whose Postgres is restarted', () => {
  let nodes: Nodes;
  let hosts: Host[];
  let admins: Host[];
  let next = 0;

  beforeAll(async () => {
    nodes = new Nodes({ DATABASE_URL: postgres!.url });
    await nodes.start();
    await nodes.start();
    hosts = await Promise.all(nodes.nodes.map(async (node) => (await Host.connect(node)).listen()));
    admins = await Promise.all(nodes.nodes.map((node) => Host.connect(node)));
  });

  afterAll(async () => {
    for (const host of [...hosts, ...admins]) await host[Symbol.asyncDispose]();
    await nodes[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
  });

  it.each(['fast', 'immediate'] as const)('under load, %s, keep and tell all that they answered', async (how) => {
    const answered: number[] = [];
    let stopping = false;
    const load = admins.map(async (admin) => {
      while (!stopping && next < 190) {
        const number = next++;
        const registered = await admin.register(number).then(
          () => true,
          () => false,
        );
        if (registered) answered.push(number);
        else await delay(20);
      }
    });
    await until(() => answered.length >= 10);
    const since = hosts.map(({ heard }) => heard.tools);
    await postgres!.stop(how);
    const during = answered.length;
    await postgres!.start();
    await until(() => answered.length >= during + 5, 30_000);
    stopping = true;
    await Promise.all(load);
    await Promise.all(hosts.map((host, index) => host.untilShown(answered, since[index]!, 30_000)));
    expect(answered.length).toBeGreaterThanOrEqual(15);
  });
});
