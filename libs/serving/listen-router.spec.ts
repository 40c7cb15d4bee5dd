import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Caller } from '#access/caller.js';
import { renewCaller } from '#access/tenant-rules.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { CatalogueView } from '#catalogue/catalogue-view.js';
import type { ListKind } from '#catalogue/entries.js';
import type { SubscriptionFilter } from '#protocol/messages.js';
import type { Exchange } from './exchange.js';
import { ListenRouter, type Opening } from './listen-router.js';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const TENANT = 'id-of-acme';
const ALL: SubscriptionFilter = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['x://a'] };

/** A view that looks different from others in the lists whose marks differ, and permits every URI but `x://hidden`. */
function viewOf(marks: Partial<Record<ListKind, number>>): CatalogueView {
  const view: { marks: typeof marks } & Pick<CatalogueView, 'permitsResource' | 'changedLists'> = {
    marks,
    permitsResource: (uri: string) => uri !== 'x://hidden',
    changedLists: (other) =>
      new Set(
        (['tools', 'prompts'] as const).filter((kind) => marks[kind] !== (other as unknown as typeof view).marks[kind]),
      ),
  };
  return view as unknown as CatalogueView;
}

function catalogueOf(view: CatalogueView): Catalogue {
  const tenant = { id: TENANT, slug: 'acme', access: 'open', status: 'active' };
  return { tenant, serverMeta: '{}', view: () => view } as unknown as Catalogue;
}

type Admits = (onRefused: () => void) => Promise<boolean>;

function setUp({ admits = () => Promise.resolve(true) }: { admits?: Admits } = {}) {
  const state = { catalogue: catalogueOf(viewOf({})), isHeld: true, reads: 0, released: 0 };
  const router = new ListenRouter({
    tenants: {
      refresh: () => {
        state.reads += 1;
        return Promise.resolve(state.catalogue);
      },
      peek: () => state.catalogue,
      holds: () => state.isHeld,
    },
    gate: { renew: renewCaller },
    rows: { maxPerPrincipal: 100, admit: (_, onRefused) => admits(onRefused), release: () => (state.released += 1) },
    onFailure: () => undefined,
  });
  const ended: string[] = [];
  const told: string[] = [];
  const open = (
    id: string,
    token?: { expiresAt?: number; revocation?: string },
    filter: SubscriptionFilter = {},
    onClose: (callback: () => void) => void = () => undefined,
  ): Promise<Opening> => {
    const principal = { tenantId: TENANT, subject: 'ada', clientId: 'host', scopes: new Set<string>() };
    const caller = { principal, token: token && { expiresAt: Infinity, revocation: undefined, ...token } };
    const send = (text: string): void => {
      const { method, params } = JSON.parse(text) as { method: string; params: { uri?: string } };
      if (!method.endsWith('acknowledged')) told.push([id, method.split('/')[1], params.uri].filter(Boolean).join(' '));
    };
    const channel = { send, finish: () => ended.push(id), onClose };
    const { catalogue } = state;
    const view = catalogue.view(undefined as never);
    return router.open(
      { envelope: { id }, catalogue, caller: caller as unknown as Caller, channel, view } as unknown as Exchange,
      filter,
    );
  };
  const change = (marks: Partial<Record<ListKind, number>>): void => {
    state.catalogue = catalogueOf(viewOf(marks));
    router.route({ type: 'catalogue', tenantId: TENANT, slug: 'acme', revision: 2 });
  };
  const update = (uri: string): void => router.route({ type: 'resource', tenantId: TENANT, uri });
  return { router, state, ended, told, open, change, update };
}

