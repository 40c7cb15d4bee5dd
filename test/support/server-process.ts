import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endProcess } from '../conformance/child-process.js';
import { temporaryDirectory } from './databases.js';

const HOOKS = pathToFileURL(join(import.meta.dirname, 'source-hooks.mjs')).href;
const START_LIMIT_MS = 60_000;

/** A node: the platform in a process of its own, with the tenants of the seed. */
export interface ServerProcess extends AsyncDisposable {
  /** The public origin, which all nodes share. */
  readonly url: string;
  /** Where this node listens. */
  readonly place: string;
  /** Tells it to stop, and resolves with its exit code when it has ended. */
  stop(): Promise<number | null>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

/**
 * Starts a node on a free port. @param onLog told what it logs; on this process's stderr otherwise
 * @param program the file beside this one that it runs
 * @throws Error when it does not start
 */
export async function startProcess(
  environment: Readonly<Record<string, string>>,
  onLog?: (text: string) => void,
  program = 'server-program.ts',
): Promise<ServerProcess> {
  const directory = await temporaryDirectory();
  const child = fork(join(import.meta.dirname, program), {
    execArgv: ['--no-warnings', '--conditions=causeway-source', '--import', HOOKS],
    env: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory.value, LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'inherit', onLog ? 'pipe' : 'inherit', 'ipc'],
  });
  if (onLog) child.stderr?.setEncoding('utf8').on('data', onLog);
  const dispose = async (): Promise<void> => {
    await endProcess(child);
    await directory.dispose();
  };
  try {
    const { url, port } = await firstMessage(child);
    return {
      url,
      place: `http://127.0.0.1:${port}`,
      stop: async () => {
        const ended = once(child, 'exit') as Promise<[number | null]>;
        child.kill('SIGTERM');
        return (await ended)[0];
      },
      kill: async () => {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw new Error('The node did not start.', { cause: error });
  }
}

async function firstMessage(child: ChildProcess): Promise<{ readonly url: string; readonly port: number }> {
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(START_LIMIT_MS)]);
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as { url: string; port: number }),
      once(child, 'exit', { signal }).then(([code]) => Promise.reject(new Error(`It ended with ${String(code)}.`))),
    ]);
  } finally {
    settled.abort();
  }
}
