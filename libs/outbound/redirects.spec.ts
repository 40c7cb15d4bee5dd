import { describe, expect, it } from '@jest/globals';
import { redirected } from './redirects.js';

const request = {
  method: 'GET',
  origin: 'https://api.example.com',
  path: '//evil.example/items',
  headers: { accept: '*/*', authorization: 'Bearer secret' },
};

function redirectTo(location: string) {
  return redirected({ status: 302, headers: { location }, body: Buffer.of(), request });
}

describe('a redirect from a path that begins with two slashes', () => {
  it('is one of the origin that was asked, not of a host in the path', () => {
    expect(redirectTo('/next')).toMatchObject({ origin: 'https://api.example.com', path: '/next' });
    expect(redirectTo('next')).toMatchObject({ origin: 'https://api.example.com', path: '//evil.example/next' });
  });

  it('takes no credentials to a host that the path names', () => {
    const next = redirectTo('https://evil.example/next');
    expect(next).toMatchObject({ origin: 'https://evil.example', headers: { accept: '*/*' } });
    expect(next?.headers).not.toHaveProperty('authorization');
  });
});
