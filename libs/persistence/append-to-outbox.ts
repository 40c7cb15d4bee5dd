import type { Change } from '#events/change.js';
import type { OutboxEntry } from '#events/outbox.js';
import type { Prisma } from './generated/client.js';

/** Writes changes into the outbox, in the transaction of the client that is given. */
export async function appendToOutbox(
  client: Prisma.TransactionClient,
  changes: readonly Change[],
): Promise<readonly OutboxEntry[]> {
  if (changes.length === 0) return [];
  const rows = await client.outboxEntry.createManyAndReturn({
    data: changes.map((change) => ({ tenantId: change.tenantId, change })),
    select: { id: true, change: true },
  });
  return rows.map(({ id, change }) => ({ id: String(id), change: change as unknown as Change }));
}
