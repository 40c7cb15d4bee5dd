import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '#protocol/key-ring.js';
import { KNOWN_BROWSER_LIFE_S, KnownBrowsers } from './known-browsers.js';

const [old, current] = [randomBytes(32), randomBytes(32)];
const browsersWith = (...secrets: Buffer[]): KnownBrowsers =>
  new KnownBrowsers(new KeyRing(secrets).derive('known browsers'));
const browsers = browsersWith(current);
const NOW_S = 1_800_000_000;

describe('a browser that signed in before', () => {
  it('is known for this login, however it is written, and for no other', () => {
    const cookie = browsers.mark('Ada@Example.com ', undefined, NOW_S);
    expect(browsers.isKnown('ada@example.com', cookie, NOW_S)).toBe(true);
    expect(browsers.isKnown('bob@example.com', cookie, NOW_S)).toBe(false);
  });

  it('is known for a year', () => {
    const cookie = browsers.mark('ada@example.com', undefined, NOW_S);
    expect(browsers.isKnown('ada@example.com', cookie, NOW_S + KNOWN_BROWSER_LIFE_S)).toBe(true);
    expect(browsers.isKnown('ada@example.com', cookie, NOW_S + KNOWN_BROWSER_LIFE_S + 1)).toBe(false);
  });

  it('is known for each of the last five who signed in', () => {
    const logins = Array.from({ length: 6 }, (_, index) => `person-${index}@example.com`);
    let cookie: string | undefined;
    for (const login of logins) cookie = browsers.mark(login, cookie, NOW_S);
    expect(logins.map((login) => browsers.isKnown(login, cookie, NOW_S))).toEqual([
      false,
      ...Array<boolean>(5).fill(true),
    ]);
  });

  it('takes one mark a login, which is renewed', () => {
    const first = browsers.mark('ada@example.com', undefined, NOW_S);
    const second = browsers.mark('ada@example.com', first, NOW_S + 60);
    expect(second).not.toContain('~');
    expect(browsers.isKnown('ada@example.com', second, NOW_S + KNOWN_BROWSER_LIFE_S + 60)).toBe(true);
  });

  it('stays known when the secret key is changed, as long as the old one still opens', () => {
    const cookie = browsersWith(old).mark('ada@example.com', undefined, NOW_S);
    expect(browsersWith(current, old).isKnown('ada@example.com', cookie, NOW_S)).toBe(true);
    expect(browsers.isKnown('ada@example.com', cookie, NOW_S)).toBe(false);
  });

  it.each(['', '~~~~', 'x'.repeat(10_000), '00000000.0.x', `${'0'.repeat(8)}.zz.${'a'.repeat(43)}`])(
    'is not one that says so itself: %s',
    (cookie) => {
      expect(browsers.isKnown('ada@example.com', cookie, NOW_S)).toBe(false);
    },
  );

  it('cannot make its mark last, nor put it in another’s name', () => {
    const cookie = browsers.mark('ada@example.com', undefined, NOW_S);
    const [id, until = '', mac] = cookie.split('.');
    const later = (Number.parseInt(until, 36) + 86_400).toString(36);
    expect(browsers.isKnown('ada@example.com', `${id}.${later}.${mac}`, NOW_S)).toBe(false);
  });

  it('is told nothing about the login by its cookie', () => {
    const cookie = browsers.mark('ada@example.com', undefined, NOW_S);
    expect(cookie).not.toMatch(/ada|example/);
    expect(cookie).toMatch(/^[\w.~-]+$/);
  });
});
