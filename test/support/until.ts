import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition, and no longer than need be. @throws Error after the limit, in milliseconds */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 15_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('Waited in vain.');
    await delay(5);
  }
}
