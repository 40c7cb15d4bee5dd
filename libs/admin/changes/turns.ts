import { Problem } from '../http/problem.js';

/** How many may wait for one tenant. */
const MOST_WAITING = 200;
/** How long somebody waits for their turn, in milliseconds; who waited longer is sent away when it comes. */
const MAX_WAIT_MS = 15_000;

interface Line {
  waiting: number;
  /** Settles when whoever came last is done. */
  last: Promise<void>;
}

/**
 * One change of a tenant at a time in this process. They would wait for each other anyway, in the database, and each
 * would hold a connection that other tenants need.
 */
export class Turns {
  private readonly lines = new Map<string, Line>();

  /** @throws Problem `unavailable` when too many wait already, or for too long */
  async take<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(tenantId) ?? { waiting: 0, last: Promise.resolve() };
    if (line.waiting >= MOST_WAITING) throw busy();
    this.lines.set(tenantId, line);
    line.waiting += 1;
    const result = afterTurn(line.last, work);
    line.last = result.then(ignore, ignore).then(() => this.leave(tenantId, line));
    return result;
  }

  private leave(tenantId: string, line: Line): void {
    line.waiting -= 1;
    if (line.waiting === 0) this.lines.delete(tenantId);
  }
}

async function afterTurn<T>(turn: Promise<void>, work: () => Promise<T>): Promise<T> {
  const since = Date.now();
  await turn;
  if (Date.now() - since > MAX_WAIT_MS) throw busy();
  return work();
}

function busy(): Problem {
  return new Problem('unavailable', 'Too much is changed of this tenant at once. Try again.', {
    headers: { 'retry-after': '2' },
  });
}

function ignore(): void {
  // whoever waits for the result hears of it
}
