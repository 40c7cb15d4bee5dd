/** Does work at once where it is quiet; what is asked for within a while after that is done together at its end. */
export class Coalescer {
  private again = false;
  private busy = false;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param windowMs from one beginning of the work to the next at least
   * @param work never rejects; it does not begin again before it has ended
   * @param onQuiet told when a window has passed in which nothing was asked for
   */
  constructor(
    private readonly windowMs: number,
    private readonly work: () => Promise<void>,
    private readonly onQuiet: () => void,
  ) {}

  /** Whether it does work, or waits for the end of a window. */
  get isBusy(): boolean {
    return this.busy;
  }

  ask(): void {
    this.again = true;
    if (!this.busy) void this.run();
  }

  /** Begins no more work. */
  stop(): void {
    this.busy = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.busy = true;
    this.again = false;
    const begun = Date.now();
    await this.work();
    const left = this.windowMs - (Date.now() - begun);
    this.timer = setTimeout(() => this.pass(), Math.max(0, left)).unref();
  }

  private pass(): void {
    if (this.again) {
      void this.run();
      return;
    }
    this.busy = false;
    this.onQuiet();
  }
}
