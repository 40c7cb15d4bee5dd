import { createContext, Script } from 'node:vm';
import { isJsonObject } from '#protocol/json.js';

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
    throw isTimeout(error) ? new TimeIsUp(`Not done after ${milliseconds} ms.`) : error;
  }
}

/** The error belongs to the other context, where `Error` is another class. */
function isTimeout(error: unknown): boolean {
  return isJsonObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
