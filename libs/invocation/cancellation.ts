import { toError } from './to-error.js';

/** How long something may take, and what is said when it takes longer. */
export interface TimeLimit {
  readonly ms: number;
  readonly error: () => Error;
}

/** Ends a call early. The signal is made only for handlers that look at it. */
export class Cancellation {
  private controller: AbortController | undefined;
  private interruption: Error | undefined;
  private cause: Error | undefined;
  private listener: ((reason: Error) => void) | undefined;

  /** Why the call was ended early, if it was. */
  get reason(): Error | undefined {
    return this.cause;
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.interruption) this.controller.abort(this.interruption);
    }
    return this.controller.signal;
  }

  /** Fires the signal, once, and leaves it to the handler how soon it ends. */
  interrupt(reason: Error): void {
    if (this.interruption) return;
    this.interruption = reason;
    this.controller?.abort(reason);
  }

  /** Fires the signal and ends the call now, whatever the handler does; a later reason is ignored. */
  cancel(reason: Error): void {
    if (this.cause) return;
    this.cause = reason;
    this.interrupt(reason);
    this.listener?.(reason);
  }

  /**
   * The work's own end, or the cancellation's reason as a rejection, whichever is first, and never later than the limit.
   * Work that is left behind may still end: nothing comes of it.
   */
  race<T>(work: PromiseLike<T>, limit: TimeLimit): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => this.cancel(limit.error()), limit.ms);
      this.listener = (reason) => {
        clearTimeout(timer);
        reject(reason);
      };
      work.then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(toError(error));
        },
      );
      if (this.cause) this.listener(this.cause);
    });
  }
}
