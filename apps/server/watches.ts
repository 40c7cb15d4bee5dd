import { RevocationStore } from '#access/revocation.store.js';
import { ChangeBus } from '#events/change.bus.js';
import { ChangeFeed } from '#events/change-feed.js';
import { Outbox } from '#events/outbox.js';
import { OutboxWatch } from '#serving/outbox-watch.js';
import { RevocationWatch } from '#serving/revocation-watch.js';
import type { Stages } from '#serving/stages.js';
import type { StoreWatch, WatchOptions } from '#serving/store-watch.js';
import { TenantWatch } from '#serving/tenant-watch.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import type { Booted } from './booted.js';

/** How often changes are looked for that no bus brought. */
const WATCH_MS = 10_000;

/** What looks for changes that no bus brought. */
export async function createWatches(
  { app, logger }: Booted,
  { tenants, gate, listeners }: Stages,
): Promise<readonly StoreWatch[]> {
  const options = (what: string): WatchOptions => ({
    intervalMs: WATCH_MS,
    onFailure: (error) => logger.error({ err: error }, `${what} could not be looked for`),
  });
  const changes = new OutboxWatch(
    { outbox: app.get(Outbox), feed: app.get(ChangeFeed), bus: app.get(ChangeBus) },
    options('Changes in the outbox'),
  );
  await changes.prime();
  return [
    changes,
    new TenantWatch(app.get(TenantStore), tenants, listeners, options('Changes of tenants')),
    new RevocationWatch(app.get(RevocationStore), gate, listeners, options('Revocations')),
  ];
}
