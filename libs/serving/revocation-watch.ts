import type { AccessGate } from '#access/access-gate.js';
import type { RevocationStore } from '#access/revocation.store.js';
import type { ListenRouter } from './listen-router.js';
import { StoreWatch, type WatchOptions } from './store-watch.js';

/** How many revocations the store tells of at most; when there are as many, there may have been more. */
const MOST = 50_000;

/** Takes in revocations that no bus brought here, such as those made by SQL. */
export class RevocationWatch extends StoreWatch {
  constructor(
    private readonly store: Pick<RevocationStore, 'revokedWithin'>,
    private readonly gate: Pick<AccessGate, 'forget' | 'forgetAll'>,
    private readonly listeners: Pick<ListenRouter, 'route' | 'isHeard'>,
    options: WatchOptions,
  ) {
    super(options);
  }

  protected override async lookBack(milliseconds: number): Promise<void> {
    const revocations = await this.store.revokedWithin(milliseconds);
    if (revocations.length >= MOST) this.gate.forgetAll();
    for (const revocation of revocations) {
      this.gate.forget(revocation);
      if (this.listeners.isHeard(revocation.tenantId)) this.listeners.route({ type: 'revocation', ...revocation });
    }
  }
}
