import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findChromium, type Window } from '../support/chromium.js';
import type { ClientApplication } from '../support/client-application.js';
import {
  ADA,
  BOB,
  comeBack,
  focused,
  focusOrder,
  headingOf,
  openStage,
  PASSWORD,
  press,
  signIn,
  type SignInStage,
} from '../support/sign-in-stage.js';
import { resultOf, send } from '../support/wire.js';

const chromium = await findChromium();
const withChromium = chromium === undefined ? describe.skip : describe;
const TITLE = 'Causeway demo with sign-in';

let stage: SignInStage;

beforeAll(async () => {
  if (chromium !== undefined) stage = await openStage(chromium);
});
afterAll(async () => {
  if (chromium !== undefined) await stage[Symbol.asyncDispose]();
});

/** Begins to connect a client to the demo with sign-in. */
async function begin(page: Page, client: ClientApplication, parameters: Record<string, string> = {}): Promise<void> {
  await page.goto(client.oauth.authorizationUrl({ resource: stage.secure, ...parameters }).href);
}

/** Who the client acts for now, by its access token. */
async function whoAmI(token: string, url = stage.secure): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` };
  return resultOf(await send(url, { method: 'tools/call', params: { name: 'who_am_i' }, headers }))[
    'structuredContent'
  ];
}

const answer = (more: object): object => ({ state: 'the-state', iss: stage.running.server.url, ...more });
const aCode = (): object => answer({ code: expect.any(String) });

withChromium('a person who connects a client', () => {
  it('signs in, consents, and comes back with a code that is good for a token', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;

    await begin(page, client);
    expect(await page.title()).toBe(`Sign in – ${TITLE} – Causeway`);
    await signIn(page, ADA);
    expect(await headingOf(page)).toBe(`Allow access to ${TITLE}?`);
    expect(await page.getByRole('main').innerText()).toMatch(/Test host asks to use[^]*127\.0\.0\.1 \(this computer\)/);
    expect(await page.getByRole('list', { name: 'It will be able to:' }).innerText()).toContain('Read your notes');
    expect(await page.getByRole('main').innerText()).not.toContain('Write and delete');

    const back = await comeBack(client, () => press(page, 'Allow'));
    expect(back).toEqual(aCode());
    expect(await headingOf(page)).toBe('Back at the client');
    const { status, body } = await client.oauth.redeem(back['code']!);
    expect([status, body['scope']]).toEqual([200, 'mcp notes:read']);
    expect(await whoAmI(body['access_token'])).toMatchObject({ scopes: ['mcp', 'notes:read'] });
    expect(complaints).toEqual([]);
  });

  it('gets there with the keyboard alone, in the order in which the page is read', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    const { keyboard } = page;

    await begin(page, client);
    expect(await focusOrder(page)).toEqual(['E-mail address', 'Password', 'Sign in', 'Cancel']);
    await page.reload();
    await keyboard.press('Tab');
    await keyboard.type(ADA);
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await page.waitForURL('**/interaction/*');
    await page.getByRole('button', { name: 'Allow' }).waitFor();

    expect(await focusOrder(page)).toEqual(['Not you? Use another account', 'Allow', 'Deny']);
    await page.reload();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Allow');
    expect(await comeBack(client, () => keyboard.press('Space'))).toEqual(aCode());
    expect(complaints).toEqual([]);
  });

  it('gets there with JavaScript off', async () => {
    await using client = await stage.client();
    await using window = await stage.window({ javaScriptEnabled: false });
    const { page, complaints } = window;
    await begin(page, client);
    await signIn(page, ADA, 'not the password');
    await signIn(page, ADA);
    expect(await comeBack(client, () => press(page, 'Allow'))).toEqual(aCode());
    expect(complaints).toEqual([]);
  });

  it('gets there although the button is pressed twice', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page } = window;
    await begin(page, client);
    await signIn(page, ADA);
    const allow = page.getByRole('button', { name: 'Allow' });
    expect(await comeBack(client, () => allow.dblclick())).toEqual(aCode());
  });

  it('is told of a wrong password at once, and need not enter the address again', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    await begin(page, client);
    for (const email of [ADA, 'nobody@example.com']) {
      await signIn(page, email, 'not the password');
      const alert = page.getByRole('alert');
      expect(await alert.innerText()).toBe('The e-mail address or the password is not right.');
      expect(await focused(page)).toBe(await alert.innerText());
      expect(await page.title()).toBe(`Problem: Sign in – ${TITLE} – Causeway`);
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
      expect(await page.getByLabel('Password').inputValue()).toBe('');
      expect(await page.getByLabel('Password').getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'));
    }
    await signIn(page, ADA);
    expect(await comeBack(client, () => press(page, 'Allow'))).toEqual(aCode());
    expect(complaints).toEqual([]);
  });

  it('comes back with a no after cancelling or denying', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    const denied = answer({ error: 'access_denied', error_description: 'The person did not allow it.' });
    await begin(page, client);
    expect(await comeBack(client, () => press(page, 'Cancel'))).toEqual(denied);
    await begin(page, client);
    await signIn(page, ADA);
    expect(await comeBack(client, () => press(page, 'Deny'))).toEqual(denied);
    await begin(page, client);
    expect(await headingOf(page)).toContain('Allow access');
    expect(complaints).toEqual([]);
  });

  it('may use another account', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    await begin(page, client);
    await signIn(page, BOB);
    await press(page, 'Use another account');
    await signIn(page, ADA);
    expect(await page.getByRole('definition').last().innerText()).toContain(ADA);
    await press(page, 'Not you? Use another account');
    expect(await headingOf(page)).toBe(`Sign in to ${TITLE}`);
    await begin(page, client);
    expect(await headingOf(page)).toBe(`Sign in to ${TITLE}`); // nobody is signed in any more
    expect(complaints).toEqual([]);
  });

  it('is told that a stranger to the tenant has no access, and comes back with a no', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    await begin(page, client);
    await signIn(page, BOB);
    expect(await headingOf(page)).toBe(`You have no access to ${TITLE}`);
    expect(await page.getByRole('main').innerText()).toContain(`You are signed in as ${BOB}.`);
    expect(await comeBack(client, () => press(page, 'Cancel'))).toMatchObject({ error: 'access_denied' });
    expect(complaints).toEqual([]);
  });

  it('signs in once for two clients, and consents to each', async () => {
    await using first = await stage.client();
    await using second = await stage.client({ name: 'Another host' });
    await using window = await stage.window();
    const { page, complaints } = window;
    await begin(page, first);
    await signIn(page, ADA);
    await comeBack(first, () => press(page, 'Allow'));

    await begin(page, second);
    expect(await page.getByRole('main').innerText()).toContain('Another host asks to use');
    expect(await comeBack(second, () => press(page, 'Allow'))).toEqual(aCode());
    expect(complaints).toEqual([]);
  });

  it('signs in anew for a client that asks for it', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page } = window;
    await begin(page, client);
    await signIn(page, ADA);
    await comeBack(client, () => press(page, 'Allow'));
    for (const prompt of ['login', 'select_account']) {
      await begin(page, client, { prompt });
      expect([prompt, await headingOf(page)]).toEqual([prompt, `Sign in to ${TITLE}`]);
    }
    await signIn(page, BOB);
    expect(await headingOf(page)).toBe(`You have no access to ${TITLE}`);
  });

  it('is whoever signed in last, in whichever tab', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page } = window;
    await begin(page, client);
    const tab = await page.context().newPage();
    await begin(tab, client);
    await signIn(tab, BOB);
    expect(await headingOf(tab)).toBe(`You have no access to ${TITLE}`);
    await signIn(page, ADA);
    expect(await comeBack(client, () => press(page, 'Allow'))).toEqual(aCode());
  });

  it('sees what is new when a client asks for more', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    await begin(page, client);
    await signIn(page, ADA);
    await comeBack(client, () => press(page, 'Allow'));
    await page.goto(client.oauth.authorizationUrl({ resource: stage.secure, scope: 'notes:read notes:write' }).href);
    const items = page.getByRole('list', { name: 'It will be able to:' }).getByRole('listitem');
    expect(await items.filter({ hasText: 'New' }).allInnerTexts()).toEqual([
      expect.stringMatching(/^Write and delete/),
    ]);
    const back = await comeBack(client, () => press(page, 'Allow'));
    expect((await client.oauth.redeem(back['code']!)).body['scope']).toBe('mcp notes:read notes:write');
    expect(complaints).toEqual([]);
  });
});

withChromium('the content security policy of the pages', () => {
  /** Goes all the way with this client; the URL that begins so, to which the browser was sent. */
  async function sentTo({ page }: Window, client: ClientApplication, start: string): Promise<string> {
    await begin(page, client);
    await signIn(page, ADA);
    const request = page.waitForRequest((made) => made.url().startsWith(start));
    await press(page, 'Allow');
    return (await request).url();
  }

  it.each([
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/callback',
    'http://localhost:9/callback',
    'http://[::1]:9/callback',
  ])('lets the browser go back to %s', async (redirectUri) => {
    await using client = await stage.client({ redirectUri });
    await using window = await stage.window();
    const url = await sentTo(window, client, redirectUri);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual(aCode());
    expect(window.complaints).toEqual([]);
  });

  it('lets the browser go back to a port of the loopback interface that was not registered', async () => {
    await using client = await stage.client();
    await using other = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    await begin(page, client, { redirect_uri: other.oauth.redirectUri });
    await signIn(page, ADA);
    expect(await comeBack(other, () => press(page, 'Allow'))).toEqual(aCode());
    expect(complaints).toEqual([]);
  });

  it('lets the client send the browser on, as claude.ai does to claude:', async () => {
    await using client = await stage.client({ sendsOnTo: 'claude://claude.ai/settings/connectors' });
    await using window = await stage.window();
    expect(await sentTo(window, client, 'claude:')).toBe('claude://claude.ai/settings/connectors');
    expect([client.callbacks, window.complaints]).toEqual([1, []]);
  });

  it('keeps the forms of the device pages at home', async () => {
    const response = await fetch(`${stage.running.server.url}/device`);
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'");
  });

  it('would be heard of in the console if it held the browser back', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    await page.route('**/interaction/*', async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'content-security-policy': "form-action 'self'" };
      await route.fulfill({ response, headers });
    });
    await begin(page, client);
    await signIn(page, ADA);
    await page.reload(); // what a redirect led to does not come by the route
    const refused = page.waitForEvent('console');
    await press(page, 'Allow');
    expect((await refused).text()).toContain('form-action');
    expect([client.callbacks, complaints.length]).toEqual([0, 1]);
  });
});

withChromium('a person with a device', () => {
  /** What a device shows and keeps after it asked for a code. */
  async function ask(client: ClientApplication): Promise<Record<string, any>> {
    const { body } = await client.oauth.post('/device/authorize', { resource: stage.secure, scope: 'notes:read' });
    return body;
  }

  const poll = (client: ClientApplication, device: Record<string, any>) =>
    client.oauth.post('/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device['device_code'],
    });

  it('follows the link, compares the code, signs in, consents, and the device has a token', async () => {
    await using client = await stage.client({ name: 'Causeway CLI' });
    await using window = await stage.window();
    const { page, complaints } = window;
    const device = await ask(client);

    await page.goto(device['verification_uri_complete']);
    expect(await page.getByLabel('Code').inputValue()).toBe(device['user_code']);
    await press(page, 'Continue');
    expect(await headingOf(page)).toBe('Does your device show this code?');
    expect(await page.getByRole('main').innerText()).toContain(device['user_code']);
    await press(page, 'Continue');
    await signIn(page, ADA);
    expect(await headingOf(page)).toBe(`Allow access to ${TITLE}?`);
    expect(await page.getByRole('main').innerText()).toContain(
      'The device that showed you the code will be connected.',
    );
    expect((await poll(client, device)).body['error']).toBe('authorization_pending');
    await press(page, 'Allow');
    expect(await headingOf(page)).toBe('You are connected');

    const { status, body } = await poll(client, device);
    expect([status, body['scope']]).toEqual([200, 'mcp notes:read']);
    expect(await whoAmI(body['access_token'])).toMatchObject({ client: client.oauth.id });
    expect(complaints).toEqual([]);
  });

  it('may enter the code by hand, in small letters and without the dash, and again after a mistake', async () => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    const device = await ask(client);
    await page.goto(device['verification_uri']);
    await page.getByLabel('Code').fill('BCDF-GHJK');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').innerText()).toContain('That code is not right');
    await page.getByLabel('Code').fill(device['user_code'].toLowerCase().replace('-', ' '));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Does your device show this code?' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(['Cancel', 'Deny'])('may %s, and the device is told', async (button) => {
    await using client = await stage.client();
    await using window = await stage.window();
    const { page, complaints } = window;
    const device = await ask(client);
    await page.goto(device['verification_uri_complete']);
    await press(page, 'Continue');
    if (button === 'Deny') {
      await press(page, 'Continue');
      await signIn(page, ADA);
    }
    await press(page, button);
    expect(await page.getByRole('alert').innerText()).toBe('The sign-in was cancelled.');
    expect((await poll(client, device)).body['error']).toBe('access_denied');
    expect(complaints).toEqual([]);
  });
});
