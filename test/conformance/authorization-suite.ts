import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Person } from '../support/person.js';
import type { AuthorizationTarget } from './authorization.js';
import { endProcess } from './child-process.js';
import { SUITE_PROGRAM } from './suite.js';

const RUN_LIMIT_MS = 2 * 60_000;
const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant'] as const;

/** The scenarios of the suite's command `authorization`. */
export const AUTHORIZATION_SCENARIOS: readonly string[] = SCENARIOS;

/**
 * Runs the suite's command for authorization servers. Where it asks for a browser, a person of ours signs in, consents
 * and is sent back to it.
 * @throws Error when the signal fires or the time is up before it ends
 */
export async function runAuthorizationSuite(
  target: AuthorizationTarget,
  results: string,
  signal: AbortSignal,
): Promise<void> {
  const port = String(await freePort());
  const { issuer, clientId, resource } = target;
  const named = ['--url', issuer, '--client-id', clientId, '--resource', resource, '--port', port];
  const command = [SUITE_PROGRAM, 'authorization', ...named, '--output-dir', results];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(RUN_LIMIT_MS)]);
    await Promise.all([once(child, 'exit', { signal: either }), answer(child.stdout, target)]);
  } finally {
    await endProcess(child);
  }
}

async function answer(output: Readable, { issuer, email, password }: AuthorizationTarget): Promise<void> {
  const person = new Person(email, password);
  for await (const line of createInterface(output)) {
    console.log(line);
    if (!line.startsWith(`${issuer}/authorize?`)) continue;
    await fetch(await person.authorize(line));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
