import type { AccessGate } from '#access/access-gate.js';
import type { Caller } from '#access/caller.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { CatalogueView } from '#catalogue/catalogue-view.js';
import type { ListKind } from '#catalogue/entries.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { Change } from '#events/change.js';
import type { RequestId, SubscriptionFilter } from '#protocol/messages.js';
import {
  encodeSubscriptionEnd,
  encodeSubscriptionMeta,
  encodeSubscriptionNotification,
} from '#protocol/wire/modern.js';
import type { Channel, Exchange } from './exchange.js';

/** One open stream, as small as can be: there are many. */
interface Listener {
  readonly id: RequestId;
  caller: Caller;
  readonly channel: Channel;
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  readonly uris: ReadonlySet<string> | undefined;
  readonly serverMeta: string;
  /** What the listener's principal could see when it last heard of changes. */
  view: CatalogueView;
}

/** A reading of a tenant that is under way, and whether it has to be made again. */
interface Refresh {
  again: boolean;
  slug: string;
}

/** How often streams are looked for whose token has expired, in milliseconds. */
const SWEEP_MS = 1_000;

export interface RouterOptions {
  /** How many streams one principal may have open. */
  readonly maxPerPrincipal: number;
  /** Told when a tenant could not be read after a change. */
  onFailure(error: unknown): void;
}

/**
 * The end of the change line: decides who hears of a change, and makes the notification. A listener is told only what it
 * asked for and what its principal may see, by comparing what it saw before with what it sees now; so a change that the
 * bus lost is told with the next.
 */
