import type { ChangeBus } from './change.bus.js';
import type { ChangeRelay } from './change-relay.js';
import type { Change } from './change.js';
import type { Outbox, OutboxEntry } from './outbox.js';

/** Tells every node of a change that stands in no transaction, such as that the contents of a resource have changed. */
export class ChangeAnnouncer {
  /** @param onFailure told when the outbox or the bus failed */
  constructor(
    private readonly outbox: Pick<Outbox, 'append'>,
    private readonly relay: Pick<ChangeRelay, 'send'>,
    private readonly bus: Pick<ChangeBus, 'publish'>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** By the outbox, or straight by the bus where that cannot be written. Never rejects. */
  async announce(change: Change): Promise<void> {
    const entries = await this.write(change);
    if (entries) await this.relay.send(entries);
    else await this.bus.publish(change).catch((error: unknown) => this.onFailure(error));
  }

  private async write(change: Change): Promise<readonly OutboxEntry[] | undefined> {
    try {
      return await this.outbox.append([change]);
    } catch (error) {
      this.onFailure(error);
      return undefined;
    }
  }
}
