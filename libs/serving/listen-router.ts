import { authenticate } from '#access/authenticate.js';
import type { Caller } from '#access/caller.js';
import type { CatalogueView } from '#catalogue/catalogue-view.js';
import type { ListKind } from '#catalogue/entries.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { Change } from '#events/change.js';
import { isRejection } from '#protocol/errors.js';
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
  readonly caller: Caller;
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
  private stopped = false;

  constructor(
    private readonly tenants: Pick<TenantDirectory, 'refresh'>,
    private readonly options: RouterOptions,
  ) {}

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
    const uris = asked.resourceSubscriptions?.filter((uri) => view.findResource(uri) !== undefined);
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
    }
  }

  /** Ends every stream gracefully; none is opened any more. */
  stop(): void {
    this.stopped = true;
    for (const tenantId of [...this.byTenant.keys()]) this.endAll(tenantId);
  }

  private routeResource(tenantId: string, uri: string): void {
    const members = `"uri":${JSON.stringify(uri)}`;
    const visible = new Map<CatalogueView, boolean>();
    for (const listener of this.byTenant.get(tenantId) ?? []) {
      if (listener.uris?.has(uri) !== true) continue;
      const { view } = listener;
      if (!visible.has(view)) visible.set(view, view.findResource(uri) !== undefined);
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
      if (catalogue?.tenant.id !== tenantId || catalogue.tenant.status === 'suspended') this.endAll(tenantId);
      else if (isRejection(authenticate(catalogue.tenant))) this.endAll(tenantId);
      else
        for (const listener of this.byTenant.get(tenantId) ?? []) tell(listener, catalogue.view(listener.caller.grant));
    }
  }

  private endAll(tenantId: string): void {
    for (const listener of [...(this.byTenant.get(tenantId) ?? [])]) {
      listener.channel.finish(encodeSubscriptionEnd(listener.id, listener.serverMeta));
      this.remove(tenantId, listener);
    }
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
