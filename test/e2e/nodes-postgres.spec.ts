import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { AdminCall } from '../support/admin-client.js';
import type { Host } from '../support/listening-host.js';
import { Nodes } from '../support/nodes.js';
import { numbered } from '../support/numbered-sources.js';
import { ownPostgres } from '../support/own-postgres.js';
import { until } from '../support/until.js';

const postgres = await ownPostgres();

(postgres ? describe : describe.skip)('three nodes whose Postgres is restarted', () => {
  let nodes: Nodes;
  let hosts: Host[];
  let admins: AdminCall[];
  let next = 0;

  beforeAll(async () => {
    nodes = new Nodes({ DATABASE_URL: postgres!.url });
    for (let count = 0; count < 3; count += 1) await nodes.start();
    hosts = await nodes.hosts();
    admins = await nodes.admin();
  });

  afterAll(async () => {
    for (const host of hosts) await host[Symbol.asyncDispose]();
    await nodes[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
  });

  it.each(['fast', 'immediate'] as const)('under load, %s, keep and tell all that they answered', async (how) => {
    const answered: string[] = [];
    const statuses = new Set<number>();
    let stopping = false;
    const load = admins.map(async (admin) => {
      while (!stopping) {
        const tool = numbered(next++);
        const { status } = await admin('POST', '/tenants/acme/sources', tool);
        statuses.add(status);
        if (status === 201) answered.push(tool.name);
        else await delay(20);
      }
    });
    await until(() => answered.length >= 10);
    await postgres!.stop(how);
    const during = answered.length;
    await postgres!.start();
    await until(() => answered.length >= during + 5, 30_000);
    stopping = true;
    await Promise.all(load);
    expect([...statuses].sort()).toEqual([201, 503]);
    await Promise.all(hosts.map((host) => host.untilTold(answered, 30_000)));
    for (const host of hosts) expect(await host.list()).toEqual(expect.arrayContaining(answered));
  });
});
