import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostgres, temporarySchema } from '../../test/support/databases.js';
import { findRedis } from '../../test/support/redis.js';
import { Audience } from '../fanout-audience.js';
import { closeListeners, openListeners } from '../listeners.js';
import { median } from '../median.js';
import { type ServerProcess, startServer } from '../server-process.js';
import type { BareStreamsOptions } from '../servers/bare-streams.js';
import { definitionOf } from '../servers/registered-tools.js';
import type { Effort, Finding, Measure } from './measure.js';

const LISTENERS = 2_000;
/** Registrations a pass, and as many changes of the bare server, in turn. */
const ROUNDS = 10;
/** First changes, which are not counted. */
const WARM_UP_ROUNDS = 20;
/** Between changes, in milliseconds: longer than those are told together that come close after one another. */
const PAUSE_MS = 150;

/** What the bare server sends is byte for byte what a node sends. */
const BYTES: BareStreamsOptions = {
  acknowledgement: event('notifications/subscriptions/acknowledged', ',"notifications":{"toolsListChanged":true}'),
  notification: event('notifications/tools/list_changed', ''),
};

const TOOL = 'registered';
const definition = definitionOf('http://127.0.0.1:9', 'the benchmark');
const SOURCE = JSON.stringify({ name: TOOL, kind: 'http_tool', definition });

/** Each makes a change, and takes the milliseconds until the last stream has heard of it. */
type Sides = Readonly<Record<'ours' | 'undo' | 'theirs', () => Promise<number>>>;

/** How long a change takes from one node to the last of many listeners on another, over a bare loop that writes the same. */
export const fanout: Measure = {
  name: 'fanout_vs_bare_loop',
  title: `A change on one node until the last of ${LISTENERS} listeners on another has it, to a bare loop`,
  ratio: true,
  unit: 'times',
  goal: { atMost: 2.5 },
  run: async (effort): Promise<Finding> => {
    const postgres = await findPostgres();
    if (postgres === undefined) throw new Error('It needs a Postgres server: set TEST_DATABASE_URL.');
    const schema = temporarySchema(postgres);
    const redisUrl = await findRedis();
    const secrets = { redisPrefix: randomBytes(6).toString('hex'), secretKey: randomBytes(32).toString('base64') };
    const options = { databaseUrl: schema.value.url, redisUrl, ...secrets };
    await using stack = new AsyncDisposableStack();
    stack.defer(() => schema.dispose());
    const start = async (program: 'node' | 'bare-streams', given: object): Promise<ServerProcess> => {
      return stack.adopt(await startServer({ program, options: given }), ({ stop }) => stop());
    };
    const registering = await start('node', options);
    const listening = await start('node', options);
    const bare = await start('bare-streams', BYTES);
    const ours = await open(stack, new URL('/t/bench/mcp', listening.url));
    const theirs = await open(stack, new URL('/', bare.url));
    const admin = adminOf(registering);
    const sides: Sides = {
      ours: () => ours.timeUntilHeard(admin.register),
      undo: () => ours.timeUntilHeard(admin.remove),
      theirs: () => theirs.timeUntilHeard(() => send(`${bare.url}/change`, { method: 'POST', body: SOURCE })),
    };
    return await compare(sides, effort, redisUrl === undefined ? 'Postgres' : 'Redis');
  },
};

async function open(stack: AsyncDisposableStack, url: URL): Promise<Audience> {
  return new Audience(stack.adopt(await openListeners(url, LISTENERS), closeListeners));
}

/** Registers a tool by the admin API, and deletes it. */
function adminOf({
  url,
  tokens: [key = ''],
}: ServerProcess): Readonly<Record<'register' | 'remove', () => Promise<void>>> {
  const sources = `${url}/admin/v1/tenants/bench/sources`;
  const authorization = `Bearer ${key}`;
  const json = { authorization, 'content-type': 'application/json' };
  return {
    register: () => send(sources, { method: 'POST', headers: json, body: SOURCE }),
    remove: () => send(`${sources}/${TOOL}`, { method: 'DELETE', headers: { authorization, 'if-match': '*' } }),
  };
}

async function send(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
  const body = await response.text();
  if (!response.ok) throw new Error(`The change was not made: ${body.slice(0, 300)}`);
}

/** Ours and theirs in turn, so that both meet the same machine. */
async function compare({ ours, undo, theirs }: Sides, { passes }: Effort, carrier: string): Promise<Finding> {
  const round = async () => {
    await delay(PAUSE_MS);
    const mine = await ours();
    await delay(PAUSE_MS);
    const bare = await theirs();
    await undo();
    return { ours: mine, theirs: bare };
  };
  for (let count = 0; count < WARM_UP_ROUNDS; count++) await round();
  const pairs: { readonly ours: number; readonly theirs: number }[] = [];
  for (let pass = 0; pass < passes; pass++) {
    const rounds = [];
    while (rounds.length < ROUNDS) rounds.push(await round());
    pairs.push({ ours: median(rounds.map((one) => one.ours)), theirs: median(rounds.map((one) => one.theirs)) });
  }
  const ratios = pairs.map((pair) => pair.ours / pair.theirs);
  const [mine, bare] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.theirs))];
  const summary = `${mine.toFixed(1)} ms to ${bare.toFixed(1)} ms, by ${carrier}`;
  return { value: median(ratios), passes: ratios, details: { carrier, pairs }, summary };
}

function event(method: string, members: string): string {
  const meta = '"_meta":{"io.modelcontextprotocol/subscriptionId":ID}';
  return `event: message\ndata: {"jsonrpc":"2.0","method":"${method}","params":{${meta}${members}}}\n\n`;
}
