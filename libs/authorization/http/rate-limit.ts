import { keepLatest } from '#protocol/keep-latest.js';

/** How many subjects are counted at once; the oldest go first. */
const MAX_SUBJECTS = 50_000;

export interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

interface Window {
  count: number;
  readonly until: number;
}

/** Counts requests by subject in windows of fixed length, on this node. */
export class RateLimiter {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly now: () => number = Date.now) {}

  /** For how many milliseconds to wait when there were too many before; undefined when one more is fine. */
  waitFor(subject: string, { requests }: Limit): number | undefined {
    const known = this.windows.get(subject);
    const now = this.now();
    return known && known.until > now && known.count >= requests ? known.until - now : undefined;
  }

  /** Counts one. For how many milliseconds to wait when it is one too many; undefined when it is not. */
  take(subject: string, { requests, windowMs }: Limit): number | undefined {
    const now = this.now();
    const known = this.windows.get(subject);
    if (known && known.until > now) {
      known.count += 1;
      return known.count > requests ? known.until - now : undefined;
    }
    keepLatest(this.windows, subject, { count: 1, until: now + windowMs }, MAX_SUBJECTS);
    return undefined;
  }
}
