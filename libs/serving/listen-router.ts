import type { AccessGate } from '#access/access-gate.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { Change } from '#events/change.js';
import type { SubscriptionFilter } from '#protocol/messages.js';
import { Coalescer } from './coalescer.js';
import type { Exchange } from './exchange.js';
import { Listener } from './listener.js';
import type { ListenerRows } from './listener-rows.js';
import { TenantListeners } from './tenant-listeners.js';

/** How often streams are looked for whose token has expired, in milliseconds. */
const SWEEP_MS = 1_000;
/** Changes that come within so long after one was told are told together, in milliseconds. */
const WINDOW_MS = 50;

/** What is to be told to the listeners of a tenant. */
interface Pending {
  /** Where the tenant is found; undefined when its catalogue has not changed. */
  slug: string | undefined;
  readonly uris: Set<string>;
  readonly lists: Coalescer;
  readonly resources: Coalescer;
}

export interface RouterParts {
  readonly tenants: Pick<TenantDirectory, 'refresh' | 'peek' | 'holds'>;
  readonly gate: Pick<AccessGate, 'renew'>;
  readonly rows: Pick<ListenerRows, 'admit' | 'release' | 'maxPerPrincipal'>;
  /** Told when a tenant could not be read after a change. */
  onFailure(error: unknown): void;
}

/** What became of a stream that was asked for. */
export type Opening = 'open' | 'too many' | 'stopping' | 'abandoned';

/**
 * The end of the change line: decides who hears of a change, and makes the notification. A listener is told only what it
 * asked for and what its principal may see, by comparing what it saw before with what it sees now; so a change that was
 * lost is told with the next.
 */
export class ListenRouter {
  private readonly byTenant = new Map<string, TenantListeners>();
  private readonly pending = new Map<string, Pending>();
  private readonly sweeper: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly parts: RouterParts) {
    this.sweeper = setInterval(() => this.sweep(), SWEEP_MS);
    this.sweeper.unref();
  }

  get maxPerPrincipal(): number {
    return this.parts.rows.maxPerPrincipal;
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

  /** Opens a stream, once its row is written, and acknowledges what it will hear. */
  async open(exchange: Exchange, asked: SubscriptionFilter): Promise<Opening> {
    const listener = new Listener(exchange, asked);
    const client = { gone: false };
    exchange.channel.onClose(() => {
      client.gone = true;
      this.remove(listener);
    });
    if (this.isStopped()) return 'stopping';
    if (!(await this.parts.rows.admit(listener, () => this.end(listener)))) return 'too many';
    if (client.gone || this.isStopped()) {
      this.parts.rows.release(listener);
      return client.gone ? 'abandoned' : 'stopping';
    }
    this.add(listener);
    listener.acknowledge();
    this.catchUp(listener, exchange);
    return 'open';
  }

  /** Takes in a change. */
  route(change: Change): void {
    if (this.stopped) return;
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
    for (const { lists, resources } of this.pending.values()) {
      lists.stop();
      resources.stop();
    }
    for (const tenantId of this.byTenant.keys()) this.endWhere(tenantId, () => true);
  }

  private isStopped(): boolean {
    return this.stopped;
  }

  /** Ends the streams whose token has expired. */
  private sweep(): void {
    const now = Date.now();
    const isExpired = ({ caller }: Listener): boolean => (caller.token?.expiresAt ?? Infinity) <= now;
    for (const tenantId of this.byTenant.keys()) this.endWhere(tenantId, isExpired);
  }

  private routeResource(tenantId: string, uri: string): void {
    if (!this.isHeard(tenantId)) return;
    const { uris, resources } = this.pendingOf(tenantId);
    uris.add(uri);
    resources.ask();
  }

  /** A tenant that nobody here has asked for is read when somebody does. */
  private routeCatalogue(tenantId: string, slug: string): void {
    if (!this.isHeard(tenantId) && !this.parts.tenants.holds(slug)) return;
    const pending = this.pendingOf(tenantId);
    pending.slug = slug;
    pending.lists.ask();
  }

  private pendingOf(tenantId: string): Pending {
    const known = this.pending.get(tenantId);
    if (known) return known;
    const onQuiet = (): void => this.forgetQuiet(tenantId, pending);
    const pending: Pending = {
      slug: undefined,
      uris: new Set(),
      lists: new Coalescer(WINDOW_MS, () => this.tellLists(tenantId, pending), onQuiet),
      resources: new Coalescer(WINDOW_MS, () => this.tellResources(tenantId, pending), onQuiet),
    };
    this.pending.set(tenantId, pending);
    return pending;
  }

  private forgetQuiet(tenantId: string, { lists, resources }: Pending): void {
    if (!lists.isBusy && !resources.isBusy) this.pending.delete(tenantId);
  }

  private async tellResources(tenantId: string, { uris }: Pending): Promise<void> {
    this.byTenant.get(tenantId)?.tellResources(uris);
    uris.clear();
    return Promise.resolve();
  }

  private async tellLists(tenantId: string, { slug = '' }: Pending): Promise<void> {
    try {
      const catalogue = await this.parts.tenants.refresh(slug);
      const listeners = this.byTenant.get(tenantId);
      if (!listeners || this.stopped) return;
      const isServed = catalogue?.tenant.id === tenantId && catalogue.tenant.status !== 'suspended';
      const over = isServed ? listeners.tellLists(catalogue) : [...listeners];
      for (const listener of over) this.end(listener);
    } catch (error) {
      this.parts.onFailure(error);
    }
  }

  /** What changed between the request and its opening, if anything did. */
  private catchUp(listener: Listener, { catalogue }: Exchange): void {
    const now = this.parts.tenants.peek(catalogue.tenant.slug);
    if (now === undefined || now === catalogue || now.tenant.id !== catalogue.tenant.id) return;
    const listeners = this.byTenant.get(listener.tenantId);
    const isServed = now.tenant.status !== 'suspended';
    const over = isServed ? (listeners?.tellLists(now, [listener]) ?? []) : [listener];
    for (const refused of over) this.end(refused);
  }

  private endWhere(tenantId: string, isOver: (listener: Listener) => boolean): void {
    for (const listener of this.byTenant.get(tenantId) ?? []) {
      if (isOver(listener)) this.end(listener);
    }
  }

  private end(listener: Listener): void {
    listener.end();
    this.remove(listener);
  }

  private add(listener: Listener): void {
    let listeners = this.byTenant.get(listener.tenantId);
    if (!listeners) this.byTenant.set(listener.tenantId, (listeners = new TenantListeners(this.parts.gate)));
    listeners.add(listener);
  }

  private remove(listener: Listener): void {
    const listeners = this.byTenant.get(listener.tenantId);
    if (listeners?.delete(listener) !== true) return;
    if (listeners.size === 0) this.byTenant.delete(listener.tenantId);
    this.parts.rows.release(listener);
  }
}
