import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Change } from '#events/change.js';
import type { ChangeBus } from '#events/change.bus.js';
import { InProcessBus } from '#events/in-process.bus.js';
import type { BusReports } from '#events/remote.bus.js';
import { RedisBus } from '#messaging/redis.bus.js';
import { PostgresBus } from '#persistence/postgres.bus.js';
import { postgresChannel } from '#persistence/postgres-channel.js';
import { findPostgres, runSql, temporarySchema } from '../support/databases.js';
import { runFirewall } from '../support/forgetful-firewall.js';
import { findRedis, ownRedis } from '../support/redis.js';
import { until } from '../support/until.js';

interface Hearing {
  readonly heard: (readonly [Change, string | undefined])[];
  readonly told: string[];
  gaps: number;
}

/** Two nodes' ends of one bus; the same end twice where there is one process. */
interface Carrier {
  readonly name: string;
  readonly open: (reports: BusReports) => ChangeBus;
  /** Says something on the same channel that no node would. */
  say?(text: string): Promise<void>;
  dispose(): Promise<void>;
}

const postgres = await findPostgres();
const redis = await findRedis();

function inProcess(): Carrier {
  let bus: InProcessBus | undefined;
  return {
    name: 'in process',
    open: ({ onFailure }) => (bus ??= new InProcessBus(onFailure)),
    dispose: () => Promise.resolve((bus = undefined)),
  };
}

function onRedis(url: string): Carrier {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  return {
    name: 'on Redis',
    open: (reports) => new RedisBus({ nodes: [new URL(url)], mode: 'single', sentinelName: '', prefix }, reports),
    say: async (text) => {
      const client = new Redis(url);
      await client.publish(`${prefix}:changes`, text);
      client.disconnect();
    },
    dispose: () => Promise.resolve(),
  };
}

function onPostgres(server: string): Carrier {
  const schema = temporarySchema(server);
  return {
    name: 'on Postgres',
    open: (reports) => new PostgresBus(schema.value.url, reports),
    say: async (text) => {
      const client = new pg.Client({ connectionString: server });
      await client.connect();
      await client.query('SELECT pg_notify($1, $2)', [channelOf(schema.value.url), text]);
      await client.end();
    },
    dispose: () => schema.dispose(),
  };
}

const carriers = [
  inProcess,
  ...(redis ? [() => onRedis(redis)] : []),
  ...(postgres ? [() => onPostgres(postgres)] : []),
];
const channelOf = (url: string): string => postgresChannel(new URL(url).searchParams.get('schema')!);
const TENANT = 'id-of-acme';
const resource = (uri: string): Change => ({ type: 'resource', tenantId: TENANT, uri });

function listenTo(open: Carrier['open']): { readonly bus: ChangeBus; readonly hearing: Hearing } {
  const hearing: Hearing = { heard: [], told: [], gaps: 0 };
  const bus = open({
    onFailure: () => hearing.told.push('failure'),
    onLost: () => hearing.told.push('lost'),
    onReturned: () => hearing.told.push('returned'),
    onForeign: () => hearing.told.push('foreign'),
  });
  bus.subscribe((change, entryId) => hearing.heard.push([change, entryId]));
  bus.onGap(() => (hearing.gaps += 1));
  return { bus, hearing };
}

