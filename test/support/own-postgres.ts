import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runSql, temporaryDirectory } from './databases.js';
import { freePort } from './redis.js';

const run = promisify(execFile);
const START_LIMIT_MS = 30_000;
/** Where Debian keeps the programs of each version. */
const PLACES = '/usr/lib/postgresql';

/** A Postgres of the test's own, on a port of its own, that can be stopped and come back there with its rows. */
export interface OwnPostgres extends AsyncDisposable {
  readonly url: string;
  start(): Promise<void>;
  /** Cuts every connection and stops (`immediate`: as a crash does). */
  stop(how: 'fast' | 'immediate'): Promise<void>;
}

/**
 * Makes and starts a cluster; undefined, and loudly, when the programs are not there or cannot be run. Fails under CI.
 * Postgres refuses to run as root, so that root becomes the user `postgres` for it.
 */
export async function ownPostgres(): Promise<OwnPostgres | undefined> {
  const versions = existsSync(PLACES) ? readdirSync(PLACES).sort((a, b) => Number(b) - Number(a)) : [];
  const programs = versions
    .map((version) => join(PLACES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  const directory = await temporaryDirectory();
  try {
    if (!programs) throw new Error('initdb is not there');
    return await makeCluster(programs, directory.value, () => directory.dispose());
  } catch (error) {
    await directory.dispose();
    const message = `NO POSTGRES OF ITS OWN FOR A TEST: ${String(error)}`;
    if (process.env['CI']) throw new Error(message, { cause: error });
    console.warn(`${message}\nTests that stop a Postgres are left out.`);
    return undefined;
  }
}

async function makeCluster(programs: string, directory: string, remove: () => Promise<void>): Promise<OwnPostgres> {
  const port = await freePort();
  const owner = await ownerOf(directory);
  const as = (program: string, ...args: string[]): [string, string[]] =>
    owner === undefined
      ? [join(programs, program), args]
      : ['setpriv', [`--reuid=${owner}`, `--regid=${owner}`, '--clear-groups', join(programs, program), ...args]];
  const data = join(directory, 'data');
  await run(...as('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'));
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const place = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', directory, '-c', 'max_connections=60'];
    child = spawn(...as('postgres', ...place), { stdio: 'ignore' });
    const deadline = Date.now() + START_LIMIT_MS;
    while (
      !(await runSql(url, 'SELECT 1').then(
        () => true,
        () => false,
      ))
    ) {
      if (Date.now() > deadline) throw new Error('It does not answer.');
      await delay(50);
    }
  };
  const stop = async (how: 'fast' | 'immediate'): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  };
  await start();
  const dispose = async (): Promise<void> => {
    await stop('immediate');
    await remove();
  };
  return { url, start, stop, [Symbol.asyncDispose]: dispose };
}

/** The user to become, who owns the directory then; undefined to stay who one is. */
async function ownerOf(directory: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { stdout } = await run('id', ['-u', 'postgres']);
  await chown(directory, Number(stdout), Number(stdout));
  return stdout.trim();
}
