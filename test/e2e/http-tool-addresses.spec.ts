import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpToolStage, type HttpToolStage, textOf } from '../support/http-tool-stage.js';
import { resultOf, send } from '../support/wire.js';

describe('a tool whose service is at an address that is not for outsiders', () => {
  let stage: HttpToolStage;

  beforeAll(async () => {
    stage = await httpToolStage('203.0.113.0/24');
  });

  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  it('is left out of the catalogue, in whatever notation it is written, and costs no other', async () => {
    const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'];
    const { port } = stage.upstream;
    const urls = hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]);
    const slug = await stage.tenantOf([
      ...urls.map((url, index) => ({
        name: `bad-${index}`,
        definition: { description: 'd', request: { method: 'GET', url } },
      })),
      { name: 'good', definition: { description: 'd', request: { method: 'GET', url: 'https://api.example.com/' } } },
    ]);
    const { tools } = resultOf(await send(stage.running.url(slug), { method: 'tools/list' }));
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(['good']);
  });

  it('is not reached by its name either', async () => {
    const run = await stage.tool({
      description: 'd',
      request: { method: 'GET', url: `https://${hostname()}:${stage.upstream.port}/` },
      limits: { retries: 0 },
    });
    const result = await run();
    expect([result['isError'], textOf(result)]).toEqual([
      true,
      'The service behind this tool is at no address that may be called.',
    ]);
    expect(stage.upstream.received).toEqual([]);
  });
});

describe('a tool whose service redirects to such an address', () => {
  it('does not go there', async () => {
    await using stage = await httpToolStage('127.0.0.1');
    const { port, origin } = stage.upstream;
    const run = await stage.tool({ description: 'd', request: { method: 'GET', url: origin }, limits: { retries: 0 } });
    const places = [
      `http://127.0.0.2:${port}/`,
      `http://[::1]:${port}/`,
      'https://169.254.169.254/',
      'http://8.8.8.8/',
    ];
    for (const location of places) {
      stage.upstream.answer((_request, response) => response.writeHead(302, { location }).end());
      expect([location, textOf(await run())]).toEqual([
        location,
        'The service behind this tool is at no address that may be called.',
      ]);
      expect(stage.upstream.received).toHaveLength(1);
    }
  });
});
