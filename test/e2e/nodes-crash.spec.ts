import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPostgres, temporarySchema } from '../support/databases.js';
import { Host, Nodes } from '../support/nodes.js';

const postgres = await findPostgres();

(postgres ? describe : describe.skip)('a node that is killed', () => {
  const schema = temporarySchema(postgres ?? '');
  let nodes: Nodes;
  let host: Host;

  beforeAll(async () => {
    nodes = new Nodes({ DATABASE_URL: schema.value.url });
    host = await (await Host.connect(await nodes.start())).listen();
  });

  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await nodes[Symbol.asyncDispose]();
    await schema.dispose();
  });

  it('after it committed and before it told anybody is spoken for by another', async () => {
    await using admin = await Host.connect(await nodes.start());
    const since = host.heard.tools;
    await expect(admin.register(0, true)).rejects.toThrow();
    await host.untilShown([0], since);
  });

  it('in the middle of a hundred registrations has lost none that it answered', async () => {
    const node = await nodes.start();
    await using admin = await Host.connect(node);
    const since = host.heard.tools;
    const answered: number[] = [];
    const registrations = Array.from({ length: 100 }, async (_, index) => {
      await admin.register(100 + index);
      answered.push(100 + index);
      if (answered.length === 30) await node.kill();
    });
    const outcomes = await Promise.allSettled(registrations);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(answered.length).toBeGreaterThanOrEqual(30);
    await host.untilShown(answered, since);
  });
});
