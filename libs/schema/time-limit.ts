import { createContext, Script } from 'node:vm';

const sandbox: { run: () => unknown } = { run: () => undefined };
const context = createContext(sandbox);
const script = new Script('run()');

/** Thrown when the time was up. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/**
 * Runs synchronous work and stops it when the time is up, even inside a regular expression. Costs about a tenth of a
 * millisecond, for the thread that watches the clock.
 * @throws TimeIsUp, and whatever the work throws
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  sandbox.run = work;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as Result;
  } catch (error) {
    const isTimeout = error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw isTimeout ? new TimeIsUp(`Not done after ${milliseconds} ms.`) : error;
  }
}
