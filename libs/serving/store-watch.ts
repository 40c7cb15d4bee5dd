/** How much earlier than the last look is looked, for clocks that differ and transactions that took a while. */
const OVERLAP_MS = 30_000;

export interface WatchOptions {
  readonly intervalMs: number;
  /** Told when the store could not be asked, once until it can; the next look makes up for it. */
  onFailure(error: unknown): void;
}

/** Looks into a store every so often for what no bus brought here. */
export abstract class StoreWatch {
  private lastLook = Date.now();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private again = false;
  private failing = false;

  constructor(private readonly options: WatchOptions) {}

  start(): void {
    this.timer = setInterval(() => this.lookSoon(), this.options.intervalMs);
    this.timer.unref();
  }

  /** Looks no more, and waits for the look under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.looking;
  }

  /** Looks now, or once more when the look under way has ended. Nothing before the start or after the stop. */
  lookSoon(): void {
    if (!this.timer) return;
    if (this.looking) {
      this.again = true;
      return;
    }
    this.again = false;
    this.looking = this.look()
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        this.looking = undefined;
        if (this.again) this.lookSoon();
      });
  }

  async look(): Promise<void> {
    const now = Date.now();
    await this.lookBack(now - this.lastLook + OVERLAP_MS);
    this.lastLook = now;
    this.failing = false;
  }

  private failed(error: unknown): void {
    if (!this.failing) this.options.onFailure(error);
    this.failing = true;
  }

  /** Takes in what happened within the last milliseconds; some of it was taken in before. */
  protected abstract lookBack(milliseconds: number): Promise<void>;
}
