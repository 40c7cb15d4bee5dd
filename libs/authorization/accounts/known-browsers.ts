import { createHmac } from 'node:crypto';
import { equalTexts } from '#protocol/equal-texts.js';
import type { PurposeKey } from '#protocol/key-ring.js';

const LIFE_S = 365 * 86_400;
const FORMAT = /^([0-9a-f]{8})\.([0-9a-z]{1,12})\.([A-Za-z0-9_-]{43})$/;
/** How many accounts one browser is known for. */
const MAX_MARKS = 5;

/**
 * Marks browsers that have signed in, in a cookie, so that throttling tells the owner from strangers. A mark says for
 * which login and until when, by a MAC; it lets nobody in.
 */
export class KnownBrowsers {
  constructor(private readonly keys: readonly [PurposeKey, ...PurposeKey[]]) {}

  /** The cookie's new value. @param nowS seconds since the epoch */
  mark(login: string, cookie: string | undefined, nowS = Math.floor(Date.now() / 1_000)): string {
    const [{ id, key }] = this.keys;
    const until = (nowS + LIFE_S).toString(36);
    const others = marksIn(cookie).filter((mark) => !this.isFor(mark, login, nowS));
    return [`${id}.${until}.${macOf(key, login, until)}`, ...others].slice(0, MAX_MARKS).join('~');
  }

  isKnown(login: string, cookie: string | undefined, nowS = Math.floor(Date.now() / 1_000)): boolean {
    return marksIn(cookie).some((mark) => this.isFor(mark, login, nowS));
  }

  private isFor(mark: string, login: string, nowS: number): boolean {
    const [, id, until = '', mac = ''] = FORMAT.exec(mark) ?? [];
    const key = this.keys.find((candidate) => candidate.id === id)?.key;
    if (!key || Number.parseInt(until, 36) < nowS) return false;
    return equalTexts(mac, macOf(key, login, until));
  }
}

/** For how long the cookie is kept, in seconds. */
export const KNOWN_BROWSER_LIFE_S = LIFE_S;

function marksIn(cookie: string | undefined): readonly string[] {
  return (cookie ?? '').slice(0, 1_024).split('~').filter(Boolean).slice(0, MAX_MARKS);
}

function macOf(key: Buffer, login: string, until: string): string {
  return createHmac('sha256', key).update(`${until} ${login.trim().toLowerCase()}`).digest('base64url');
}
