import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectStable,
  openPage,
  startDashboard,
  type Visit,
} from './dashboard.ts';
import { fillWorld, pagesOf, plainTexts } from './world.ts';

const { server, visit } = await startDashboard();
const world = await fillWorld(server, plainTexts, after);
const paths = pagesOf(world);

/** Without the ids of this run. */
const nameOf = (path: string): string => path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}');

describe('every page fits 320, 768 and 1440 px in both themes, without a serious finding of axe', () => {
  let visited: Visit;
  before(async () => void (visited = await visit({ path: '/account' })));
  for (const path of paths) {
    test(nameOf(path), async () => {
      const { page, expectQuiet } = visited;
      await page.setViewportSize({ width: 1440, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      await openPage(page, server.url + path);
      await expectStable(page);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [768, 'dark'],
        [320, 'light'],
        [320, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
      }
      expectQuiet();
    });
  }
});

/** Buttons that a viewer may press: they show, copy, search, or concern nobody else. */
const harmless = [
  'Why?',
  'Figures',
  'Full screen',
  'Play',
  'Compare',
  'Copy as curl',
  'Copy the code',
  'Ask',
  'Copy the command',
  'Check again',
  'Change password',
  'Node.js',
  'Python',
  'Save this view',
  'Today',
  '7 days',
  '30 days',
];

describe('a viewer sees no control that changes what others see', () => {
  let visited: Visit;
  before(async () => void (visited = await visit({ role: 'viewer', path: '/account' })));
  for (const path of paths) {
    test(nameOf(path), async () => {
      const { page, expectQuiet } = visited;
      await openPage(page, server.url + path);
      // Turns of a transcript are buttons that only mark where one is, and chips filter a list.
      const buttons = await page
        .getByRole('main')
        .locator('button:not([role=tab], .transcript button, .chips button)')
        .allTextContents();
      assert.deepEqual(
        [...new Set(buttons)].filter((name) => !harmless.includes(name)),
        [],
      );
      const links = await page.getByRole('main').locator('a.button').allInnerTexts();
      assert.deepEqual(
        links.filter((name) => !/^(?:Export|CSV|XLSX)/.test(name)),
        [],
      );
      expectQuiet();
    });
  }
});

describe('a member sees every page but those for admins', () => {
  let visited: Visit;
  before(async () => void (visited = await visit({ role: 'member', path: '/account' })));
  for (const path of paths) {
    test(nameOf(path), async () => {
      const { page, expectQuiet } = visited;
      await openPage(page, server.url + path);
      const isForAdmins = ['/people', '/audit'].includes(path);
      const refusal = page.getByText('Only admins of the organization can see this page.');
      assert.equal(await refusal.count(), isForAdmins ? 1 : 0);
      assert.equal(await page.getByRole('main').getByRole('alert').count(), 0);
      expectQuiet();
    });
  }
});
