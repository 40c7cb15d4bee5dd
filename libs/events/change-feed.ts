import { Callbacks } from './callbacks.js';
import type { ChangeBus } from './change.bus.js';
import type { Change } from './change.js';

/** How many entries of the outbox are remembered as taken in; the oldest go first. */
const MAX_SEEN = 100_000;

/**
 * Changes as one node takes them in: from the bus, and from the outbox where the bus lost some. An entry of the outbox is
 * told once, however often and on whatever way it comes.
 */
export class ChangeFeed {
  private readonly seen = new Set<string>();
  private readonly subscribers: Callbacks<[Change]>;

  constructor(bus: ChangeBus, onFailure: (error: unknown) => void) {
    this.subscribers = new Callbacks(onFailure);
    bus.subscribe((change, entryId) => this.take(change, entryId));
  }

  subscribe(subscriber: (change: Change) => void): void {
    this.subscribers.add(subscriber);
  }

  /** Takes in a change, unless it is an entry that was taken in before. */
  take(change: Change, entryId: string | undefined): void {
    if (entryId === undefined || this.remember(entryId)) this.subscribers.call(change);
  }

  /** Notes an entry whose change is known without being told. False when it was noted before. */
  remember(entryId: string): boolean {
    if (this.seen.has(entryId)) return false;
    this.seen.add(entryId);
    if (this.seen.size > MAX_SEEN) {
      for (const oldest of this.seen) {
        this.seen.delete(oldest);
        break;
      }
    }
    return true;
  }
}
