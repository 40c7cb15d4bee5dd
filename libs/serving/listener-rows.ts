import { setTimeout as delay } from 'node:timers/promises';
import { Batcher } from '#protocol/batcher.js';
import type { Listener } from './listener.js';
import type { ListenerStore } from './listener.store.js';

/** How often a node says that it lives, in milliseconds. */
const BEAT_MS = 5_000;
/** A node that has been silent for so long is taken for dead. */
const SILENT_MS = 3 * BEAT_MS;
/** How long a stream waits for its row, in milliseconds; it opens without when the database is slow. */
const PATIENCE_MS = 2_000;
const MAX_BATCH = 500;

export interface ListenerRowsOptions {
  /** Of this process. */
  readonly nodeId: string;
  /** How many streams one principal may have open, over all nodes. */
  readonly maxPerPrincipal: number;
  /** Told when the store fails; told once until it works again. */
  onFailure(error: unknown): void;
}

type Work = { readonly do: 'open' | 'close'; readonly listener: Listener } | { readonly do: 'beat' };

/**
 * The rows of this node's streams, and that it lives. The bound on streams holds here without the database, and over all
 * nodes with it; rows that could not be written are written later. One statement runs at a time, for all that wait.
 */
export class ListenerRows {
  private readonly counts = new Map<string, number>();
  /** The streams that have a row, or are to have one. */
  private readonly kept = new Map<string, Listener>();
  private readonly queue = new Batcher<Work, boolean>((batch) => this.work(batch), MAX_BATCH);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly store: ListenerStore,
    private readonly options: ListenerRowsOptions,
  ) {}

  get maxPerPrincipal(): number {
    return this.options.maxPerPrincipal;
  }

  start(): void {
    void this.queue.add({ do: 'beat' });
    this.timer = setInterval(() => void this.queue.add({ do: 'beat' }), BEAT_MS).unref();
  }

  /** Deletes all rows of the node, as far as the database lets it without delay. Streams have to be over. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopped = true;
    const left = this.queue.add({ do: 'beat' }).then(() => this.tried(() => this.store.leave(this.options.nodeId)));
    await Promise.race([left, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  /**
   * Makes room for a stream and writes its row. False when its principal has as many as it may.
   * @param onRefused told when that turns out later, since the stream did not wait for a slow database
   */
  async admit(listener: Listener, onRefused: () => void): Promise<boolean> {
    const { owner } = listener;
    const count = this.counts.get(owner) ?? 0;
    if (count >= this.maxPerPrincipal) return false;
    this.counts.set(owner, count + 1);
    const settled = new AbortController();
    const late = delay(PATIENCE_MS, 'late' as const, { signal: settled.signal, ref: false }).catch(
      () => 'late' as const,
    );
    const written = this.queue.add({ do: 'open', listener });
    const admitted = await Promise.race([written, late]);
    settled.abort();
    if (admitted === false) this.giveUp(owner);
    if (admitted === 'late') void written.then((fits) => fits || onRefused());
    return admitted !== false;
  }

  /** Takes note that a stream that was admitted is over. */
  release(listener: Listener): void {
    this.giveUp(listener.owner);
    if (!this.stopped) void this.queue.add({ do: 'close', listener });
  }

  private giveUp(owner: string): void {
    const left = (this.counts.get(owner) ?? 1) - 1;
    if (left === 0) this.counts.delete(owner);
    else this.counts.set(owner, left);
  }

  /** Never rejects. Places that became free count for those who come; what opens and ends in one batch goes last. */
  private async work(batch: readonly Work[]): Promise<readonly boolean[]> {
    if (this.stopped) return batch.map(() => true);
    const opening = new Set(batch.flatMap((work) => (work.do === 'open' ? [work.listener] : [])));
    const closing = batch.flatMap((work) => (work.do === 'close' ? [work.listener] : []));
    await this.close(closing.filter((listener) => !opening.has(listener)));
    const opened = await this.open([...opening]);
    await this.close(closing.filter((listener) => opening.has(listener)));
    if (batch.some((work) => work.do === 'beat')) await this.tried(() => this.beat());
    return batch.map((work) => work.do !== 'open' || opened === undefined || opened.has(work.listener.key));
  }

  private async close(listeners: readonly Listener[]): Promise<void> {
    if (listeners.length === 0) return;
    const keys = listeners.map(({ key }) => key);
    for (const key of keys) this.kept.delete(key);
    await this.tried(() => this.store.close(this.options.nodeId, keys));
  }

  /** Undefined when the store failed: all are let in, and the next beat writes their rows. */
  private async open(listeners: readonly Listener[]): Promise<ReadonlySet<string> | undefined> {
    if (listeners.length === 0) return undefined;
    const rows = listeners.map(({ row }) => row);
    const { nodeId, maxPerPrincipal } = this.options;
    const opened = await this.tried(() => this.store.open(nodeId, rows, maxPerPrincipal));
    for (const listener of listeners) {
      if (opened?.has(listener.key) !== false) this.kept.set(listener.key, listener);
    }
    return opened;
  }

  /** A node that was taken for dead while it lived, or could not write, finds fewer rows than it has streams. */
  private async beat(): Promise<void> {
    const { nodeId } = this.options;
    const rows = await this.store.beat(nodeId);
    if (rows !== this.kept.size)
      await this.store.restore(
        nodeId,
        [...this.kept.values()].map(({ row }) => row),
      );
    await this.store.sweep(SILENT_MS);
  }

  private async tried<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await ask();
      this.failing = false;
      return result;
    } catch (error) {
      if (!this.failing) this.options.onFailure(error);
      this.failing = true;
      return undefined;
    }
  }
}
