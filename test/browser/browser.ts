import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';

const executables = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** A browser says nothing to anybody but the page's server. */
const quiet = [
  '--no-sandbox', // as root, in a container
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/** What a page asked for and complained of. */
export type Witness = { page: Page; requested: string[]; complaints: string[] };

/** Headless Chromium for a file of tests: CHROMIUM names the executable if it is not where Debian puts it. */
export async function startBrowser(): Promise<(options?: { dark?: boolean; width?: number }) => Promise<Witness>> {
  const executablePath = executables.find((path) => path !== undefined && existsSync(path));
  assert.ok(executablePath, 'these tests need Chromium: install Debian’s package chromium, or name one in CHROMIUM');
  const browser: Browser = await chromium.launch({ executablePath, args: quiet });
  after(() => browser.close());
  return async ({ dark = false, width = 1280 } = {}) => {
    const page = await browser.newPage({
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height: 800 },
    });
    const witness: Witness = { page, requested: [], complaints: [] };
    page.on('request', (request) => witness.requested.push(request.url()));
    page.on('console', (message) => witness.complaints.push(message.text()));
    page.on('pageerror', (error) => witness.complaints.push(String(error)));
    page.on('requestfailed', (request) => witness.complaints.push(`${request.url()} failed`));
    return witness;
  };
}
