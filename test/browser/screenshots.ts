/**
 * Writes a screenshot of every page and tab, in both themes and five widths, at 200 % (the whole page and its text alone) and with forced
 * colours, and fails where a page scrolls sideways or cuts a text off. The world "demo" is that of `parley demo`, in the two widths of the
 * mock-ups:
 *
 *   node test/browser/screenshots.ts FOLDER [PART OF A PATH] [--world=plain|hostile|empty|demo]
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openPage, startDashboard } from './dashboard.ts';
import { openDemo } from './demo-pages.ts';
import { faultsOf, setTextSize, widths, withTabs } from './fits.ts';
import { emptyPages, fillWorld, hostileTexts, pagesOf, plainTexts } from './world.ts';

const { values, positionals } = parseArgs({
  options: { world: { type: 'string', default: 'plain' } },
  allowPositionals: true,
});
const [folder = 'screenshots', part = ''] = positionals;
mkdirSync(folder, { recursive: true });

const { server, visit, open } = await startDashboard();

/** The pages of the wanted world; an empty organization has those of no thing. */
async function worldPages(): Promise<string[]> {
  if (values.world === 'empty') return emptyPages;
  return pagesOf(await fillWorld(server, values.world === 'hostile' ? hostileTexts : plainTexts, after));
}

/** `/campaigns/<id>` as `campaigns-one`. */
const nameOf = (path: string): string =>
  path === '/'
    ? 'overview'
    : path
        .slice(1)
        .replaceAll(/[\da-f]{8}-[-\da-f]+/g, 'one')
        .replaceAll(/[^\w-]+/g, '-');

const faults: string[] = [];

test('screenshots', async (t) => {
  const { page } = await visit({ path: '/account' });
  const { url, paths } =
    values.world === 'demo' ? await openDemo(t, page) : { url: server.url, paths: await worldPages() };
  for (const path of [...paths, '/analytics'].flatMap(withTabs).filter((each) => each.includes(part))) {
    await openPage(page, url + path);
    await shoot(page, path);
  }
  for (const path of ['/login', '/setup'].filter((each) => each.includes(part))) {
    const { page: ofNobody } = await open(path);
    await ofNobody.getByRole('heading', { level: 1 }).waitFor();
    await shoot(ofNobody, path);
  }
  assert.equal(faults.join('\n'), '');
});

type Look = 'light' | 'dark' | 'forced' | 'zoomed' | 'text';

async function shoot(page: Page, path: string): Promise<void> {
  for (const width of values.world === 'demo' ? [390, 1440] : widths) {
    for (const theme of ['light', 'dark'] as const) await shootAs(page, path, width, theme);
  }
  for (const width of [390, 1440]) await shootAs(page, path, width, 'forced');
  await shootAs(page, path, 720, 'zoomed'); // 1440 pixels at 200 %
  for (const width of [768, 1440]) await shootAs(page, path, width, 'text');
}

async function shootAs(page: Page, path: string, width: number, look: Look): Promise<void> {
  await page.setViewportSize({ width, height: look === 'zoomed' ? 450 : 900 });
  await page.emulateMedia({
    colorScheme: look === 'dark' ? 'dark' : 'light',
    forcedColors: look === 'forced' ? 'active' : 'none',
  });
  await setTextSize(page, look === 'text' ? 200 : 100);
  const name = `${nameOf(path)}-${width}-${look}`;
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  faults.push(...(await faultsOf(page)).map((fault) => `${name}: ${fault}`));
}
