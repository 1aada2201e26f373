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

/** `touch`: as on a phone, with fingers and without a keyboard. */
export type PageOptions = { dark?: boolean; width?: number; touch?: boolean };

/**
 * Starts headless Chromium for a test file. Set CHROMIUM to its executable if it is not in Debian's place. `after`: what to stop once the
 * browser is closed; `flags`: further ones of Chromium.
 */
export async function startBrowser(
  options: { after?: () => Promise<void>; flags?: readonly string[] } = {},
): Promise<(options?: PageOptions) => Promise<ObservedPage>> {
  const executablePath = executables.find((path) => path !== undefined && existsSync(path));
  assert.ok(executablePath, 'these tests need Chromium: install Debian’s package chromium, or name one in CHROMIUM');
  const browser: Browser = await chromium.launch({ executablePath, args: [...flags, ...(options.flags ?? [])] });
  after(async () => {
    await browser.close();
    await options.after?.();
  });
  return async ({ dark = false, width = 1280, touch = false } = {}) => {
    const context = await browser.newContext({
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height: 800 },
      hasTouch: touch,
      isMobile: touch,
    });
    const page = await context.newPage();
    const observed: ObservedPage = { page, requested: [], problems: [] };
    page.on('request', (request) => observed.requested.push(request.url()));
    page.on('console', (message) => observed.problems.push(message.text()));
    page.on('pageerror', (error) => observed.problems.push(String(error)));
    page.on('requestfailed', (request) => {
      const { errorText = '' } = request.failure() ?? {};
      // A page cancels the requests whose answers it does not need any more.
      if (errorText !== 'net::ERR_ABORTED') observed.problems.push(`${request.url()} failed: ${errorText}`);
    });
    return observed;
  };
}