describe('a listen stream', () => {
  it('ends when its token expires', async () => {
    const { router, ended, open } = setUp();
    const now = Date.now();
    await open('soon', { expiresAt: now + 5_000 });
    await open('later', { expiresAt: now + 60_000 });
    await open('never', { expiresAt: Infinity });
    await open('without');
    jest.advanceTimersByTime(4_000);
    expect(ended).toEqual([]);
    jest.advanceTimersByTime(2_000);
    expect(ended).toEqual(['soon']);
    jest.advanceTimersByTime(60_000);
    expect([ended, router.size]).toEqual([['soon', 'later'], 2]);
  });

  it('ends when its token is revoked, and no other does', async () => {
    const { router, ended, open } = setUp();
    await open('one', { revocation: 'grant-1' });
    await open('two', { revocation: 'grant-2' });
    await open('without');
    router.route({ type: 'revocation', tenantId: 'id-of-other', subject: 'grant-1' });
    expect(ended).toEqual([]);
    router.route({ type: 'revocation', tenantId: TENANT, subject: 'grant-1' });
    expect([ended, router.size]).toEqual([['one'], 2]);
  });

  it('has no timer left when the platform stops, and none is opened any more', async () => {
    const { router, ended, open, update } = setUp();
    await open('one', { expiresAt: Date.now() + 5_000 }, ALL);
    update('x://a');
    router.stop();
    expect([ended, jest.getTimerCount(), await open('late')]).toEqual([['one'], 0, 'stopping']);
  });

  it('is not opened when there is no room, and takes none when its client went away meanwhile', async () => {
    expect(await setUp({ admits: () => Promise.resolve(false) }).open('one')).toBe('too many');
    const { router, state, open } = setUp();
    expect(await open('gone', undefined, {}, (callback) => callback())).toBe('abandoned');
    expect([router.size, state.released]).toEqual([0, 1]);
  });

  it('ends when it turns out, once it is open, that there was no room', async () => {
    const refusing: (() => void)[] = [];
    const { router, state, ended, open } = setUp({
      admits: (onRefused) => Promise.resolve(refusing.push(onRefused) > 0),
    });
    expect(await open('one')).toBe('open');
    refusing[0]!();
    expect([ended, router.size, state.released]).toEqual([['one'], 0, 1]);
  });

  it('hears of what changed while it was being opened', async () => {
    const admitting: ((admitted: boolean) => void)[] = [];
    const admits = (): Promise<boolean> => new Promise((resolve) => admitting.push(resolve));
    const { open, change, told } = setUp({ admits });
    const opening = open('one', undefined, ALL);
    change({ tools: 2 });
    admitting[0]!(true);
    await opening;
    expect(told).toEqual(['one tools']);
  });
});

describe('changes', () => {
  it('of a tenant that nobody here has asked for read nothing', async () => {
    const { state, change, open } = setUp();
    state.isHeld = false;
    change({ tools: 2 });
    expect(state.reads).toBe(0);
    await open('one');
    change({ tools: 3 });
    expect(state.reads).toBe(1);
  });

  it('are told at once where it was quiet, those of the next 50 ms together at their end, each once', async () => {
    const { told, open, update } = setUp();
    await open('one', undefined, { resourceSubscriptions: ['x://a', 'x://b', 'x://hidden'] });
    update('x://a');
    expect(told.splice(0)).toEqual(['one resources x://a']);
    update('x://a');
    await jest.advanceTimersByTimeAsync(20);
    for (const uri of ['x://b', 'x://a', 'x://b', 'x://hidden', 'x://other']) update(uri);
    await jest.advanceTimersByTimeAsync(29);
    expect(told).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(told.splice(0)).toEqual(['one resources x://a', 'one resources x://b']);
    await jest.advanceTimersByTimeAsync(200);
    update('x://a');
    expect(told).toEqual(['one resources x://a']);
  });

  it('of lists are told together too, to those who asked, by one reading of the tenant', async () => {
    const { state, told, open, change } = setUp();
    await open('tools', undefined, { toolsListChanged: true });
    await open('both', undefined, ALL);
    change({ tools: 1 });
    await jest.advanceTimersByTimeAsync(0);
    expect(told.splice(0)).toEqual(['tools tools', 'both tools']);
    for (let mark = 2; mark < 10; mark += 1) change({ tools: mark, prompts: mark });
    await jest.advanceTimersByTimeAsync(50);
    expect([told, state.reads]).toEqual([['tools tools', 'both tools', 'both prompts'], 2]);
    await jest.advanceTimersByTimeAsync(500);
    expect([told.length, jest.getTimerCount()]).toEqual([3, 1]);
  });

  it('that undo each other within the window are not told', async () => {
    const { told, open, change } = setUp();
    await open('one', undefined, ALL);
    change({ tools: 1 });
    await jest.advanceTimersByTimeAsync(0);
    change({ tools: 2 });
    change({ tools: 1 });
    await jest.advanceTimersByTimeAsync(100);
    expect(told).toEqual(['one tools']);
  });
});