describe.each(carriers.map((make) => ({ name: make().name, make })))('a change bus $name', ({ make }) => {
  let carrier: Carrier;
  let one: ReturnType<typeof listenTo>;
  let two: ReturnType<typeof listenTo>;

  beforeEach(async () => {
    carrier = make();
    one = listenTo(carrier.open);
    two = listenTo(carrier.open);
    one.bus.start();
    two.bus.start();
    await until(() => one.bus.isConnected && two.bus.isConnected);
  });

  afterEach(async () => {
    await one.bus.close();
    await two.bus.close();
    await carrier.dispose();
  });

  it('brings every change to every node once, in order, with its entry', async () => {
    const changes = Array.from({ length: 50 }, (_, index) => resource(`x://${index}`));
    await Promise.all(changes.map((change, index) => one.bus.publish(change, String(index + 1))));
    await one.bus.publish({ type: 'revocation', tenantId: TENANT, subject: 'grant' });
    const expected = [
      ...changes.map((change, index) => [change, String(index + 1)]),
      [{ type: 'revocation', tenantId: TENANT, subject: 'grant' }, undefined],
    ];
    await until(() => two.hearing.heard.length >= expected.length);
    expect(two.hearing.heard).toEqual(expected);
    expect(one.hearing.heard).toEqual(expected);
  });

  it('tells the subscribers of the own process at once', () => {
    const publishing = one.bus.publish(resource('x://now'));
    expect(one.hearing.heard).toEqual([[resource('x://now'), undefined]]);
    return publishing;
  });

  it('tells nothing to who has stopped to listen, and the others although one throws', async () => {
    const stop = one.bus.subscribe(() => {
      throw new Error('no');
    });
    await one.bus.publish(resource('x://1'));
    stop();
    await one.bus.publish(resource('x://2'));
    expect([one.hearing.heard.length, one.hearing.told]).toEqual([2, ['failure']]);
  });

  it('drops what is no message of this version, and goes on', async () => {
    if (!carrier.say) return;
    await carrier.say('{"v":99,"secret":"hunter2"}');
    await carrier.say('rubbish');
    await one.bus.publish(resource('x://after'));
    await until(() => two.hearing.heard.length > 0 && two.hearing.told.length > 0);
    expect(two.hearing).toMatchObject({ heard: [[resource('x://after'), undefined]], told: ['foreign'] });
  });

  it('points to the outbox for a change that is too large for it', async () => {
    const large = resource(`x://${'"'.repeat(8_000)}`);
    const gaps = two.hearing.gaps;
    await one.bus.publish(large, '7');
    await until(() => two.hearing.gaps > gaps || two.hearing.heard.length > 0);
    expect(one.hearing.heard).toEqual([[large, '7']]);
  });
});

(redis ? describe : describe.skip)('a bus whose Redis dies', () => {
  it('tells so once, goes on by itself, and tells when it is back that something may have been missed', async () => {
    await using server = (await ownRedis())!;
    const one = listenTo(onRedis(server.url).open);
    one.bus.start();
    await until(() => one.bus.isConnected);
    await server.kill();
    await until(() => !one.bus.isConnected);
    await expect(one.bus.publish(resource('x://lost'), '1')).rejects.toThrow();
    expect([one.hearing.heard.length, one.hearing.gaps, one.hearing.told]).toEqual([1, 1, ['lost']]);
    await server.start();
    await until(() => one.bus.isConnected);
    expect([one.hearing.gaps, one.hearing.told]).toEqual([2, ['lost', 'returned']]);
    await one.bus.close();
  });

  it('is asked anew when nothing comes any more on a connection that seems to stand', async () => {
    await using firewall = await runFirewall(redis!);
    const carrier = onRedis(firewall.url);
    const [one, two] = [listenTo(carrier.open), listenTo(carrier.open)];
    for (const { bus } of [one, two]) bus.start();
    await until(() => one.bus.isConnected && two.bus.isConnected);
    firewall.forgetSubscribers();
    await one.bus.publish(resource('x://lost'), '1');
    await until(() => two.hearing.told.includes('returned'), 30_000);
    await one.bus.publish(resource('x://heard'), '2');
    await until(() => two.hearing.heard.length > 0);
    expect([two.hearing.heard, two.hearing.told]).toEqual([[[resource('x://heard'), '2']], ['lost', 'returned']]);
    for (const { bus } of [one, two]) await bus.close();
  });

  it('is waited for when it is not there yet', async () => {
    await using server = (await ownRedis())!;
    await server.kill();
    const one = listenTo(onRedis(server.url).open);
    one.bus.start();
    await until(() => one.hearing.told.includes('lost'));
    await server.start();
    await until(() => one.bus.isConnected);
    expect(one.hearing.told).toEqual(['lost', 'returned']);
    await one.bus.close();
  });
});

(postgres ? describe : describe.skip)('a bus whose connection to Postgres is cut', () => {
  it('connects again, and tells that something may have been missed', async () => {
    const schema = temporarySchema(postgres!);
    const other = temporarySchema(postgres!);
    const [one, two, foreign] = [schema, schema, other].map(({ value }) =>
      listenTo((reports) => new PostgresBus(value.url, reports)),
    );
    for (const { bus } of [one!, two!, foreign!]) bus.start();
    await until(() => one!.bus.isConnected && two!.bus.isConnected && foreign!.bus.isConnected);
    await runSql(
      postgres!,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%${channelOf(schema.value.url)}%' AND pid <> pg_backend_pid()`,
    );
    await until(() => one!.hearing.told.includes('returned') && two!.hearing.told.includes('returned'));
    await one!.bus.publish(resource('x://again'));
    await until(() => two!.hearing.heard.length > 0);
    expect([one!.hearing.told, two!.hearing.gaps, foreign!.hearing.heard]).toEqual([['lost', 'returned'], 2, []]);
    for (const { bus } of [one!, two!, foreign!]) await bus.close();
  });
});
