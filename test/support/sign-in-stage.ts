import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { NotesModule } from '#server/demo/notes.module.js';
import { firstTenants } from '#server/seed.js';
import { type NewTenant, TenantStore } from '#tenancy/tenant.store.js';
import { openWindow, runChromium, type Window } from './chromium.js';
import { ClientApplication, type ClientSettings } from './client-application.js';
import { runServer, type RunningServer } from './running-server.js';

export const PASSWORD = 'correct horse battery';
/** Owns the demo with sign-in, and may do anything there. */
export const ADA = 'ada@example.com';
/** Has an account, and is a member of nothing. */
export const BOB = 'bob@example.com';
/** May read in the team's tenant, and nothing more. */
export const CAROL = 'carol.with-a-long-name.of-the-quarterly-planning-department@subsidiary.example.com';

/** A platform with people and tenants, and a real browser in front of it. */
export interface SignInStage extends AsyncDisposable {
  readonly browser: Browser;
  readonly running: RunningServer;
  /** The demo with sign-in, as the seed makes it. */
  readonly secure: string;
  /** A tenant where roles differ, and with a provider of its own. */
  readonly team: string;
  window(options?: BrowserContextOptions): Promise<Window>;
  client(settings?: Omit<ClientSettings, 'issuer'>): Promise<ClientApplication>;
}

export async function openStage(chromium: string): Promise<SignInStage> {
  const running = await runServer({
    modules: [NotesModule],
    tenants: tenants(),
    environment: { OAUTH_RATE_FACTOR: '100' },
  });
  await admitPeople(running);
  const browser = await runChromium(chromium);
  return {
    browser,
    running,
    secure: running.url('demo-secure'),
    team: running.url('team'),
    window: (options) => openWindow(browser, options),
    client: (settings) => ClientApplication.register({ issuer: running.server.url, ...settings }),
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await running[Symbol.asyncDispose]();
    },
  };
}

function tenants(): readonly NewTenant[] {
  const secure = firstTenants(true).find(({ slug }) => slug === 'demo-secure')!;
  const team: NewTenant = {
    ...secure,
    slug: 'team',
    title: 'Notes of the quarterly planning department',
    accessPolicy: {
      ...secure.accessPolicy,
      roles: { reader: ['mcp', 'notes:read'] },
      upstreamProvider: { issuer: 'https://login.example.com', clientId: 'causeway', label: 'Example Corporation' },
    },
  };
  return [secure, team];
}

async function admitPeople({ server: { app } }: RunningServer): Promise<void> {
  const accounts = app.get(AccountStore);
  const passwordHash = await app.get(Passwords).hash(PASSWORD);
  const admit = async (login: string, slug?: string, role = ''): Promise<void> => {
    const { id } = await accounts.create({ login, name: login, passwordHash });
    if (slug === undefined) return;
    const tenant = await app.get(TenantStore).findBySlug(slug);
    await accounts.setMembership(tenant!.id, id, role);
  };
  await admit(ADA, 'demo-secure', 'owner');
  await admit(BOB);
  await admit(CAROL, 'team', 'reader');
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

/** Presses the button with this name. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

/** The heading of the page. */
export async function headingOf(page: Page): Promise<string> {
  return page.getByRole('heading', { level: 1 }).innerText();
}

/** Does what leads back to the client, and is there when the browser is. */
export async function comeBack(client: ClientApplication, act: () => Promise<void>): Promise<Record<string, string>> {
  const callback = client.callback();
  await act();
  return Object.fromEntries((await callback).searchParams);
}

/** What has the focus, by its name; empty when nothing has. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return '';
    return (element.labels?.[0] ?? element).textContent.trim();
  })()`);
}

/** What the Tab key leads to, in order, until it leads out of the page or around. */
export async function focusOrder(page: Page): Promise<readonly string[]> {
  const names: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const name = await focused(page);
    if (name === '' || names.includes(name)) return names;
    names.push(name);
  }
}
