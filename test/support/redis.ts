import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryDirectory } from './databases.js';

const START_LIMIT_MS = 10_000;

/** A Redis of the test's own, on a port of its own, that can be killed and come back there. */
export interface OwnRedis extends AsyncDisposable {
  readonly url: string;
  start(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

/** The Redis for tests: `TEST_REDIS_URL`, else the one of this machine; undefined when it does not answer. Fails under CI. */
export async function findRedis(): Promise<string | undefined> {
  const url = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
  if (await answers(Number(new URL(url).port || 6379), new URL(url).hostname)) return url;
  missing(`NO REDIS FOR TESTS at ${url}, set TEST_REDIS_URL. Tests on Redis are left out.`);
  return undefined;
}

/**
 * Starts `redis-server`; undefined when the program is not there. Fails under CI.
 * @param settings as for its command line
 * @param sentinel lines of a sentinel's configuration; it is one then
 */
export async function ownRedis(
  settings: readonly string[] = [],
  sentinel?: readonly string[],
): Promise<OwnRedis | undefined> {
  const directory = await temporaryDirectory();
  const port = await freePort();
  const file = join(directory.value, 'redis.conf');
  if (sentinel) await writeFile(file, sentinel.join('\n'));
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory.value];
    const what = sentinel ? [file, ...place, '--sentinel'] : [...place, '--save', '', ...settings];
    child = spawn('redis-server', what, { stdio: 'ignore' });
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))]);
    const deadline = Date.now() + START_LIMIT_MS;
    while (!(await answers(port))) {
      if (Date.now() > deadline) throw new Error('redis-server does not answer.');
      await delay(20);
    }
  };
  const dispose = async (): Promise<void> => {
    await kill();
    await directory.dispose();
  };
  try {
    await start();
    return { url: `redis://127.0.0.1:${port}`, start, kill, [Symbol.asyncDispose]: dispose };
  } catch {
    await dispose();
    missing('NO redis-server FOR TESTS. Tests that kill a Redis are left out.');
    return undefined;
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) });
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(2_000) })) as [Buffer];
    return /^\+PONG|^-NOAUTH/.test(answer.toString());
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function missing(message: string): void {
  if (process.env['CI']) throw new Error(message);
  console.warn(message);
}
