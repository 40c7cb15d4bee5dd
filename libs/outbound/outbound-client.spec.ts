import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnreachableHostError } from './guarded-lookup.js';
import type { ResolveName } from './name-resolver.js';
import { OutboundClient } from './outbound-client.js';
import type { OutboundResponse } from './outbound-request.js';

/** A server that must not be reached, on both loopback addresses. */
let server: Server;
let port: number;
let hits: string[] = [];
let redirectTo = '';
const clients: OutboundClient[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    hits.push(
      `${request.headers.host ?? ''} ${request.headers.authorization ?? '-'} ${String(request.headers['x-key'] ?? '-')}`,
    );
    if (request.url === '/redirect') response.writeHead(302, { location: redirectTo }).end();
    else response.end(`${request.method ?? ''} ${request.url ?? ''}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  hits = [];
});

function clientOf(allowedNetworks: readonly string[], resolve?: ResolveName): OutboundClient {
  const client = new OutboundClient({ allowedNetworks, ...(resolve && { resolve }) });
  clients.push(client);
  return client;
}

function send(client: OutboundClient, url: string, headers = {}, method = 'GET'): Promise<OutboundResponse> {
  const { origin, pathname, search } = new URL(url);
  const limits = { maxBytes: 10_000, redirects: 3, signal: AbortSignal.timeout(5_000) };
  return client.send({ method, origin, path: `${pathname}${search}`, headers }, limits);
}

const local = (address: string): ReturnType<ResolveName> => Promise.resolve([{ address, family: 4 }]);

/** Ways to write an address that is not for outsiders; each as it is parsed by `URL`. */
const HOSTS = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '１２７.０.０.１',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
  '169.254.169.254',
  '0xa9fea9fe',
  '[::ffff:169.254.169.254]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
];

describe('a service that an outsider names', () => {
  it.each(HOSTS)('is not called at https://%s', async (host) => {
    const client = clientOf([]);
    expect(() => client.check(new URL(`https://${host}:${port}/`))).toThrow(UnreachableHostError);
    await expect(send(client, `https://${host}:${port}/`)).rejects.toThrow(UnreachableHostError);
    expect(hits).toEqual([]);
  });

  it.each(HOSTS)('is not called at http://%s, although another network is allowed', async (host) => {
    await expect(send(clientOf(['203.0.113.0/24']), `http://${host}:${port}/`)).rejects.toThrow(UnreachableHostError);
    expect(hits).toEqual([]);
  });

  it.each(['http://8.8.8.8/', 'http://example.com/', 'ftp://127.0.0.1/', 'file:///etc/passwd'])(
    'is not called at %s',
    (url) => {
      expect(() => clientOf([]).check(new URL(url))).toThrow(UnreachableHostError);
    },
  );

  it.each(['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])(
    'is not called when its name resolves to %s',
    async (address) => {
      const resolve: ResolveName = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
      const client = clientOf([], resolve);
      await expect(send(client, `https://service.example:${port}/`)).rejects.toThrow(UnreachableHostError);
      expect(await client.isForbidden(new URL('https://service.example/'))).toBe(true);
      expect(hits).toEqual([]);
    },
  );

  it('is not called when its name resolved to a public address before, and to a private one now', async () => {
    const answers = ['93.184.215.14', '127.0.0.1'];
    const client = clientOf([], () => local(answers.shift() ?? '127.0.0.1'));
    expect(await client.isForbidden(new URL(`https://rebinding.example:${port}/`))).toBe(false);
    await expect(send(client, `https://rebinding.example:${port}/`)).rejects.toThrow(UnreachableHostError);
    expect(hits).toEqual([]);
  });

  it('is called at those of its addresses that may be, when it has others too', async () => {
    const client = clientOf(['127.0.0.1'], () =>
      Promise.resolve([
        { address: '10.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]),
    );
    const response = await send(client, `http://two.example:${port}/a?b=c`);
    expect([response.status, response.body.toString()]).toEqual([200, 'GET /a?b=c']);
  });

  it('is not called when nobody knows its name, which is not forbidden', async () => {
    const client = clientOf([], () => Promise.resolve([]));
    expect(await client.isForbidden(new URL('https://unknown.example/'))).toBe(false);
    await expect(send(client, 'https://unknown.example/')).rejects.toThrow(UnreachableHostError);
  });
});

describe('a redirect', () => {
  const redirecting = (): OutboundClient =>
    clientOf(['127.0.0.1'], (name) => local(name === 'inside.example' ? '10.0.0.1' : '127.0.0.1'));
  const start = (): string => `http://127.0.0.1:${port}/redirect`;

  it.each([
    'http://127.0.0.2/',
    'http://2130706434/',
    'http://0177.0.0.2/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.2]/',
    'https://[64:ff9b::7f00:2]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'http://inside.example/',
    'https://inside.example/',
    'http://8.8.8.8/',
    '//0.0.0.0/',
  ])('to %s is not followed', async (to) => {
    redirectTo = to;
    await expect(send(redirecting(), start())).rejects.toThrow(UnreachableHostError);
    expect(hits).toHaveLength(1);
  });

  it.each([`http://user:word@127.0.0.1/`, 'http://[not-a-host/', 'file:///etc/passwd', 'gopher://127.0.0.1/'])(
    'to %s is not followed either',
    async (to) => {
      redirectTo = to;
      await expect(send(redirecting(), start())).rejects.toMatchObject({ name: 'RedirectError' });
    },
  );

  it('to another origin takes no credentials along, to the same one it does', async () => {
    const headers = { authorization: 'Bearer x', 'x-key': 'y', accept: '*/*' };
    redirectTo = `http://localhost:${port}/there`;
    expect((await send(redirecting(), start(), headers)).body.toString()).toBe('GET /there');
    redirectTo = '/here';
    expect((await send(redirecting(), start(), headers)).body.toString()).toBe('GET /here');
    expect(hits.map((hit) => hit.replaceAll(String(port), ''))).toEqual([
      '127.0.0.1: Bearer x y',
      'localhost: - -',
      '127.0.0.1: Bearer x y',
      '127.0.0.1: Bearer x y',
    ]);
  });

  it('of a POST is followed by a GET without its body', async () => {
    redirectTo = '/there';
    expect((await send(redirecting(), start(), { 'content-type': 'a/b' }, 'POST')).body.toString()).toBe('GET /there');
  });

  it('without end is given up', async () => {
    redirectTo = '/redirect';
    await expect(send(redirecting(), start())).rejects.toMatchObject({ name: 'RedirectError' });
    expect(hits).toHaveLength(4);
  });
});
