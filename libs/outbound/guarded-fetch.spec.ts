import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';

let server: Server;
let port: number;
let requests = 0;
const open: GuardedFetch[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    switch (request.url) {
      case '/redirect':
        response.writeHead(302, { location: '/' }).end();
        return;
      case '/large':
        response.end(Buffer.alloc(20_000, 'x'));
        return;
      case '/bomb':
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
        return;
      case '/drip':
        response.write('{');
        return;
      case '/never':
        return;
      case '/nothing':
        response.writeHead(204).end();
        return;
      default:
        request.pipe(response.writeHead(200, { 'content-type': 'text/plain', 'x-method': request.method ?? '' }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterAll(async () => {
  await Promise.all(open.map((guarded) => guarded.close()));
  server.closeAllConnections();
  server.close();
});

function fetchOf(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const guarded = createGuardedFetch({ allowedNetworks: ['127.0.0.0/8'], ...options });
  open.push(guarded);
  return guarded;
}

const at = (path: string): string => `http://127.0.0.1:${port}${path}`;

describe('outbound requests', () => {
  it('reach the networks that were allowed, by http too', async () => {
    const response = await fetchOf()(at('/echo'), { method: 'POST', headers: { a: 'b' }, body: 'hello' });
    expect([response.status, response.headers.get('x-method'), await response.text()]).toEqual([200, 'POST', 'hello']);
    expect(response).toBeInstanceOf(Response);
    expect((await fetchOf()(at('/nothing'))).status).toBe(204);
    expect((await fetchOf()(`http://localhost:${port}/`)).status).toBe(200);
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://localhost:PORT/',
    'https://localhost:PORT/',
    'https://127.0.0.1:PORT/',
    'https://0.0.0.0:PORT/',
    'https://[::1]:PORT/',
    'https://[::]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://[::ffff:7f00:1]:PORT/',
    'https://[64:ff9b::127.0.0.1]:PORT/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://224.0.0.1/',
  ])('do not reach %s', async (url) => {
    const before = requests;
    const guarded = fetchOf({ allowedNetworks: [] });
    const error = await guarded(url.replace('PORT', String(port))).catch((reason: unknown) => reason as Error);
    expect([error, (error as Error).cause].map(String).join()).toMatch(/no address that may be reached/);
    expect(requests).toBe(before);
  });

  it('go by http to allowed networks only, and by no other scheme', async () => {
    await expect(fetchOf()('http://93.184.215.14/')).rejects.toThrow(/may be reached/);
    for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x', 'https://user:word@127.0.0.1/']) {
      await expect(fetchOf()(url)).rejects.toThrow(TypeError);
    }
  });

  it('follow no redirect, whatever the caller says', async () => {
    const response = await fetchOf()(at('/redirect'), { redirect: 'follow' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/']);
    await expect(fetchOf()(at('/redirect'), { redirect: 'error' })).rejects.toThrow();
  });

  it('are given up when the answer is too large, also when it was packed', async () => {
    await expect(fetchOf({ maxBytes: 10_000 })(at('/large'))).rejects.toThrow(/larger than 10000/);
    await expect(fetchOf({ maxBytes: 100_000 })(at('/bomb'))).rejects.toThrow(/larger than 100000/);
    expect((await (await fetchOf({ maxBytes: 20_000 })(at('/large'))).text()).length).toBe(20_000);
  });

  it.each(['/never', '/drip'])('are given up when %s takes too long', async (path) => {
    await expect(fetchOf({ timeoutMs: 100 })(at(path))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('stop when the caller says so', async () => {
    const stop = new AbortController();
    const running = fetchOf()(at('/never'), { signal: stop.signal });
    stop.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('use no dispatcher of the caller', async () => {
    const dispatcher = { dispatch: () => expect(true).toBe(false) };
    expect((await fetchOf()(at('/'), { dispatcher })).status).toBe(200);
  });

  it.each(['10.0.0.0/33', 'localhost', '10.0.0.0/8/8', '::/129', '10.0.0.0/x', ''])(
    'refuse the network "%s"',
    (network) => {
      expect(() => createGuardedFetch({ allowedNetworks: [network] })).toThrow();
    },
  );
});
