import type { ChangeBus } from './change.bus.js';
import type { Outbox, OutboxEntry } from './outbox.js';

/** How often it is looked for entries that were left over, in milliseconds. */
const LOOK_MS = 400;
/** How old an entry is before another than its writer sends it, in milliseconds. */
const GRACE_MS = 400;
const MAX_BACKOFF_MS = 10_000;
const BATCH = 500;

/**
 * Brings what stands in the outbox to the bus: the node that wrote it at once, any node what was left over, as when the
 * writer died or the bus was gone. Some is sent twice then; whoever hears it tells entries apart by their ids.
 */
export class ChangeRelay {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private backoffMs = LOOK_MS;
  private stopped = false;

  /** @param onFailure told when the bus or the outbox failed; what was not sent is tried again */
  constructor(
    private readonly outbox: Outbox,
    private readonly bus: ChangeBus,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Begins to look for entries that were left over. */
  start(): void {
    this.timer = setTimeout(() => {
      this.looking = this.look().finally(() => {
        this.looking = undefined;
        if (!this.stopped) this.start();
      });
    }, this.backoffMs).unref();
  }

  /** Looks no more, and waits for the look under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** Sends entries that were just committed. Never rejects: what fails stays in the outbox. */
  async send(entries: readonly OutboxEntry[]): Promise<void> {
    try {
      await this.publish(entries);
    } catch (error) {
      if (this.bus.isConnected) this.onFailure(error);
    }
  }

  /** Sends what was left over, a batch at a time. While that fails, it is looked ever less often. */
  private async look(): Promise<void> {
    try {
      let left = await this.leftOver();
      while (left.length > 0) {
        await this.publish(left);
        left = left.length < BATCH ? [] : await this.leftOver();
      }
      this.backoffMs = LOOK_MS;
    } catch (error) {
      if (this.backoffMs === LOOK_MS) this.onFailure(error);
      this.backoffMs = Math.min(this.backoffMs * 2, MAX_BACKOFF_MS);
    }
  }

  /** Nothing while the bus is gone: it could not be sent. */
  private async leftOver(): Promise<readonly OutboxEntry[]> {
    return this.stopped || !this.bus.isConnected ? [] : this.outbox.unsent(GRACE_MS, BATCH);
  }

  /** Publishes all, notes which the bus has taken, and rejects when it did not take them all. */
  private async publish(entries: readonly OutboxEntry[]): Promise<void> {
    const outcomes = await Promise.allSettled(entries.map(({ change, id }) => this.bus.publish(change, id)));
    const sent = entries.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    if (sent.length > 0) await this.outbox.markSent(sent.map(({ id }) => id));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
