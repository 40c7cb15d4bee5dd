/** More wait for a service than may. */
export class QueueFullError extends Error {
  constructor() {
    super('Too many calls wait for the service.');
    this.name = 'QueueFullError';
  }
}

interface Waiting {
  readonly start: () => void;
}

/** Lets so many calls run at a time; a bounded number of others wait, first come, first served. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting = new Set<Waiting>();

  constructor(
    private readonly most: number,
    private readonly mostWaiting: number,
  ) {}

  /**
   * Takes a place, which the caller owes back by `leave`; undefined when it was free at once.
   * @throws QueueFullError when too many wait; rejects with the signal's reason when it fires meanwhile
   */
  enter(signal: AbortSignal): Promise<void> | undefined {
    if (this.running < this.most) {
      this.running += 1;
      return undefined;
    }
    if (this.waiting.size >= this.mostWaiting) throw new QueueFullError();
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting.delete(place);
        reject(signal.reason as Error);
      };
      const start = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const place: Waiting = { start };
      this.waiting.add(place);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives a place back: to who waits longest, if anybody does. */
  leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.running -= 1;
      return;
    }
    this.waiting.delete(next);
    next.start();
  }
}
