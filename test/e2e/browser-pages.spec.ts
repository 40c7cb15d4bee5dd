import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { findChromium } from '../support/chromium.js';
import { ADA, BOB, CAROL, comeBack, openStage, press, signIn, type SignInStage } from '../support/sign-in-stage.js';

const ARTEFACTS = join(import.meta.dirname, '../artefacts');
/** As long as a client's name is shown, in one word. */
const LONG_NAME = 'W'.repeat(120);
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const VIEWS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone-light', { ...PHONE, colorScheme: 'light' }],
  ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
  ['narrow', { viewport: { width: 320, height: 568 } }],
];

const chromium = await findChromium();
const withChromium = chromium === undefined ? describe.skip : describe;

let stage: SignInStage;

beforeAll(async () => {
  if (chromium === undefined) return;
  await mkdir(ARTEFACTS, { recursive: true });
  stage = await openStage(chromium);
});
afterAll(async () => {
  if (chromium !== undefined) await stage[Symbol.asyncDispose]();
});

/** Walks a person past every page that there is; `look` is called on each. */
async function tour(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await signInPages(page, look);
  await consentPages(page, look);
  await errorPages(page, look);
  await devicePages(page, look);
}

async function signInPages(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await using client = await stage.client({ redirectUri: 'https://host.example.com/callback' });
  await page.goto(client.oauth.authorizationUrl({ resource: stage.secure }).href);
  await look('sign-in');
  await signIn(page, ADA, 'not the password');
  await look('sign-in-problem');
  await signIn(page, BOB);
  await look('no-access');
  await page.context().clearCookies();
  await using local = await stage.client({ name: LONG_NAME });
  await page.goto(local.oauth.authorizationUrl({ resource: stage.team }).href);
  await look('sign-in-with-provider');
}

async function consentPages(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await using client = await stage.client({ name: 'Claude' });
  await page.goto(client.oauth.authorizationUrl({ resource: stage.secure }).href);
  await signIn(page, ADA);
  await look('consent');
  await comeBack(client, () => press(page, 'Allow'));
  await page.goto(client.oauth.authorizationUrl({ resource: stage.secure, scope: 'notes:read notes:write' }).href);
  await look('consent-to-more');
  await page.context().clearCookies();
  await using long = await stage.client({ name: LONG_NAME });
  await page.goto(long.oauth.authorizationUrl({ resource: stage.team, scope: 'notes:read notes:write' }).href);
  await signIn(page, CAROL);
  await look('consent-withheld');
}

async function errorPages(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await using client = await stage.client();
  await page.goto(client.oauth.authorizationUrl({ resource: stage.secure, client_id: 'nobody' }).href);
  await look('error');
  await page.goto(`${stage.running.server.url}/interaction/not-mine`);
  await look('gone');
  await page.goto(client.oauth.authorizationUrl({ resource: stage.secure, redirect_uri: 'https://evil.example' }).href);
  await look('error-redirect');
}

async function devicePages(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await page.context().clearCookies();
  await using client = await stage.client({ name: 'Causeway CLI' });
  const { body } = await client.oauth.post('/device/authorize', { resource: stage.secure });
  await page.goto(`${body['verification_uri']}?user_code=XXXX-YYYY`);
  await look('device');
  await press(page, 'Continue');
  await look('device-problem');
  await page.goto(body['verification_uri_complete']);
  await press(page, 'Continue');
  await look('device-confirm');
  await press(page, 'Continue');
  await signIn(page, ADA);
  await look('device-consent');
  await press(page, 'Allow');
  await look('device-connected');
  await page.goto(body['verification_uri_complete']);
  await page.context().clearCookies();
  await press(page, 'Continue');
  await look('device-gone');
}

/** What of a page keeps people out who use a screen reader, a keyboard or a finger; nothing when all is well. */
function obstacles(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const nameOf = (element) => (element.labels?.[0] ?? element).textContent.trim();
    const ids = all('[id]').map(({ id }) => id);
    const references = all('[aria-describedby], [aria-labelledby]').flatMap((element) =>
      ['aria-describedby', 'aria-labelledby'].flatMap((name) => (element.getAttribute(name) ?? '').split(' ').filter(Boolean)));
    const fields = all('input:not([type="hidden"]), select, textarea');
    const levels = all('h1, h2, h3, h4, h5, h6').map(({ tagName }) => Number(tagName[1]));
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      !/^[a-z]{2}(-[A-Z]{2})?$/.test(document.documentElement.lang) && 'no language',
      document.title.trim() === '' && 'no title',
      all('h1').length !== 1 && all('h1').length + ' first headings',
      levels.some((level, index) => level > (levels[index - 1] ?? 0) + 1) && 'a level of headings is left out',
      all('main').length !== 1 && 'no main landmark',
      /user-scalable=no|maximum-scale/.test(document.querySelector('meta[name="viewport"]')?.content) && 'no zoom',
      scrollWidth > clientWidth && 'it scrolls sideways: ' + scrollWidth + ' in ' + clientWidth,
      ...fields.filter((field) => nameOf(field) === '' || !field.labels?.length).map(({ name }) => 'no label: ' + name),
      ...fields.filter((field) => !field.autocomplete).map(({ name }) => 'no autocomplete: ' + name),
      ...all('button, a').filter((element) => nameOf(element) === '').map(({ outerHTML }) => 'no name: ' + outerHTML),
      ...all('button, a, input:not([type="hidden"])').filter((element) => element.getBoundingClientRect().height < 44)
        .map((element) => 'too small for a finger: ' + nameOf(element)),
      ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => 'an id twice: ' + id),
      ...references.filter((id) => !ids.includes(id)).map((id) => 'no element has the id: ' + id),
      ...all('[tabindex]').filter(({ tabIndex }) => tabIndex > 0).map(() => 'an order of its own'),
      ...all('img:not([alt])').map(() => 'a picture without words'),
      ...all('script, [style], [onclick], iframe').map(({ tagName }) => 'what the policy forbids: ' + tagName),
    ].filter(Boolean);
  })()`);
}

withChromium.each(VIEWS)('every page, %s', (view, options) => {
  it('can be used by everybody, does not scroll sideways, and breaks no policy', async () => {
    await using window = await stage.window(options);
    const { page, complaints } = window;
    const found: Record<string, readonly string[]> = {};
    await tour(page, async (name) => {
      found[name] = await obstacles(page); // before the screenshot, which hides the caret by a style
      await page.screenshot({ path: join(ARTEFACTS, `${name}.${view}.png`), fullPage: true });
    });
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    expect(Object.keys(found)).toHaveLength(16);
    expect(complaints).toEqual([]);
  });
});
