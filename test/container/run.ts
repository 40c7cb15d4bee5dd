/** What holds of `docker compose up`, step by step. Run by `.ci/container`. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Person } from '../support/person.js';
import { Compose } from './compose.js';
import { Host } from './host.js';

const port = await freePort();
const engine = new Compose(`causeway-check-${process.pid}`, port);
const say = (text: string): void => void process.stdout.write(`== ${text}\n`);

try {
  say('docker compose up --build --detach --wait');
  await engine.compose('up', '--build', '--detach', '--wait', '--quiet-pull');
  const logs = await engine.compose('logs', '--no-color', '--no-log-prefix', 'app');
  assert.match(logs, new RegExp(`http://127\\.0\\.0\\.1:${port}/t/demo-secure/mcp`), 'the log shows the URL');
  assert.doesNotMatch(logs, /"level":"(?:warn|error|fatal)"/, 'nothing is warned of');
  const password = /password {2}(\S+)/.exec(logs)?.[1] ?? '';
  const host = new Host(new URL(`http://127.0.0.1:${port}/t/demo-secure/mcp`), new Person('owner@localhost', password));

  say('the official client signs in with the password of the log, and calls');
  await callsAsOwner(host);
  assert.equal(host.timesAsked, 1);

  say('not root, a root file system that is read only, nothing that only tests need');
  assert.equal((await engine.inside('id', '-un')).trim(), 'node');
  assert.match(await engine.inside('touch', '/app/x'), /Read-only file system/);
  assert.match(await engine.inside('ls', 'node_modules/jest'), /No such file/);
  await engine.inside('manage', 'tenant', 'add', 'kept', '--title', 'Kept');

  say('docker compose restart loses nothing');
  await engine.compose('restart');
  await engine.compose('up', '--detach', '--wait');
  await callsAsOwner(host);

  say('docker compose stop tells the listeners and ends in order');
  const client = await host.connect();
  const { closed } = await client.listen({ toolsListChanged: true });
  await engine.compose('stop', 'app');
  assert.equal(await closed, 'graceful', 'the stream ends with its final response');
  assert.equal(await engine.stateOfApp(), 'exited 0');
  await client.close();

  say('docker compose down and up lose nothing');
  await engine.compose('down');
  await engine.compose('up', '--detach', '--wait');
  await callsAsOwner(host);
  assert.match(await engine.inside('manage', 'tenant', 'list'), /kept/);
  assert.equal(host.timesAsked, 1, 'the person was not asked again');
  say('All of it holds.');
} catch (error) {
  process.stderr.write(await engine.compose('logs', '--no-color', '--tail', '50').catch(String));
  throw error;
} finally {
  await engine.compose('down', '--volumes');
}

async function callsAsOwner(host: Host): Promise<void> {
  const client = await host.connect();
  try {
    const { structuredContent } = await client.callTool({ name: 'who_am_i', arguments: {} });
    assert.deepEqual((structuredContent as { scopes: unknown }).scopes, ['mcp', 'notes:read']);
  } finally {
    await client.close();
  }
}

/** Free a moment ago: the compose file needs one that is known beforehand, and Docker says so when it has been taken. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  return free;
}
