import type { ChangeBus } from '#events/change.bus.js';
import type { ChangeFeed } from '#events/change-feed.js';
import type { Outbox, OutboxEntry } from '#events/outbox.js';
import { StoreWatch, type WatchOptions } from './store-watch.js';

const PAGE = 1_000;
/** How often is looked while the bus is gone, in milliseconds: the outbox alone brings changes then. */
const WITHOUT_BUS_MS = 500;
/** Entries of so long before the start are known without being told, in milliseconds. */
const BEFORE_START_MS = 60_000;

export interface OutboxWatchParts {
  readonly outbox: Pick<Outbox, 'writtenWithin'>;
  readonly feed: Pick<ChangeFeed, 'take' | 'remember'>;
  readonly bus: Pick<ChangeBus, 'isConnected'>;
}

/** Takes in changes that stand in the outbox and that no bus brought here. */
export class OutboxWatch extends StoreWatch {
  private withoutBus: NodeJS.Timeout | undefined;

  constructor(
    private readonly parts: OutboxWatchParts,
    options: WatchOptions,
  ) {
    super(options);
  }

  /** Notes what was written before: a node that has read nothing yet will read it with those changes. */
  async prime(): Promise<void> {
    await this.eachWithin(BEFORE_START_MS, ({ id }) => this.parts.feed.remember(id));
  }

  override start(): void {
    super.start();
    this.withoutBus = setInterval(() => {
      if (!this.parts.bus.isConnected) this.lookSoon();
    }, WITHOUT_BUS_MS).unref();
  }

  override async stop(): Promise<void> {
    clearInterval(this.withoutBus);
    await super.stop();
  }

  protected override async lookBack(milliseconds: number): Promise<void> {
    await this.eachWithin(milliseconds, ({ id, change }) => this.parts.feed.take(change, id));
  }

  private async eachWithin(milliseconds: number, take: (entry: OutboxEntry) => void): Promise<void> {
    let page: readonly OutboxEntry[] = [];
    do {
      page = await this.parts.outbox.writtenWithin(milliseconds, PAGE, page.at(-1)?.id);
      page.forEach(take);
    } while (page.length === PAGE);
  }
}
