import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Names a process so that another one that gets the same id later is not taken for it. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** When it began, in the kernel's clock ticks; absent where there is no `/proc`. */
  readonly began?: string;
}

/** Who this process is. */
export async function thisProcess(): Promise<ProcessIdentity> {
  const began = await beginningOf(process.pid);
  return { host: hostname(), pid: process.pid, ...(began === undefined ? {} : { began }) };
}

/** Whether the process still runs. Only to be asked about one on this host. */
export async function isRunning({ pid, began }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false; // EPERM: it runs, as another user
  }
  return began === undefined || began === (await beginningOf(pid));
}

/** Undefined for a zombie too: it has ended, and only its parent has not looked yet. See proc_pid_stat(5). */
async function beginningOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? undefined : rest[18];
}
