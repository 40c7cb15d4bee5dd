import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findPostgres, runSql, temporarySchema } from '../support/databases.js';
import { Nodes } from '../support/nodes.js';
import type { ServerProcess } from '../support/server-process.js';
import { until } from '../support/until.js';
import { errorOf, EventStream, send } from '../support/wire.js';

const postgres = await findPostgres();
const LISTEN = { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } };

(postgres ? describe : describe.skip)('the listeners of two nodes', () => {
  const schema = temporarySchema(postgres ?? '');
  const [, schemaName] = /schema=(\w+)/.exec(schema.value.url)!;
  let nodes: Nodes;
  let one: ServerProcess;
  let two: ServerProcess;
  let client: pg.Client;

  beforeAll(async () => {
    nodes = new Nodes({ DATABASE_URL: schema.value.url, LISTEN_STREAMS_PER_PRINCIPAL: '4' });
    one = await nodes.start();
    two = await nodes.start();
    client = new pg.Client({ connectionString: postgres });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await nodes[Symbol.asyncDispose]();
    await schema.dispose();
  });

  const open = ({ place }: ServerProcess, slug = 'acme') => EventStream.open(`${place}/t/${slug}/mcp`, LISTEN);
  const rows = async (): Promise<number> =>
    Number((await client.query(`SELECT count(*) FROM ${schemaName}.listeners`)).rows[0].count);
  const refusal = async ({ place }: ServerProcess): Promise<string> =>
    errorOf(await send(`${place}/t/acme/mcp`, LISTEN));

  it('are bounded together for each principal, also when they come at once', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, (_, index) => open(index % 2 === 0 ? one : two)));
    expect(streams.map(({ status }) => status).sort()).toEqual([...Array(4).fill(200), ...Array(6).fill(429)]);
    using other = await open(one, 'other');
    expect([other.status, await rows(), await refusal(one), await refusal(two)]).toEqual([
      200,
      5,
      '429 429',
      '429 429',
    ]);
    for (const stream of streams) stream[Symbol.dispose]();
    await until(async () => (await rows()) === 1);
    using next = await open(two);
    expect(next.status).toBe(200);
  });

  it('have their rows back when their node was taken for dead', async () => {
    using stream = await open(one);
    await stream.until(1);
    await until(async () => (await rows()) === 1);
    await runSql(postgres!, `DELETE FROM ${schemaName}.nodes`);
    expect(await rows()).toBe(0);
    await until(async () => (await rows()) === 1);
  });

  it('open without the table of their rows, and get them when it is back', async () => {
    await runSql(postgres!, `ALTER TABLE ${schemaName}.listeners RENAME TO away`);
    using stream = await open(one);
    await stream.until(1);
    expect(stream.status).toBe(200);
    await runSql(postgres!, `ALTER TABLE ${schemaName}.away RENAME TO listeners`);
    await until(async () => (await rows()) === 1);
  });

  it('leave no rows behind when their node stops, nor when it is killed', async () => {
    const stopping = await nodes.start();
    using ending = await open(stopping);
    const dying = await nodes.start();
    using cut = await open(dying);
    await Promise.all([ending.until(1), cut.until(1)]);
    expect(await rows()).toBe(2);
    expect(await stopping.stop()).toBe(0);
    expect([ending.messages.at(-1)?.result?.['resultType'], await rows()]).toEqual(['complete', 1]);
    await dying.kill();
    await until(async () => (await rows()) === 0, 40_000);
  });
});
