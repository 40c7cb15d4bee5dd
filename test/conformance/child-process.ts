import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How long a process may take to end after it was asked to, in milliseconds; then it is killed. */
const STOP_LIMIT_MS = 15_000;

/** Asks a process to end, and makes it when it does not. Resolves when it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  child.kill('SIGTERM');
  await ended.finally(() => clearTimeout(deadline));
}
