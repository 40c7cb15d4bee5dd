import { createContext, Script } from 'node:vm';
import { isJsonObject } from '#protocol/json.js';

const sandbox: { run: () => unknown } = { run: () => undefined };
const context = createContext(sandbox);
const script = new Script('run()');

/** How often work is begun again that a busy machine kept from running. */
const MAX_ATTEMPTS = 5;

/** Thrown when the time was up. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/**
 * Runs synchronous work and stops it when the time is up, even inside a regular expression. Costs about a tenth of a
 * millisecond, for the thread that watches the clock. That is the clock on the wall: where the process had less than half
 * of the time to itself, the work is begun again, so it must be repeatable.
 * @throws TimeIsUp, and whatever the work throws
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  sandbox.run = work;
  for (let attempt = 1; ; attempt += 1) {
    const started = process.cpuUsage();
    try {
      return script.runInContext(context, { timeout: milliseconds }) as Result;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      const { user, system } = process.cpuUsage(started);
      const hadItsTime = (user + system) / 1000 >= milliseconds / 2;
      if (hadItsTime || attempt === MAX_ATTEMPTS) throw new TimeIsUp(`Not done after ${milliseconds} ms.`);
    }
  }
}

/** The error belongs to the other context, where `Error` is another class. */
function isTimeout(error: unknown): boolean {
  return isJsonObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
