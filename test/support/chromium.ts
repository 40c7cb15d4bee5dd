import { access, constants } from 'node:fs/promises';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const ARGUMENTS = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-background-networking'];

/** How long a page may take for what it is waited for, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * The Chromium for tests: `CHROMIUM`, else Debian's. Where there is none it says so, and under CI (the `CI` variable) fails
 * instead: there the tests in a browser must run.
 */
export async function findChromium(): Promise<string | undefined> {
  const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  const isThere = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  const message = `NO CHROMIUM FOR TESTS at ${path}, set CHROMIUM.`;
  if (process.env['CI']) throw new Error(message);
  console.warn(`${message}\nTests in a browser are left out.`);
  return undefined;
}

export function runChromium(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: ARGUMENTS });
}

/** A browser window of its own: no cookie of another is in it. */
export interface Window extends AsyncDisposable {
  readonly page: Page;
  /**
   * What went wrong on its pages, in the browser's words: errors and warnings in the console, which broken content
   * security policies are among, and scripts that failed. That a page came with 4xx is no complaint.
   */
  readonly complaints: readonly string[];
}

export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1_024, height: 900 }, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const { url } = message.location();
    const isStatusOfPage = message.text().startsWith('Failed to load resource') && url === page.url();
    if (message.type() !== 'log' && !isStatusOfPage) complaints.push(`${message.text()} (${url})`);
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
