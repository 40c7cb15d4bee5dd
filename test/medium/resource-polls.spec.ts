import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangeRelay } from '#events/change-relay.js';
import type { Change } from '#events/change.js';
import { InProcessBus } from '#events/in-process.bus.js';
import { PrismaOutbox } from '#persistence/prisma-outbox.js';
import { PrismaPollStore } from '#persistence/prisma-poll.store.js';
import type { Sighting } from '#sources/polls/poll.store.js';
import { ResourcePoller } from '#sources/polls/resource-poller.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';
import { databaseEngines } from '../support/databases.js';
import { until } from '../support/until.js';
import { type Node, openNodes } from './store-fixtures.js';

const engines = await databaseEngines();

describe.each(engines)('looking at resources, on $name', (engine) => {
  let nodes: [Node, Node];
  let dispose: () => Promise<void>;
  let tenant: TenantRecord;
  /** What stands behind each source, and how often it was looked at. */
  let world: Map<string, { contents: string | Error; looks: number }>;
  let heard: Change[];
  let blind: string[];
  let pollers: ResourcePoller[];
  let onLook: () => void;

  beforeAll(async () => {
    ({ nodes, dispose } = await openNodes(engine));
  });

  afterAll(async () => dispose());

  beforeEach(async () => {
    await nodes[0].database.client.source.deleteMany();
    tenant = await nodes[0].tenant();
    [world, heard, blind] = [new Map(), [], []];
    onLook = () => undefined;
    pollers = nodes.map(pollerOn);
  });

  function pollerOn(node: Node): ResourcePoller {
    const fail = (error: unknown): never => {
      throw error;
    };
    const bus = new InProcessBus(fail);
    bus.subscribe((change) => heard.push(change));
    return new ResourcePoller(
      {
        store: new PrismaPollStore(node.database),
        relay: new ChangeRelay(new PrismaOutbox(node.database), bus, fail),
        target: ({ source }) => ({
          uri: `x://${source.name}`,
          intervalSeconds: 10,
          look: (_last, signal) => look(source.name, signal),
        }),
        onBlind: ({ source }) => blind.push(source.name),
      },
      { intervalMs: 60_000, onFailure: fail },
    );
  }

  async function look(name: string, signal: AbortSignal): Promise<Sighting> {
    const place = world.get(name)!;
    place.looks += 1;
    onLook();
    if (name.startsWith('slow')) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise(setImmediate);
    if (place.contents instanceof Error) throw place.contents;
    return { etag: null, lastModified: null, digest: place.contents };
  }

  async function source(
    name: string,
    contents: string | Error,
    of = tenant,
    updates: object = { poll: { intervalSeconds: 10 } },
  ) {
    world.set(name, { contents, looks: 0 });
    const data = { tenantId: of.id, name, kind: 'resource' as const, definition: { uri: `x://${name}`, updates } };
    return nodes[0].database.client.source.create({ data });
  }

  /** Both nodes look, at once. */
  async function lookAround(): Promise<void> {
    await Promise.all(pollers.map((poller) => poller.look()));
    await Promise.all(pollers.map((poller) => poller.settled()));
  }

  const timeGoesBy = () => nodes[0].database.client.$executeRaw`UPDATE resource_polls SET next_at = now()`;
  const looksAt = (name: string) => world.get(name)!.looks;
  const told = (name: string): Change => ({ type: 'resource', tenantId: tenant.id, uri: `x://${name}` });

  it('announces what has changed since the last look, and nothing at the first', async () => {
    await source('moves', 'a');
    await source('stays', 'a');
    await lookAround();
    expect(heard).toEqual([]);
    world.get('moves')!.contents = 'b';
    await timeGoesBy();
    await lookAround();
    expect(heard).toEqual([told('moves')]);
    expect(await new PrismaOutbox(nodes[0].database).unsent(0, 10)).toEqual([]);
    await timeGoesBy();
    await lookAround();
    expect(heard).toHaveLength(1);
    expect([looksAt('moves'), looksAt('stays')]).toEqual([3, 3]);
  });

  it('is done by one node at a time, when it is time', async () => {
    for (let index = 0; index < 20; index += 1) await source(`r${index}`, 'a');
    for (let round = 0; round < 4; round += 1) await lookAround();
    expect([...world.values()].map(({ looks }) => looks)).toEqual(Array<number>(20).fill(1));
  });

  it('has room for a tenant while the services of another never answer', async () => {
    for (let index = 0; index < 40; index += 1) await source(`slow${index}`, 'a');
    await pollers[0]!.look();
    await source('other', 'a', await nodes[0].tenant());
    for (let round = 0; round < 4; round += 1) await pollers[0]!.look();
    await until(() => looksAt('other') === 1);
    const slow = [...world].filter(([name]) => name.startsWith('slow'));
    expect(slow.reduce((sum, [, { looks }]) => sum + looks, 0)).toBe(8);
    await pollers[0]!.stop();
  });

  it('leaves alone what asks for nothing, what was removed, and tenants that are suspended or go', async () => {
    const [suspended, going] = [await nodes[0].tenant(), await nodes[0].tenant()];
    await source('quiet', 'a', tenant, {});
    const removed = await source('removed', 'a');
    await source('suspended', 'a', suspended);
    await source('going', 'a', going);
    await lookAround();
    expect(looksAt('quiet')).toBe(0);
    await nodes[0].tenants.setStatus(suspended.id, 'suspended');
    const { client } = nodes[0].database;
    await client.tenant.update({ where: { id: going.id }, data: { deletesAt: new Date(Date.now() + 60_000) } });
    await client.source.delete({ where: { tenantId_id: { tenantId: tenant.id, id: removed.id } } });
    await timeGoesBy();
    await lookAround();
    expect(['removed', 'suspended', 'going'].map(looksAt)).toEqual([1, 1, 1]);
    await nodes[0].tenants.setStatus(suspended.id, 'active');
    await lookAround();
    expect(looksAt('suspended')).toBe(2);
  });

  it('waits longer with each failure, says so once, and compares with what was seen before it', async () => {
    await source('shaky', 'a');
    await lookAround();
    world.get('shaky')!.contents = new Error('down');
    const waits: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await timeGoesBy();
      await lookAround();
      const [{ wait }] = (await nodes[0].database.client.$queryRaw<[{ wait: number }]>`
        SELECT extract(epoch FROM next_at - now())::float AS wait FROM resource_polls`) as [{ wait: number }];
      waits.push(wait);
    }
    expect(waits.map((wait, turn) => wait > 9 * 2 ** (turn + 1) && wait <= 11 * 2 ** (turn + 1))).toEqual([
      true,
      true,
      true,
    ]);
    expect(blind).toEqual(['shaky']);
    world.get('shaky')!.contents = 'b';
    await timeGoesBy();
    await lookAround();
    expect(heard).toEqual([told('shaky')]);
  });

  it('begins anew when a definition changes', async () => {
    const { id } = await source('edited', 'a');
    await lookAround();
    world.get('edited')!.contents = 'of another place';
    const where = { tenantId_id: { tenantId: tenant.id, id } };
    await nodes[0].database.client.source.update({ where, data: { version: { increment: 1 } } });
    await lookAround();
    expect([looksAt('edited'), heard]).toEqual([2, []]);
  });

  it('takes over what a node died with after a while, and nothing from that node any more', async () => {
    const { id } = await source('given', 'a');
    const store = new PrismaPollStore(nodes[0].database);
    await store.enlist(60_000);
    const [lost] = await store.claim(10, 60_000);
    expect(await store.claim(10, 60_000)).toEqual([]);
    await timeGoesBy();
    const [taken] = await new PrismaPollStore(nodes[1].database).claim(10, 60_000);
    expect(taken).toMatchObject({ source: { id, name: 'given' }, tenant: { id: tenant.id, slug: tenant.slug } });
    const outcome = { etag: null, lastModified: null, digest: 'x', failures: 0, nextInMs: 0 };
    expect(await store.settle(lost!, outcome, [told('given')])).toEqual([]);
    expect(await store.settle(taken!, outcome, [told('given')])).toMatchObject([{ change: told('given') }]);
    expect(await store.settle({ ...taken!, claim: randomUUID() }, outcome, [told('given')])).toEqual([]);
  });

  it('gives back what a node has not seen yet when it stops', async () => {
    await source('slow', 'a');
    world.get('slow')!.contents = new Error('the signal decides');
    const begun = new Promise<void>((resolve) => (onLook = resolve));
    await pollers[0]!.look();
    await begun;
    await pollers[0]!.stop();
    const due = await new PrismaPollStore(nodes[1].database).claim(10, 60_000);
    expect(due.map(({ source: { name }, failures }) => ({ name, failures }))).toEqual([{ name: 'slow', failures: 0 }]);
    expect(blind).toEqual([]);
  });
});
