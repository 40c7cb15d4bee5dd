import { Logger } from '@nestjs/common';

const EVERY_MS = 60_000;

/** How often one minute's sweep goes on with one kind of rows; the rest waits, so that no kind starves the others. */
const BATCHES = 100;

/** One kind of rows that are of no use after a while. */
export interface Sweep {
  /** For the log, such as `expired rounds`. */
  readonly what: string;
  /** How long they are kept, in milliseconds. */
  readonly keptMs: number;
  /** Deletes some of those from before the time given; returns how many. */
  readonly run: (before: Date) => Promise<number>;
}

/** Deletes what is of no use any more, once a minute, one kind after the other. A failure is logged, and tried again. */
export class RowSweeper {
  private readonly logger = new Logger(RowSweeper.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;

  constructor(private readonly sweeps: readonly Sweep[]) {}

  start(): void {
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweepAll().finally(() => (this.sweeping = undefined));
    }, EVERY_MS).unref();
  }

  /** Resolves when the statement under way has ended; none follows. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.sweeping;
  }

  private async sweepAll(): Promise<void> {
    for (const sweep of this.sweeps) await this.sweep(sweep);
  }

  private async sweep({ what, keptMs, run }: Sweep): Promise<void> {
    const before = new Date(Date.now() - keptMs);
    try {
      for (let batch = 0; this.timer && batch < BATCHES; batch++) {
        if ((await run(before)) === 0) return;
      }
    } catch (error) {
      this.logger.warn(`The ${what} could not be deleted: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
