import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { TenantStore } from '#tenancy/tenant.store.js';
import type { ListenRouter } from './listen-router.js';
import { StoreWatch, type WatchOptions } from './store-watch.js';

/**
 * Compares the revisions of tenants that changed lately with those in memory, so that a change that no bus brought here
 * is served, and told, all the same. Costs one query a look, however many tenants there are.
 */
export class TenantWatch extends StoreWatch {
  constructor(
    private readonly store: Pick<TenantStore, 'changedWithin'>,
    private readonly tenants: Pick<TenantDirectory, 'known'>,
    private readonly listeners: Pick<ListenRouter, 'route' | 'isHeard'>,
    options: WatchOptions,
  ) {
    super(options);
  }

  protected override async lookBack(milliseconds: number): Promise<void> {
    for (const { id, slug, revision } of await this.store.changedWithin(milliseconds)) {
      const known = this.tenants.known(id);
      if (known?.slug !== undefined && known.slug !== slug)
        this.listeners.route({ type: 'catalogue', tenantId: id, slug: known.slug, revision });
      if (known?.revision === revision || (known === undefined && !this.listeners.isHeard(id))) continue;
      this.listeners.route({ type: 'catalogue', tenantId: id, slug, revision });
    }
  }
}
