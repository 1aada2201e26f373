import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';

const executables = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** Keep the browser from contacting anything but the page's server. */
const flags = [
  '--no-sandbox', // as root, in a container
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/** A page with the URLs it requested, and its console messages, errors and failed requests. */
export type ObservedPage = { page: Page; requested: string[]; problems: string[] };

/** Starts headless Chromium for a test file. Set CHROMIUM to its executable if it is not in Debian's place. */
export async function startBrowser(): Promise<(options?: { dark?: boolean; width?: number }) => Promise<ObservedPage>> {
  const executablePath = executables.find((path) => path !== undefined && existsSync(path));
  assert.ok(executablePath, 'these tests need Chromium: install Debian’s package chromium, or name one in CHROMIUM');
  const browser: Browser = await chromium.launch({ executablePath, args: flags });
  after(() => browser.close());
  return async ({ dark = false, width = 1280 } = {}) => {
    const page = await browser.newPage({
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height: 800 },
    });
    const observed: ObservedPage = { page, requested: [], problems: [] };
    page.on('request', (request) => observed.requested.push(request.url()));
    page.on('console', (message) => observed.problems.push(message.text()));
    page.on('pageerror', (error) => observed.problems.push(String(error)));
    page.on('requestfailed', (request) => observed.problems.push(`${request.url()} failed`));
    return observed;
  };
}
