import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Order, Reply, Usage } from './servers/messages.js';

/** How long a process may take over an order. Many tenants take a while to be made. */
const LIMIT_MS: Readonly<Record<Order['kind'], number>> = { start: 90_000, usage: 10_000, stop: 10_000 };

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGKILL'];

const alive = new Set<ChildProcess>();
const scratches = new Set<string>();

/** One program under `bench/servers` and what it is told to be. */
export interface ServerSpec {
  readonly program:
    'bare' | 'bare-streams' | 'sdk' | 'mcp-nest' | 'causeway' | 'node' | 'upstream' | 'direct' | 'compilation';
  readonly options: object;
}

/** A server under test, in a process of its own. */
export interface ServerProcess {
  /** The origin, without a trailing slash. */
  readonly url: string;
  /** The access tokens that it gives out. */
  readonly tokens: readonly string[];
  readonly usage: () => Promise<Usage>;
  readonly stop: () => Promise<void>;
}

export interface ServerSetting {
  /** For node itself. */
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** A directory for its data that outlives it. */
  readonly scratch?: string;
}

/** Starts the program and waits until it listens. @throws Error when it does not start. */
export async function startServer(spec: ServerSpec, setting: ServerSetting = {}): Promise<ServerProcess> {
  const program = fileURLToPath(new URL(`servers/${spec.program}.js`, import.meta.url));
  const child = fork(program, {
    execArgv: [...(setting.nodeOptions ?? [])],
    env: { ...serverEnvironment(), ...setting.environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  alive.add(child);
  const scratch = setting.scratch ?? makeScratch();
  const stop = async () => {
    const stopped = child.connected && (await ask(child, { kind: 'stop' }, 'stopped').catch(() => undefined));
    await endProcess(child, stopped ? [undefined, ...SIGNALS] : SIGNALS);
    if (scratch !== setting.scratch) removeScratch(scratch);
  };
  try {
    const { url, tokens } = await ask(child, { kind: 'start', options: spec.options, scratch }, 'listening');
    return { url, tokens, usage: async () => (await ask(child, { kind: 'usage' }, 'usage')).usage, stop };
  } catch (error) {
    await stop();
    throw new Error(`The ${spec.program} server did not start: ${String(error)}`, { cause: error });
  }
}

/** Runs a program that knows nothing of the benchmark. End it with `endProcess`. */
export function startProgram(program: string, environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: { ...serverEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  alive.add(child);
  return child;
}

/** Tries one signal after the other until the process has ended; `undefined` only waits. */
export async function endProcess(
  child: ChildProcess,
  signals: readonly (NodeJS.Signals | undefined)[] = SIGNALS,
): Promise<void> {
  for (const name of signals) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(LIMIT_MS.stop) });
    if (name !== undefined) child.kill(name);
    await ended.catch(() => undefined);
  }
  alive.delete(child);
}

/** An empty directory, removed by `removeScratch` or at the end of the run. */
export function makeScratch(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-bench-'));
  scratches.add(directory);
  return directory;
}

export function removeScratch(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  scratches.delete(directory);
}

/** Whatever ends the run ends the servers and removes their data too. */
export function endWithRun(): void {
  process.on('exit', () => {
    for (const child of alive) child.kill('SIGKILL');
    for (const directory of scratches) removeScratch(directory);
  });
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
}

/** Only what a process needs of this one's environment, so that no stray variable configures a server. */
function serverEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NODE_ENV: 'production' };
}

/** Gives one order and waits for the reply of that kind. Orders to one process do not overlap. */
async function ask<Kind extends Reply['kind']>(
  child: ChildProcess,
  order: Order,
  kind: Kind,
): Promise<Extract<Reply, { kind: Kind }>> {
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(LIMIT_MS[order.kind])]);
  try {
    child.send(order);
    const reply = await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Reply),
      once(child, 'exit', { signal }).then(([code]): Reply => ({
        kind: 'failed',
        message: `it ended with ${String(code)}`,
      })),
    ]);
    if (reply.kind !== kind) throw new Error(reply.kind === 'failed' ? reply.message : `it answered "${reply.kind}"`);
    return reply as Extract<Reply, { kind: Kind }>;
  } finally {
    settled.abort();
  }
}
