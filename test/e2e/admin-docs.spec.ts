import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
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
});
