import type { Change } from '#events/change.js';
import type { OutboxEntry } from '#events/outbox.js';
import type { Prisma } from './generated/client.js';

/**
 * Writes changes into the outbox, in the transaction of the client that is given. When they were written is by the
 * database's clock, which the client's `createMany` would not take.
 */
export async function appendToOutbox(
  client: Prisma.TransactionClient,
  changes: readonly Change[],
): Promise<readonly OutboxEntry[]> {
  if (changes.length === 0) return [];
  return client.$queryRaw<OutboxEntry[]>`
    INSERT INTO outbox (tenant_id, change, created_at)
    SELECT (change ->> 'tenantId')::uuid, change, clock_timestamp()
    FROM jsonb_array_elements(${JSON.stringify(changes)}::jsonb) WITH ORDINALITY AS given (change, place)
    ORDER BY place
    RETURNING id::text, change`;
}
