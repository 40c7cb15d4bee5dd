import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { cookieOf, pathOf, pinOrigin, queryOf, readParameters, replayBody } from './requests.js';

function requestWith(headers: IncomingMessage['headers']): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return request;
}

describe('the origin that the provider sees', () => {
  it.each(['https://mcp.example.com', 'http://127.0.0.1:3000'])('is the issuer’s, %s, whatever came', (issuer) => {
    const request = requestWith({
      host: 'evil.example',
      forwarded: 'host=evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-port': '1',
      'x-forwarded-proto': 'ftp',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-prefix': '/evil',
      accept: 'application/json',
    });
    pinOrigin(request, issuer);
    const { host, protocol } = new URL(issuer);
    expect(request.headers).toEqual({ host, 'x-forwarded-proto': protocol.slice(0, -1), accept: 'application/json' });
  });
});

describe('a body that is replayed', () => {
  it('is read in place of what came, however it came', async () => {
    const request = requestWith({ 'transfer-encoding': 'chunked', 'content-length': '3' });
    replayBody(request, 'grant_type=ü');
    expect(request.headers).toEqual({ 'content-length': '13' });
    expect(request.readable).toBe(true);
    const iterator = (request as unknown as { iterator(): AsyncIterator<Buffer> }).iterator();
    expect((await iterator.next()).value.toString()).toBe('grant_type=ü');
  });
});

describe('parameters', () => {
  it('are those of a form or a query, repeated ones too', () => {
    expect([...readParameters('a=1&a=2&b=+%20')!]).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', '  '],
    ]);
  });

  it('are a hundred at most', () => {
    expect(readParameters('a=1&'.repeat(100))?.size).toBe(100);
    expect(readParameters('a=1&'.repeat(101))).toBeUndefined();
  });
});

describe('a target', () => {
  it.each([
    ['/token', '/token', ''],
    ['/token?a=b?c', '/token', 'a=b?c'],
    ['/token#a?b', '/token', 'b'],
    ['/token?', '/token', ''],
    ['', '', ''],
  ])('%s has the path %s and the query %s', (target, path, query) => {
    expect([pathOf(target), queryOf(target)]).toEqual([path, query]);
  });
});

describe('a cookie', () => {
  it.each([
    ['a=1; b=2', 'b', '2'],
    ['a=1;b=2=3', 'b', '2=3'],
    [' b=2', 'b', '2'],
    ['b=', 'b', ''],
    ['b', 'b', undefined],
    ['bb=1', 'b', undefined],
    ['b=1; b=2', 'b', '1'],
    [undefined, 'b', undefined],
  ])('of %s by the name of %s is %s', (cookie, name, value) => {
    expect(cookieOf(requestWith({ ...(cookie !== undefined && { cookie }) }), name)).toBe(value);
  });
});
