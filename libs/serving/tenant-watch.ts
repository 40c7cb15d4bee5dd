import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { TenantStore } from '#tenancy/tenant.store.js';
import type { ListenRouter } from './listen-router.js';

/** How much earlier than the last look is looked, for clocks that differ and transactions that took a while. */
const OVERLAP_MS = 30_000;

export interface WatchOptions {
  readonly intervalMs: number;
  /** Told when the store could not be asked; the next look makes up for it. */
  onFailure(error: unknown): void;
}

/**
 * Compares the revisions of tenants that changed lately with those in memory, so that a change that no bus brought here
 * is served, and told, all the same. Costs one query a look, however many tenants there are.
 */
export class TenantWatch {
  private lastLook = Date.now();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly store: Pick<TenantStore, 'changedWithin'>,
    private readonly tenants: Pick<TenantDirectory, 'known'>,
    private readonly listeners: Pick<ListenRouter, 'route' | 'isHeard'>,
    private readonly options: WatchOptions,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.looking ??= this.look()
        .catch((error: unknown) => this.options.onFailure(error))
        .finally(() => {
          this.looking = undefined;
        });
    }, this.options.intervalMs);
    this.timer.unref();
  }

  /** Looks no more, and waits for the look under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  async look(): Promise<void> {
    const now = Date.now();
    const changed = await this.store.changedWithin(now - this.lastLook + OVERLAP_MS);
    this.lastLook = now;
    for (const { id, slug, revision } of changed) {
      const known = this.tenants.known(id);
      if (known?.slug !== undefined && known.slug !== slug)
        this.listeners.route({ type: 'catalogue', tenantId: id, slug: known.slug, revision });
      if (known?.revision === revision || (known === undefined && !this.listeners.isHeard(id))) continue;
      this.listeners.route({ type: 'catalogue', tenantId: id, slug, revision });
    }
  }
}
