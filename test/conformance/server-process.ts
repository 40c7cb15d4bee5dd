import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AuthorizationTarget } from './authorization.js';
import { endProcess } from './child-process.js';

const PROGRAM = fileURLToPath(new URL('server.js', import.meta.url));
const START_LIMIT_MS = 60_000;

/** The server under test, in a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  /** The MCP endpoint of the fixture's tenant. */
  readonly url: string;
  readonly authorization: AuthorizationTarget;
}

type Told = Pick<ServerProcess, 'url' | 'authorization'>;

/**
 * Starts the server and waits until it listens.
 * @throws Error when it does not, or when the signal fires first
 */
export async function startServer(signal: AbortSignal): Promise<ServerProcess> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    const told = await toldBy(child, AbortSignal.any([signal, AbortSignal.timeout(START_LIMIT_MS)]));
    return { ...told, [Symbol.asyncDispose]: () => endProcess(child) };
  } catch (error) {
    await endProcess(child);
    throw new Error('The server did not start.', { cause: error });
  }
}

async function toldBy(child: ChildProcess, signal: AbortSignal): Promise<Told> {
  const settled = new AbortController();
  const either = { signal: AbortSignal.any([signal, settled.signal]) };
  try {
    return await Promise.race([
      once(child, 'message', either).then(([message]) => message as Told),
      once(child, 'exit', either).then(([code]) => Promise.reject(new Error(`It ended with ${String(code)}.`))),
    ]);
  } finally {
    settled.abort();
  }
}
