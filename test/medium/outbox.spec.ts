import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangeAnnouncer } from '#events/change-announcer.js';
import { ChangeFeed } from '#events/change-feed.js';
import { ChangeRelay } from '#events/change-relay.js';
import type { Change } from '#events/change.js';
import { InProcessBus } from '#events/in-process.bus.js';
import type { OutboxEntry } from '#events/outbox.js';
import { appendToOutbox } from '#persistence/append-to-outbox.js';
import { type Database, openDatabase } from '#persistence/database.js';
import { applyMigrations } from '#persistence/migrations.js';
import { PrismaOutbox } from '#persistence/prisma-outbox.js';
import { OutboxWatch } from '#serving/outbox-watch.js';
import { databaseEngines, type Temporary } from '../support/databases.js';
import { until } from '../support/until.js';

const LATER_MS = 3_600_000;

/** A bus that fails while it is told to, as one between nodes does. */
class FailingBus extends InProcessBus {
  works = true;

  override async publish(change: Change, entryId?: string): Promise<void> {
    await super.publish(change, entryId);
    if (!this.works) throw new Error('The bus is down.');
  }
}

const engines = await databaseEngines();

describe.each(engines)('changes that were written down, on $name', (engine) => {
  let place: Temporary<Parameters<typeof openDatabase>[0]>;
  let database: Database;
  let outbox: PrismaOutbox;
  let bus: FailingBus;
  let heard: Change[];
  let feed: ChangeFeed;
  let relay: ChangeRelay;
  let failures: unknown[];

  beforeEach(async () => {
    place = engine.empty();
    database = await openDatabase(place.value);
    await applyMigrations(database);
    outbox = new PrismaOutbox(database);
    failures = [];
    const onFailure = (error: unknown): unknown => failures.push(error);
    bus = new FailingBus(onFailure);
    feed = new ChangeFeed(bus, onFailure);
    heard = [];
    feed.subscribe((change) => heard.push(change));
    relay = new ChangeRelay(outbox, bus, onFailure);
  });

  afterEach(async () => {
    await relay.stop();
    await database.close();
    await place.dispose();
  });

  const change = (uri: string): Change => ({ type: 'resource', tenantId: randomUUID(), uri });
  const unsent = (): Promise<readonly OutboxEntry[]> => outbox.unsent(0, 1_000);
  const watch = (): OutboxWatch =>
    new OutboxWatch({ outbox, feed, bus }, { intervalMs: 60_000, onFailure: (error) => failures.push(error) });

  it('stand there with their transaction, and not without it', async () => {
    const [kept, lost] = [change('x://"ä\\'), change('x://lost')];
    const entries = await database.client.$transaction((transaction) => appendToOutbox(transaction, [kept, kept]));
    const failing = database.client.$transaction(async (transaction) => {
      await appendToOutbox(transaction, [lost]);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await unsent()).toEqual(entries);
    expect(entries.map((entry) => entry.change)).toEqual([kept, kept]);
    expect(await outbox.writtenWithin(LATER_MS, 10, entries[0]!.id)).toEqual(entries.slice(1));
  });

  it('are sent by their writer, and no more afterwards', async () => {
    const entries = await outbox.append([change('x://1'), change('x://2')]);
    await relay.send(entries);
    expect(heard).toEqual(entries.map((entry) => entry.change));
    expect(await unsent()).toEqual([]);
    expect(await outbox.writtenWithin(LATER_MS, 10)).toEqual(entries);
  });

  it('are sent by another node when their writer has died', async () => {
    const [entry] = await outbox.append([change('x://left')]);
    relay.start();
    await until(async () => heard.length > 0 && (await unsent()).length === 0);
    expect(heard).toEqual([entry!.change]);
  });

  it('are sent when the bus is back, and told once', async () => {
    bus.works = false;
    const entries = await outbox.append([change('x://1'), change('x://2')]);
    await relay.send(entries);
    expect([heard.length, (await unsent()).length]).toEqual([2, 2]);
    relay.start();
    bus.works = true;
    await until(async () => (await unsent()).length === 0);
    expect(heard).toHaveLength(2);
  });

  it('are found by who looks, when no bus brought them, and told once', async () => {
    const watching = watch();
    const before = await outbox.append([change('x://before')]);
    await watching.prime();
    const many = Array.from({ length: 1_200 }, (_, index) => change(`x://${index}`));
    const entries = await outbox.append(many);
    await relay.send([entries[7]!, ...before]);
    await watching.look();
    await watching.look();
    expect(heard).toHaveLength(1_200);
    expect(new Set(heard.map((one) => (one.type === 'resource' ? one.uri : ''))).size).toBe(1_200);
  });

  it('are announced by the bus alone when they cannot be written down', async () => {
    const broken = { append: () => Promise.reject(new Error('The database is gone.')) };
    const announcer = new ChangeAnnouncer(broken, relay, bus, (error) => failures.push(error));
    await announcer.announce(change('x://still'));
    expect([heard.length, failures.length]).toEqual([1, 1]);
    bus.works = false;
    await announcer.announce(change('x://here'));
    expect([heard.length, failures.length]).toEqual([2, 3]);
  });

  it('are swept once they were sent', async () => {
    await relay.send(await outbox.append([change('x://sent')]));
    await outbox.append([change('x://unsent')]);
    expect(await outbox.sweep(new Date(Date.now() - LATER_MS))).toBe(0);
    expect(await outbox.sweep(new Date(Date.now() + LATER_MS))).toBe(1);
    expect(await outbox.writtenWithin(LATER_MS, 10)).toHaveLength(1);
  });
});
