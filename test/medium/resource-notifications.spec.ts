import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import type { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { ChangeRelay } from '#events/change-relay.js';
import type { Change } from '#events/change.js';
import { InProcessBus } from '#events/in-process.bus.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { PrismaNotificationStore } from '#persistence/prisma-notification.store.js';
import { PrismaOutbox } from '#persistence/prisma-outbox.js';
import { PrismaSecretStore } from '#persistence/prisma-secret.store.js';
import { KeyRing } from '#protocol/key-ring.js';
import { DEFAULT_SCHEMA_LIMITS } from '#schema/schema-limits.js';
import { type NotifyOutcome, ResourceNotifications } from '#sources/notifications/resource-notifications.js';
import { RegisteredSources } from '#sources/registered-sources.js';
import { SecretVault } from '#sources/secrets/secret-vault.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';
import { databaseEngines } from '../support/databases.js';
import { eightTimes, type Node, openNodes } from './store-fixtures.js';

const engines = await databaseEngines();
const SECRETS = { shop: 'whsec_c2hvcCBzZWNyZXQ=', press: 'the press' };

describe.each(engines)('notifications of resources, on $name', (engine) => {
  let nodes: [Node, Node];
  let dispose: () => Promise<void>;
  let tenant: TenantRecord;
  const heard: Change[] = [];

  beforeAll(async () => {
    ({ nodes, dispose } = await openNodes(engine));
    tenant = await nodes[0].tenant();
    const { client } = nodes[0].database;
    const vault = vaultOf(nodes[0]);
    for (const [name, value] of Object.entries(SECRETS)) {
      await client.secret.create({ data: { tenantId: tenant.id, name, sealed: vault.seal(tenant.id, name, value) } });
    }
    const hook = (secret: string) => ({ updates: { webhook: { secret } } });
    const sources = {
      prices: { uri: 'shop://prices', text: 'x', ...hook('shop') },
      items: { uriTemplate: 'shop://items/{id}', text: '{{id}}', ...hook('shop') },
      news: { uri: 'press://news', text: 'x', ...hook('press') },
      lost: { uri: 'lost://x', text: 'x', ...hook('no_such_secret') },
      quiet: { uri: 'quiet://x', text: 'x' },
    };
    for (const [name, definition] of Object.entries(sources)) {
      await client.source.create({ data: { tenantId: tenant.id, name, kind: 'resource', definition } });
    }
  });

  afterAll(async () => dispose());

  /** The service as one node has it. */
  function notificationsOf(node: Node): ResourceNotifications {
    const secrets = vaultOf(node);
    const outbound = new OutboundClient({ allowedNetworks: [] });
    const sources = new RegisteredSources({
      limits: DEFAULT_SCHEMA_LIMITS,
      secrets,
      outbound,
      wrap: (handler) => handler,
    });
    const fail = (...given: unknown[]): never => {
      throw new Error(JSON.stringify(given));
    };
    const options = { pageSize: 50, version: '1', onUnknownModule: fail, onBrokenSource: fail };
    const compiler = new CatalogueCompiler({ get: () => undefined } as unknown as ModuleRegistry, sources, options);
    const bus = new InProcessBus(fail);
    bus.subscribe((change) => heard.push(change));
    const outbox = new PrismaOutbox(node.database);
    return new ResourceNotifications({
      tenants: {
        find: async (slug) => {
          const record = await node.tenants.findBySlug(slug);
          return record && compiler.compile(record);
        },
      },
      secrets,
      store: new PrismaNotificationStore(node.database),
      outbox,
      relay: new ChangeRelay(outbox, bus, fail),
    });
  }

  function vaultOf(node: Node): SecretVault {
    return new SecretVault(new PrismaSecretStore(node.database), new KeyRing([Buffer.alloc(32, 7)]));
  }

  function signed(secret: string, uris: unknown, id: string = randomUUID()) {
    const rawBody = Buffer.from(JSON.stringify({ uris }));
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
    return { headers, rawBody, isAdmin: false };
  }

  const told = (uri: string): Change => ({ type: 'resource', tenantId: tenant.id, uri });

  async function notify(request: ReturnType<typeof signed>): Promise<{ outcome: NotifyOutcome; changes: Change[] }> {
    heard.length = 0;
    const outcome = await notificationsOf(nodes[0]).notify(tenant.slug, request);
    return { outcome, changes: [...heard] };
  }

  it('announce what the signer may announce, and name the rest', async () => {
    const uris = [
      'shop://prices',
      'shop://items/7',
      'press://news',
      'quiet://x',
      'lost://x',
      'shop://no',
      'shop://prices',
    ];
    expect(await notify(signed(SECRETS.shop, uris))).toEqual({
      outcome: {
        type: 'announced',
        announced: ['shop://prices', 'shop://items/7'],
        unknown: ['press://news', 'quiet://x', 'lost://x', 'shop://no'],
      },
      changes: [told('shop://prices'), told('shop://items/7')],
    });
    const { outcome } = await notify(signed(SECRETS.press, ['press://news']));
    expect(outcome).toEqual({ type: 'announced', announced: ['press://news'], unknown: [] });
  });

  it('leave what was announced in the outbox, sent', async () => {
    await notify(signed(SECRETS.shop, ['shop://items/outbox']));
    const entries = await new PrismaOutbox(nodes[0].database).writtenWithin(60_000, 100);
    expect(entries.map(({ change }) => change)).toContainEqual(told('shop://items/outbox'));
    expect(await new PrismaOutbox(nodes[0].database).unsent(0, 100)).toEqual([]);
  });

  it('are taken once, however often and wherever they arrive', async () => {
    heard.length = 0;
    const request = signed(SECRETS.shop, ['shop://prices']);
    const outcomes = await eightTimes(nodes, (node) => notificationsOf(node).notify(tenant.slug, request));
    expect(outcomes.map(({ type }) => type).sort()).toEqual(['announced', ...Array<string>(7).fill('repeated')]);
    expect(heard).toEqual([told('shop://prices')]);
    expect((await notify(request)).outcome).toEqual({ type: 'repeated' });
  });

  it('want a signature, by which nothing is told of what there is', async () => {
    const uris = ['shop://prices'];
    const wrong = signed('whsec_d3Jvbmc=', uris);
    const [known, unknown] = [await notify(wrong), await notify(signed('whsec_d3Jvbmc=', ['shop://no']))];
    expect(known).toMatchObject({ outcome: { type: 'unsigned' }, changes: [] });
    expect(unknown).toEqual(known);
    expect(await notify({ ...signed(SECRETS.shop, uris), headers: {} as never })).toMatchObject({
      outcome: { type: 'unsigned', problem: expect.stringContaining('webhook-id') },
    });
  });

  it('want none of an admin, who may announce whatever there is', async () => {
    const request = { ...signed('x', ['quiet://x', 'press://news', 'no://x']), headers: {} as never, isAdmin: true };
    expect((await notify(request)).outcome).toEqual({
      type: 'announced',
      announced: ['quiet://x', 'press://news'],
      unknown: ['no://x'],
    });
  });

  it.each([
    ['none', [], '/uris'],
    ['no texts', [1], '/uris/0'],
    ['no list', 'shop://prices', '/uris'],
    ['more than a hundred', Array<string>(101).fill('shop://prices'), '/uris'],
  ])('are refused when the URIs are %s', async (_what, uris, pointer) => {
    expect((await notify(signed(SECRETS.shop, uris))).outcome).toMatchObject({ type: 'malformed', error: { pointer } });
  });

  it('are told no more about a tenant that is not there than about one that does not know them', async () => {
    const outcome = await notificationsOf(nodes[0]).notify('nobody', signed(SECRETS.shop, ['shop://prices']));
    expect(outcome).toMatchObject({ type: 'unsigned' });
  });

  it('are forgotten after a while', async () => {
    const store = new PrismaNotificationStore(nodes[0].database);
    await store.take({ tenantId: tenant.id, id: 'old' }, []);
    expect(await store.take({ tenantId: tenant.id, id: 'old' }, [])).toBeUndefined();
    while ((await store.sweep(new Date(Date.now() + 60_000))) > 0);
    expect(await store.take({ tenantId: tenant.id, id: 'old' }, [])).toEqual([]);
  });
});
