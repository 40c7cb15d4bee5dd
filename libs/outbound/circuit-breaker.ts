/** A service has failed so often that it is not asked for a while. */
export class BrokenCircuitError extends Error {
  constructor(readonly waitMs: number) {
    super('The service has failed too often lately.');
    this.name = 'BrokenCircuitError';
  }
}

export interface BreakerLimits {
  /** After how many failures in a row it opens. */
  readonly failures: number;
  /** For how long nothing is let through then, in milliseconds. */
  readonly openMs: number;
}

/**
 * Keeps calls from a service that fails: opens after so many failures in a row, lets one call through when its time is
 * over, and closes when that one succeeds.
 */
export class CircuitBreaker {
  private failed = 0;
  private openUntil = 0;
  private probing = false;

  constructor(
    private readonly limits: BreakerLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws BrokenCircuitError while it is open; otherwise the caller owes `succeed`, `fail` or `abstain` */
  enter(): void {
    if (this.failed < this.limits.failures) return;
    const waitMs = this.openUntil - this.now();
    if (waitMs > 0 || this.probing) throw new BrokenCircuitError(Math.max(waitMs, 0));
    this.probing = true;
  }

  succeed(): void {
    this.failed = 0;
    this.probing = false;
  }

  fail(): void {
    this.failed += 1;
    this.probing = false;
    if (this.failed >= this.limits.failures) this.openUntil = this.now() + this.limits.openMs;
  }

  /** The call ended without telling anything about the service. */
  abstain(): void {
    this.probing = false;
  }
}
