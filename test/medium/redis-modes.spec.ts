import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Change } from '#events/change.js';
import { RedisBus } from '#messaging/redis.bus.js';
import type { RedisOptions } from '#messaging/redis-options.js';
import { type OwnRedis, ownRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const LIMIT_MS = 60_000;
const probe = await ownRedis();
await probe?.[Symbol.asyncDispose]();

/** One node's end of the bus. */
class End {
  readonly heard: Change[] = [];
  readonly told: string[] = [];
  readonly bus: RedisBus;

  constructor(options: RedisOptions) {
    this.bus = new RedisBus(options, {
      onFailure: () => this.told.push('failure'),
      onLost: () => this.told.push('lost'),
      onReturned: () => this.told.push('returned'),
      onForeign: () => this.told.push('foreign'),
    });
    this.bus.subscribe((change) => this.heard.push(change));
    this.bus.start();
  }
}

(probe ? describe : describe.skip)('the bus on Redis', () => {
  const servers: OwnRedis[] = [];
  const ends: End[] = [];

  afterEach(async () => {
    for (const { bus } of ends.splice(0)) await bus.close();
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  const server = async (...settings: string[]): Promise<OwnRedis> => {
    const made = (await ownRedis(settings))!;
    servers.push(made);
    return made;
  };
  const open = (mode: RedisOptions['mode'], urls: readonly string[], prefix: string): End => {
    const [first = '', ...others] = urls;
    const nodes: RedisOptions['nodes'] = [new URL(first), ...others.map((url) => new URL(url))];
    const end = new End({ nodes, mode, sentinelName: 'causeway-test', prefix });
    ends.push(end);
    return end;
  };
  const change = (uri: string): Change => ({ type: 'resource', tenantId: 'id-of-acme', uri });
  /** Says something until it is heard, as the outbox does. */
  const say = async (one: End, two: End, uri: string): Promise<void> => {
    await until(async () => {
      await one.bus.publish(change(uri)).catch(() => undefined);
      return two.heard.some((heard) => heard.type === 'resource' && heard.uri === uri);
    }, LIMIT_MS);
  };

  it('goes to the server that took over, as sentinels tell', async () => {
    const [master, replica] = [await server(), await server()];
    await run('redis-cli', ['-u', replica.url, 'REPLICAOF', '127.0.0.1', new URL(master.url).port]);
    const sentinels = await Promise.all([1, 2, 3].map(() => sentinel(master.url)));
    servers.push(...sentinels);
    const prefix = randomBytes(6).toString('hex');
    const urls = sentinels.map(({ url }) => url);
    const [one, two] = [open('sentinel', urls, prefix), open('sentinel', urls, prefix)];
    await until(() => one.bus.isConnected && two.bus.isConnected);
    await say(one, two, 'x://before');
    await master.kill();
    await say(one, two, 'x://after');
    await say(two, one, 'x://back');
    expect(one.told.slice(0, 2)).toEqual(['lost', 'returned']);
  }, 90_000);

  it('reaches all nodes over whichever member of a cluster, also when one is gone', async () => {
    const members = await Promise.all(
      [1, 2, 3].map(() =>
        server('--cluster-enabled', 'yes', '--cluster-require-full-coverage', 'no', '--cluster-node-timeout', '2000'),
      ),
    );
    const places = members.map(({ url }) => new URL(url).host);
    await run('redis-cli', ['--cluster', 'create', ...places, '--cluster-yes']);
    const prefix = randomBytes(6).toString('hex');
    const urls = members.map(({ url }) => url);
    const [one, two] = [open('cluster', urls, prefix), open('cluster', [...urls].reverse(), prefix)];
    await until(() => one.bus.isConnected && two.bus.isConnected, LIMIT_MS);
    await say(one, two, 'x://1');
    await say(two, one, 'x://2');
    await members[2]!.kill();
    await say(one, two, 'x://3');
    await say(two, one, 'x://4');
  }, 90_000);

  it('signs in, and says so when it may not', async () => {
    const { url } = await server('--requirepass', 'sesame');
    const prefix = randomBytes(6).toString('hex');
    const [stranger] = [open('single', [url], prefix)];
    await until(() => stranger.told.includes('lost'));
    const secret = url.replace('redis://', 'redis://:sesame@');
    const [one, two] = [open('single', [secret], prefix), open('single', [secret], prefix)];
    await say(one, two, 'x://in');
    expect([stranger.bus.isConnected, stranger.heard]).toEqual([false, []]);
  });
});

/** Watches a master that dies after a second; its file of settings is its own to write. */
async function sentinel(master: string): Promise<OwnRedis> {
  const { hostname, port } = new URL(master);
  return (await ownRedis(
    [],
    [
      `sentinel monitor causeway-test ${hostname} ${port} 2`,
      'sentinel down-after-milliseconds causeway-test 1000',
      'sentinel failover-timeout causeway-test 5000',
    ],
  ))!;
}
