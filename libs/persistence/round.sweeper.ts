import { Injectable, Logger } from '@nestjs/common';
import { RoundStore } from '#invocation/round.store.js';

const EVERY_MS = 60_000;

/** So long an expired round is kept for a call that still holds it and will settle it; longer than any call may run. */
const GRACE_MS = 10 * 60_000;

/** Deletes expired rounds once a minute. A failure is logged, and the next minute tries again. */
@Injectable()
export class RoundSweeper {
  private readonly logger = new Logger(RoundSweeper.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;

  constructor(private readonly rounds: RoundStore) {}

  start(): void {
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweep().finally(() => (this.sweeping = undefined));
    }, EVERY_MS).unref();
  }

  /** Resolves when a sweep under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.sweeping;
  }

  private async sweep(): Promise<void> {
    const before = new Date(Date.now() - GRACE_MS);
    try {
      while (this.timer && (await this.rounds.sweep(before)) > 0);
    } catch (error) {
      this.logger.warn(
        `Expired rounds could not be deleted: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
