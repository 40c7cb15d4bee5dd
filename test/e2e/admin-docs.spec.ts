import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { findChromium, openWindow, runChromium } from '../support/chromium.js';
import type { Person } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, runSecureDemo, secureTenant } from '../support/secure-demo.js';

const chromium = await findChromium();
const withChromium = chromium === undefined ? describe.skip : describe;

withChromium('the page that shows the admin API', () => {
  let demo: RunningServer;
  let browser: Browser;
  let admin: Person;

  beforeAll(async () => {
    demo = await runSecureDemo({ tenants: [secureTenant('one'), secureTenant('two')] });
    admin = await personOf(demo, ['one'], 'admin');
    browser = await runChromium(chromium ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await demo[Symbol.asyncDispose]();
  });

  it('signs a person in with OAuth, and calls for them', async () => {
    await using window = await openWindow(browser);
    const { page, complaints } = window;
    await page.goto(`${demo.server.url}/admin/v1/docs`);
    await page.locator('.btn.authorize').first().click();
    const oauth = page.locator('.auth-container', { hasText: 'OAuth2' });
    const popup = page.waitForEvent('popup');
    await oauth.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();

    const signIn = await popup;
    await signIn.getByLabel('E-mail address').fill(admin.email);
    await signIn.getByLabel('Password').fill(admin.password);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    expect(await signIn.getByRole('main').innerText()).toContain('This is part of Causeway itself.');
    expect(await signIn.getByRole('main').innerText()).not.toContain('cannot be checked');
    const closed = signIn.waitForEvent('close');
    await signIn.getByRole('button', { name: 'Allow' }).click();
    await closed;
    await oauth.getByText('Authorized').waitFor();
    await oauth.getByRole('button', { name: 'Close', exact: true }).click();

    await page.locator('#operations-tag-session').click();
    await page.locator('.opblock', { hasText: '/admin/v1/me' }).locator('.opblock-summary-control').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((response) => response.url().endsWith('/admin/v1/me'));
    await page.getByRole('button', { name: 'Execute' }).click();
    const answer = await answered;
    expect([answer.status(), await answer.json()]).toEqual([
      200,
      expect.objectContaining({ name: admin.email, operator: false, tenants: [{ slug: 'one', scopes: ['*'] }] }),
    ]);
    expect(complaints.filter((text) => !text.startsWith('[DOM]'))).toEqual([]); // Swagger UI's fields are in no form
  });

  it('is where the addresses above it lead', async () => {
    for (const path of ['/admin', '/admin/', '/admin/v1', '/admin/v1/', '/admin/v1/docs/']) {
      const response = await fetch(demo.server.url + path);
      expect([path, response.status, new URL(response.url).pathname]).toEqual([path, 200, '/admin/v1/docs']);
    }
  });

  it('needs no mouse to choose scopes, and says in words that nothing was allowed', async () => {
    await using window = await openWindow(browser, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    const { page } = window;
    await page.goto(`${demo.server.url}/admin/v1/docs`);
    await page.locator('.btn.authorize').first().press('Enter');
    const oauth = page.locator('.auth-container', { hasText: 'OAuth2' });
    const readOnly = oauth.getByRole('checkbox', { name: 'admin:read' });
    await readOnly.waitFor();
    expect(await page.locator('.auth-container h4').allInnerTexts()).toEqual([
      expect.stringMatching(/^oauth/),
      expect.stringMatching(/^key/),
    ]);
    expect(await oauth.getByLabel('client_secret').isVisible()).toBe(false);
    await tabTo(page, readOnly);
    const mark = "document.activeElement.labels[0].querySelector('.item')";
    expect(await page.evaluate(`getComputedStyle(${mark}).outlineStyle`)).toBe('solid');
    await page.keyboard.press('Space');
    expect(await readOnly.isChecked()).toBe(true);

    const popup = page.waitForEvent('popup');
    const authorize = oauth.getByRole('button', { name: 'Apply given OAuth2 credentials' });
    await tabTo(page, authorize);
    await page.keyboard.press('Enter');
    const signIn = await popup;
    expect(new URL(signIn.url()).origin).toBe(demo.server.url);
    const closed = signIn.waitForEvent('close');
    await signIn.getByRole('button', { name: 'Cancel' }).click();
    await closed;
    await oauth.getByText('The person did not allow it.').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not reach it.');
}
