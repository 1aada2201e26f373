import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, startDashboard } from './dashboard.ts';
import { faultsOf, setTextSize, widths, withTabs } from './fits.ts';
import { emptyPages, fillWorld, hostileTexts, pagesOf } from './world.ts';

const { server, visit } = await startDashboard();

/** Looks at a page in each width, with usual text and with text of twice the size where there is room for it. */
async function expectFit(page: Page, path: string): Promise<void> {
  const faults: string[] = [];
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page, server.url + path);
  for (const percent of [100, 200]) {
    await setTextSize(page, percent);
    for (const width of widths.filter((each) => percent === 100 || each >= 768)) {
      await page.setViewportSize({ width, height: 900 });
      faults.push(...(await faultsOf(page)).map((fault) => `${width} px, text ${percent} %: ${fault}`));
    }
  }
  assert.deepEqual(faults, []);
}

const nameOf = (path: string): string => path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}');

describe('every page fits every width and twice the text', () => {
  let page: Page;
  before(async () => void ({ page } = await visit({ path: '/account' })));
  describe('of an organization that has nothing yet', () => {
    for (const path of [...emptyPages, '/analytics']) test(path, () => expectFit(page, path));
  });
  test('with words without end, markup and other scripts in every field', async (t) => {
    const world = await fillWorld(server, hostileTexts, after);
    for (const path of [...pagesOf(world), '/analytics'].flatMap(withTabs))
      await t.test(nameOf(path), () => expectFit(page, path));
  });
});
