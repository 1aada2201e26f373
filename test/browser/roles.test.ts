import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Role } from '../../src/kernel/route.ts';
import { openPage, startDashboard, type Visit } from './dashboard.ts';
import { fillWorld, pagesOf, plainTexts } from './world.ts';

/** Each role walks through every page and presses what it finds there. */

const { server, visit } = await startDashboard();
const world = await fillWorld(server, plainTexts, after);
const { campaign, agent } = world.ids;
const tabs = (path: string, names: readonly string[]): string[] => names.map((tab) => `${path}?tab=${tab}`);
const paths = [
  ...pagesOf(world),
  '/analytics',
  ...tabs(`/campaigns/${campaign}`, ['contacts', 'settings', 'history']),
  ...tabs(`/agents/${agent}`, ['settings', 'knowledge', 'webhooks', 'versions']),
];

/** Without the ids of this run. */
const nameOf = (path: string): string => path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}');

/** Pages in whose place one is told that they are for others. */
const closedTo: Readonly<Record<Role, readonly string[]>> = {
  viewer: ['/people', '/audit', '/campaigns/new', '/agents/new', '/contacts/import'],
  member: ['/people', '/audit'],
  admin: [],
};

/** In the page: fields that nothing sends. A filter acts at once, and so do choices beside a chart or a recording. */
const fieldsWithoutButton = `(() => {
  const acts = '[role=search], .zone-choice, [role=region][aria-label=Recording], section[aria-label=Recording], [data-select], table';
  return [...document.querySelectorAll('main :is(input, textarea, select)')]
    .filter((field) => !field.closest(acts) && !field.closest('form')?.querySelector('button[type=submit]'))
    .map((field) => field.labels?.[0]?.textContent ?? field.name);
})()`;

/** A forecast follows its field; files are read at once, and a button beside them imports what was read. */
const withoutForm = [
  'For how many contacts',
  'CSV file',
  'Numbers from a file',
  'Country of national numbers',
  'Known phone numbers',
  'Reason for these numbers',
];

/** What takes the thing away that the other pages show, or ends the session. */
const leftAlone = /^(?:Delete|Erase|End|Remove|Advance)/;

/** Presses each button of the page once, with what then opens closed again. */
async function pressAll(page: Page): Promise<void> {
  const buttons = page.getByRole('main').locator('button:visible:enabled');
  const names = new Set((await buttons.allInnerTexts()).filter((name) => name !== '' && !leftAlone.test(name)));
  for (const name of names) {
    const button = page.getByRole('main').getByRole('button', { name, exact: true }).first();
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue; // another one has changed the page
    await button.click();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    for (let open = 3; open > 0 && (await page.locator('dialog[open]').count()) > 0; open--) {
      await page.keyboard.press('Escape');
      await page.evaluate('new Promise((done) => setTimeout(done))');
    }
  }
}

for (const role of ['viewer', 'member', 'admin'] as const) {
  describe(`as ${role}, nothing on a page is refused, empty or without effect`, () => {
    let visited: Visit;
    const refused: string[] = [];
    before(async () => {
      visited = await visit({ role, path: '/account' });
      visited.page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
      });
    });
    for (const path of paths) {
      test(nameOf(path), async () => {
        const { page } = visited;
        await openPage(page, server.url + path);
        const heading = await page.getByRole('heading', { level: 1 }).innerText();
        const isClosed = closedTo[role].includes(path);
        assert.notEqual(heading, 'Log in');
        assert.equal(/^For (?:admins|members) only$/.test(heading), isClosed, heading);
        const fields = await page.evaluate<string[]>(fieldsWithoutButton);
        assert.deepEqual(
          fields.filter((name) => !withoutForm.includes(name)),
          [],
        );
        await pressAll(page);
        assert.deepEqual(refused.splice(0), []);
      });
    }
  });
}
