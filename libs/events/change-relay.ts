import type { ChangeBus } from './change.bus.js';
import type { Outbox, OutboxEntry } from './outbox.js';

/** Brings what stands in the outbox to the bus. */
export class ChangeRelay {
  /** @param onFailure told when the bus or the outbox failed; what was not sent is tried again */
  constructor(
    private readonly outbox: Outbox,
    private readonly bus: ChangeBus,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Sends entries that were just committed. Never rejects: what fails stays in the outbox. */
  async send(entries: readonly OutboxEntry[]): Promise<void> {
    try {
      for (const { change } of entries) await this.bus.publish(change);
      await this.outbox.markSent(entries.map(({ id }) => id));
    } catch (error) {
      this.onFailure(error);
    }
  }
}
