import type { ChangeRelay } from '#events/change-relay.js';
import { StoreWatch, type WatchOptions } from '#serving/store-watch.js';
import { nextLookInMs } from './poll-schedule.js';
import type { DuePoll, PollOutcome, PollStore, Sighting } from './poll.store.js';

/** How many resources one node looks at at a time. */
const MAX_LOOKS = 32;
/** How long a look may take, in milliseconds. */
const LOOK_MS = 60_000;
/** After so long another node looks, in milliseconds; the first has given up by then. */
const LEASE_MS = 2 * LOOK_MS;
/** When a definition is looked into again that asks for nothing, or does not work here, in milliseconds. */
const NOTHING_MS = 3_600_000;
/** At the start, definitions of all times are looked at. */
const ALL_TIMES_MS = 3_155_760_000_000;

/** What is to be looked at, and how often. */
export interface Target {
  readonly uri: string;
  readonly intervalSeconds: number;
  /** What is there now; undefined when that is what was seen last. Rejects when it cannot be seen. */
  readonly look: (last: Sighting, signal: AbortSignal) => Promise<Sighting | undefined>;
}

export interface PollerParts {
  readonly store: PollStore;
  readonly relay: Pick<ChangeRelay, 'send'>;
  /** Undefined when the definition does not ask to be looked at any more, or does not work here. */
  readonly target: (poll: DuePoll) => Target | undefined;
  /** Told when a resource could not be looked at, once until it can be again. */
  readonly onBlind: (poll: DuePoll, error: unknown) => void;
}

/**
 * Looks at resources whose definitions ask for it, and announces those whose contents have changed. Of all nodes one
 * looks at each. A node that stops gives back what it has not seen yet.
 */
export class ResourcePoller extends StoreWatch {
  private readonly looks = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private reachMs: number | undefined = ALL_TIMES_MS;

  constructor(
    private readonly parts: PollerParts,
    private readonly watching: WatchOptions,
  ) {
    super(watching);
  }

  override async stop(): Promise<void> {
    this.stopping.abort(new Error('The server stops.'));
    await super.stop();
    await this.settled();
  }

  /** Resolves when no look is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.looks);
  }

  protected override async lookBack(milliseconds: number): Promise<void> {
    await this.parts.store.enlist(this.reachMs ?? milliseconds);
    this.reachMs = undefined;
    const free = MAX_LOOKS - this.looks.size;
    if (free === 0 || this.stopping.signal.aborted) return;
    for (const poll of await this.parts.store.claim(free, LEASE_MS)) {
      const look: Promise<void> = this.lookAt(poll)
        .catch((error: unknown) => this.watching.onFailure(error))
        .finally(() => this.looks.delete(look));
      this.looks.add(look);
    }
  }

  private async lookAt(poll: DuePoll): Promise<void> {
    const { store, relay, target: targetOf } = this.parts;
    const target = targetOf(poll);
    const outcome = target ? await this.see(poll, target) : { ...poll, nextInMs: NOTHING_MS };
    const hasChanged = poll.digest !== null && outcome.digest !== poll.digest;
    const changes =
      hasChanged && target ? [{ type: 'resource' as const, tenantId: poll.tenant.id, uri: target.uri }] : [];
    await relay.send(await store.settle(poll, outcome, changes));
  }

  private async see(poll: DuePoll, { intervalSeconds, look }: Target): Promise<PollOutcome> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(LOOK_MS)]);
    try {
      const seen = (await look(poll, signal)) ?? poll;
      return { ...seen, failures: 0, nextInMs: nextLookInMs(intervalSeconds, 0, Math.random()) };
    } catch (error) {
      if (this.stopping.signal.aborted) return { ...poll, nextInMs: 0 };
      if (poll.failures === 0) this.parts.onBlind(poll, error);
      const failures = poll.failures + 1;
      return { ...poll, failures, nextInMs: nextLookInMs(intervalSeconds, failures, Math.random()) };
    }
  }
}
