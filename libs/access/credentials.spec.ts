import { describe, expect, it } from '@jest/globals';
import { isTokenText, NO_CREDENTIALS, readBearer } from './credentials.js';

const read = (authorization: string | undefined, more: object = {}) =>
  readBearer({ ...NO_CREDENTIALS, authorization, ...more });

describe('credentials', () => {
  it.each(['Bearer abc', 'bearer abc', 'BEARER   abc'])('are a bearer token in %j', (field) => {
    expect(read(field)).toEqual({ token: 'abc' });
  });

  it.each([
    [undefined, 'missing'],
    ['', 'scheme'],
    ['Bearer', 'scheme'],
    ['Bearerabc', 'scheme'],
    ['Basic YTpi', 'scheme'],
    ['DPoP abc', 'scheme'],
    [`Bearer ${'a'.repeat(8_192)}`, 'too_long'],
  ])('are not in %j: %s', (field, fault) => {
    expect(read(field)).toEqual({ fault });
  });

  it('are not believed twice, nor in the URL', () => {
    expect(read('Bearer abc', { repeated: true })).toEqual({ fault: 'repeated' });
    expect(read('Bearer abc', { inQuery: true })).toEqual({ fault: 'in_query' });
    expect(read(undefined, { inQuery: true })).toEqual({ fault: 'in_query' });
  });

  it.each(['a b', 'a,b', 'é', '', '=', 'a"b', 'a\nb'])('are no token text: %j', (text) => {
    expect(isTokenText(text)).toBe(false);
  });
});
