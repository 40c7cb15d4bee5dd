import { ChangeRelay } from '#events/change-relay.js';
import { Outbox } from '#events/outbox.js';
import type { Stages } from '#serving/stages.js';
import { NotificationStore } from '#sources/notifications/notification.store.js';
import { ResourceNotifications } from '#sources/notifications/resource-notifications.js';
import { PollStore } from '#sources/polls/poll.store.js';
import { ResourcePoller } from '#sources/polls/resource-poller.js';
import type { Booted } from './booted.js';
import type { Registered } from './registered.js';

/** How often it is looked for resources that are due to be looked at. */
const DUE_MS = 2_000;

/** The two ways in which the platform hears that contents of registered resources have changed. */
export function createResourceUpdates(
  { app, logger }: Booted,
  tenants: Stages['tenants'],
  { sources, secrets }: Registered,
): {
  readonly notifications: ResourceNotifications;
  readonly poller: ResourcePoller;
} {
  const outbox = app.get(Outbox);
  const onFailure = (error: unknown): void =>
    logger.error({ err: error }, 'Updates of resources could not be passed on');
  const relay = app.get(ChangeRelay);
  const notifications = new ResourceNotifications({
    ...{ tenants, secrets, outbox, relay },
    store: app.get(NotificationStore),
  });
  const poller = new ResourcePoller(
    {
      store: app.get(PollStore),
      relay,
      target: ({ source, tenant }) => sources.target(source, tenant),
      onBlind: ({ tenant, source }, error) =>
        logger.warn(
          { slug: tenant.slug, source: source.name, err: error },
          'A resource cannot be looked at for updates',
        ),
    },
    { intervalMs: DUE_MS, onFailure },
  );
  return { notifications, poller };
}
