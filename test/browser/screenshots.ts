/**
 * Writes a screenshot of every page, in both themes and five widths, and with forced colours:
 *
 *   node test/browser/screenshots.ts FOLDER [PART OF A PATH]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, startDashboard } from './dashboard.ts';
import { fillWorld, pagesOf, plainTexts } from './world.ts';

const [folder = 'screenshots', part = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const { server, visit, open } = await startDashboard();
const world = await fillWorld(server, plainTexts, after);

/** `/campaigns/<id>` as `campaigns-one`. */
const nameOf = (path: string): string =>
  path === '/'
    ? 'overview'
    : path
        .slice(1)
        .replaceAll(/[\da-f]{8}-[-\da-f]+/g, 'one')
        .replaceAll('/', '-');

test('screenshots', async () => {
  const { page } = await visit({ path: '/account' });
  for (const path of pagesOf(world).filter((each) => each.includes(part))) {
    await openPage(page, server.url + path);
    await shoot(page, path);
  }
  for (const path of ['/login', '/setup'].filter((each) => each.includes(part))) {
    const { page: ofNobody } = await open(path);
    await ofNobody.getByRole('heading', { level: 1 }).waitFor();
    await shoot(ofNobody, path);
  }
});

async function shoot(page: Page, path: string): Promise<void> {
  for (const width of [320, 390, 768, 1440, 1920]) {
    for (const theme of ['light', 'dark'] as const) await shootAs(page, path, width, theme);
  }
  await shootAs(page, path, 1440, 'forced');
}

async function shootAs(page: Page, path: string, width: number, look: 'light' | 'dark' | 'forced'): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({
    colorScheme: look === 'forced' ? 'light' : look,
    forcedColors: look === 'forced' ? 'active' : 'none',
  });
  await page.screenshot({ path: join(folder, `${nameOf(path)}-${width}-${look}.png`), fullPage: true });
}
