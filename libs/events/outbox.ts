import type { Change } from './change.js';

/** A change that was written down in the transaction that made it, so that every node is sure to hear of it. */
export interface OutboxEntry {
  /** Grows, though not in the order in which transactions end. */
  readonly id: string;
  readonly change: Change;
}

/** Where changes are written down until the bus has taken them, and for a while after. */
export abstract class Outbox {
  /** Writes changes down, in a transaction of their own. Whoever changes more does so in theirs. */
  abstract append(changes: readonly Change[]): Promise<readonly OutboxEntry[]>;

  /** Entries that the bus has not taken and that are older than this, the oldest first. */
  abstract unsent(olderThanMs: number, limit: number): Promise<readonly OutboxEntry[]>;

  abstract markSent(ids: readonly string[]): Promise<void>;

  /**
   * Entries written within the last milliseconds, by the database's clock, sent or not, the oldest first.
   * @param after the id of an entry; only later ones are given
   */
  abstract writtenWithin(milliseconds: number, limit: number, after?: string): Promise<readonly OutboxEntry[]>;

  /** Deletes up to 1,000 that were sent and written before this; returns how many. */
  abstract sweep(before: Date): Promise<number>;
}