export class ListenRouter {
  private readonly byTenant = new Map<string, Set<Listener>>();
  private readonly counts = new Map<string, number>();
  private readonly refreshing = new Map<string, Refresh>();
  private readonly sweeper: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly tenants: Pick<TenantDirectory, 'refresh'>,
    private readonly gate: Pick<AccessGate, 'renew'>,
    private readonly options: RouterOptions,
  ) {
    this.sweeper = setInterval(() => this.sweep(), SWEEP_MS);
    this.sweeper.unref();
  }

  get maxPerPrincipal(): number {
    return this.options.maxPerPrincipal;
  }

  /** How many streams are open. */
  get size(): number {
    let size = 0;
    for (const listeners of this.byTenant.values()) size += listeners.size;
    return size;
  }

  /** Whether anybody listens to this tenant here. */
  isHeard(tenantId: string): boolean {
    return this.byTenant.has(tenantId);
  }

  /** Opens a stream and acknowledges what it will hear. False when the principal has as many as it may. */
  open({ envelope, catalogue, caller, channel, view }: Exchange, asked: SubscriptionFilter): boolean {
    const owner = principalKey(caller);
    const count = this.counts.get(owner) ?? 0;
    if (this.stopped || count >= this.options.maxPerPrincipal) return false;
    const uris = asked.resourceSubscriptions?.filter((uri) => view.permitsResource(uri));
    const listener: Listener = {
      id: envelope.id,
      caller,
      channel,
      tools: asked.toolsListChanged === true,
      prompts: asked.promptsListChanged === true,
      resources: asked.resourcesListChanged === true,
      uris: uris && new Set(uris),
      serverMeta: catalogue.serverMeta,
      view,
    };
    this.counts.set(owner, count + 1);
    this.add(catalogue.tenant.id, listener);
    channel.onClose(() => this.remove(catalogue.tenant.id, listener));
    send(listener, 'notifications/subscriptions/acknowledged', acknowledged(listener, uris));
    return true;
  }

  /** Takes in a change from the bus. */
  route(change: Change): void {
    switch (change.type) {
      case 'resource':
        this.routeResource(change.tenantId, change.uri);
        return;
      case 'catalogue':
        this.routeCatalogue(change.tenantId, change.slug);
        return;
      case 'revocation':
        this.endWhere(change.tenantId, ({ caller }) => caller.token?.revocation === change.subject);
        return;
    }
  }

  /** Ends every stream gracefully; none is opened any more. */
  stop(): void {
    this.stopped = true;
    clearInterval(this.sweeper);
    for (const tenantId of this.byTenant.keys()) this.endWhere(tenantId, () => true);
  }

  /** Ends the streams whose token has expired. */
  private sweep(): void {
    const now = Date.now();
    const isExpired = ({ caller }: Listener): boolean => (caller.token?.expiresAt ?? Infinity) <= now;
    for (const tenantId of this.byTenant.keys()) this.endWhere(tenantId, isExpired);
  }

  private routeResource(tenantId: string, uri: string): void {
    const members = `"uri":${JSON.stringify(uri)}`;
    const visible = new Map<CatalogueView, boolean>();
    for (const listener of this.byTenant.get(tenantId) ?? []) {
      if (listener.uris?.has(uri) !== true) continue;
      const { view } = listener;
      if (!visible.has(view)) visible.set(view, view.permitsResource(uri));
      if (visible.get(view) !== true) continue;
      send(listener, 'notifications/resources/updated', members);
    }
  }

  /** Changes that come while the tenant is being read are told together by one more reading. */
  private routeCatalogue(tenantId: string, slug: string): void {
    const running = this.refreshing.get(tenantId);
    if (running) {
      Object.assign(running, { again: true, slug });
      return;
    }
    const state: Refresh = { again: false, slug };
    this.refreshing.set(tenantId, state);
    this.refresh(tenantId, state)
      .catch((error: unknown) => this.options.onFailure(error))
      .finally(() => this.refreshing.delete(tenantId));
  }

  private async refresh(tenantId: string, state: Refresh): Promise<void> {
    for (let again = true; again; again = state.again) {
      state.again = false;
      const catalogue = await this.tenants.refresh(state.slug);
      const isServed = catalogue?.tenant.id === tenantId && catalogue.tenant.status !== 'suspended';
      for (const listener of this.listenersOf(tenantId)) {
        if (!isServed || !this.renew(listener, catalogue)) this.end(tenantId, listener);
      }
    }
  }

  /** Tells a listener what has changed for it. False when the tenant does not let it in any more. */
  private renew(listener: Listener, catalogue: Catalogue): boolean {
    const caller = this.gate.renew(listener.caller, catalogue.tenant);
    if (!caller) return false;
    listener.caller = caller;
    tell(listener, catalogue.view(caller.grant));
    return true;
  }

  private endWhere(tenantId: string, isOver: (listener: Listener) => boolean): void {
    for (const listener of this.listenersOf(tenantId)) {
      if (isOver(listener)) this.end(tenantId, listener);
    }
  }

  private end(tenantId: string, listener: Listener): void {
    listener.channel.finish(encodeSubscriptionEnd(listener.id, listener.serverMeta));
    this.remove(tenantId, listener);
  }

  private listenersOf(tenantId: string): Iterable<Listener> {
    return this.byTenant.get(tenantId) ?? [];
  }

  private add(tenantId: string, listener: Listener): void {
    const listeners = this.byTenant.get(tenantId);
    if (listeners) listeners.add(listener);
    else this.byTenant.set(tenantId, new Set([listener]));
  }

  private remove(tenantId: string, listener: Listener): void {
    const listeners = this.byTenant.get(tenantId);
    if (listeners?.delete(listener) !== true) return;
    if (listeners.size === 0) this.byTenant.delete(tenantId);
    const owner = principalKey(listener.caller);
    const left = (this.counts.get(owner) ?? 1) - 1;
    if (left === 0) this.counts.delete(owner);
    else this.counts.set(owner, left);
  }
}

function principalKey({ principal }: Caller): string {
  return JSON.stringify([principal.tenantId, principal.subject, principal.clientId ?? null]);
}

function acknowledged(listener: Listener, uris: readonly string[] | undefined): string {
  const notifications: SubscriptionFilter = {
    ...(listener.tools && { toolsListChanged: true }),
    ...(listener.prompts && { promptsListChanged: true }),
    ...(listener.resources && { resourcesListChanged: true }),
    ...(uris && { resourceSubscriptions: uris }),
  };
  return `"notifications":${JSON.stringify(notifications)}`;
}

function send(listener: Listener, method: string, members?: string): void {
  listener.channel.send(encodeSubscriptionNotification(method, encodeSubscriptionMeta(listener.id), members));
}

/** Tells a listener which of the lists that it listens to look different from before. */
function tell(listener: Listener, view: CatalogueView): void {
  const changed: ReadonlySet<ListKind> = listener.view.changedLists(view);
  listener.view = view;
  if (listener.tools && changed.has('tools')) send(listener, 'notifications/tools/list_changed');
  if (listener.prompts && changed.has('prompts')) send(listener, 'notifications/prompts/list_changed');
  if (listener.resources && (changed.has('resources') || changed.has('templates'))) {
    send(listener, 'notifications/resources/list_changed');
  }
}
