import type { FactoryProvider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { RevocationStore } from '#access/revocation.store.js';
import { AdminStore } from '#admin/stores/admin.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import { RecordStore } from '#authorization/stores/record.store.js';
import { SignInFailureStore } from '#authorization/stores/sign-in-failure.store.js';
import { RoundStore } from '#invocation/round.store.js';
import { Outbox } from '#events/outbox.js';
import { NotificationStore } from '#sources/notifications/notification.store.js';
import { RowSweeper } from './row.sweeper.js';

type Expiring = { sweep(before: Date): Promise<number> };

/**
 * So long an expired row is kept: for a call that still holds its round and will settle it, longer than any call may
 * run; and for nodes whose clocks differ, as what is swept goes by a node's clock.
 */
const GRACE_MS = 10 * 60_000;

/** So long a client that registered itself has time to be used for the first time. */
const UNUSED_CLIENT_MS = 14 * 24 * 3_600_000;

/** So long an entry of the outbox is kept after it was sent: far longer than a node looks back. */
const SENT_MS = 3_600_000;

/** So long a signed message is remembered: longer than it can be sent again, which is ten minutes by its timestamp. */
const SIGNED_MESSAGE_MS = 3_600_000;

/** So long it is known who changed what. */
const HISTORY_MS = 366 * 24 * 3_600_000;

/** The stores of rows that expire, and what to call those. */
const EXPIRING = [
  { store: RoundStore, what: 'expired rounds' },
  { store: GrantStore, what: 'expired grants' },
  { store: RecordStore, what: 'expired records of the authorization server' },
  { store: RevocationStore, what: 'expired revocations' },
  { store: SignInFailureStore, what: 'failed sign-ins of the past' },
] as const;

/** The sweeper of all stores. */
export const rowSweeper: FactoryProvider<RowSweeper> = {
  provide: RowSweeper,
  inject: [ModuleRef],
  useFactory: (module: ModuleRef) => {
    const expired = EXPIRING.map(({ store, what }) => {
      return { what, keptMs: GRACE_MS, run: (before: Date) => module.get<Expiring>(store).sweep(before) };
    });
    const unused = (before: Date): Promise<number> => module.get(ClientStore).sweepUnused(before);
    const admin = (): AdminStore => module.get(AdminStore); // not made yet, while this is
    return new RowSweeper([
      ...expired,
      { what: 'unused clients', keptMs: UNUSED_CLIENT_MS, run: unused },
      { what: 'changes that were sent', keptMs: SENT_MS, run: (before) => module.get(Outbox).sweep(before) },
      {
        what: 'signed messages',
        keptMs: SIGNED_MESSAGE_MS,
        run: (before) => module.get(NotificationStore).sweep(before),
      },
      { what: 'kept answers', keptMs: GRACE_MS, run: (before) => admin().sweepAnswers(before) },
      { what: 'expired admin keys', keptMs: GRACE_MS, run: (before) => admin().sweepKeys(before) },
      { what: 'old history', keptMs: HISTORY_MS, run: (before) => admin().sweepHistory(before) },
      { what: 'tenants that were to be deleted', keptMs: 0, run: (before) => admin().sweepTenants(before) },
    ]);
  },
};
