import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Role } from '../../src/kernel/route.ts';
import { openPage, startDashboard, watchRequests } from './dashboard.ts';
import { fillWorld, pagesOf, plainTexts } from './world.ts';

/** Each role walks through every page and presses what it finds there. */

const { server, visit } = await startDashboard();
const tabs = (path: string, names: readonly string[]): string[] => names.map((tab) => `${path}?tab=${tab}`);

/** All pages with all tabs, each with things that nobody else needs. */
async function pagesFor(role: Role): Promise<string[]> {
  const world = await fillWorld(server, { ...plainTexts, invited: `invited-by-${role}@example.com` }, after);
  const { campaign, agent } = world.ids;
  return [
    ...pagesOf(world),
    '/analytics',
    ...tabs(`/campaigns/${campaign}`, ['contacts', 'settings', 'history']),
    ...tabs(`/agents/${agent}`, ['settings', 'knowledge', 'webhooks', 'versions']),
  ];
}

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
  const sends = (field) =>
    field.closest('form')?.querySelector('button[type=submit]') ?? field.closest('dialog')?.querySelector('.buttons button');
  return [...document.querySelectorAll(':is(main, dialog[open]) :is(input, textarea, select)')]
    .filter((field) => !field.closest(acts) && !sends(field))
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

/** What takes the thing away that other pages show, moves the clock, or ends a session: pressed last. */
const takesAway = /^(?:Delete|Erase|End|Remove|Release|Revoke|Disable|Disconnect|Complete|Advance)/;

type Walk = { page: Page; person: { email: string }; settled(): Promise<void> };

async function expectFieldsSent(page: Page): Promise<void> {
  const fields = await page.evaluate<string[]>(fieldsWithoutButton);
  assert.deepEqual(
    fields.filter((name) => !withoutForm.includes(name)),
    [],
  );
}

/** In an open dialog: presses what it is for, and then, while it stays open, the rest. */
async function pressDialog({ page, settled }: Walk): Promise<void> {
  const dialog = page.locator('dialog[open]').last();
  if (!(await dialog.isVisible())) return;
  await expectFieldsSent(page);
  const names = await dialog.locator('button:visible:enabled').allInnerTexts();
  for (const name of new Set(names.toReversed().filter((each) => each !== ''))) {
    const button = dialog.getByRole('button', { name, exact: true }).last();
    if (!(await button.isVisible())) continue;
    await button.click();
    await settled();
  }
  for (let open = 5; open > 0 && (await page.locator('dialog[open]').count()) > 0; open--) {
    const leave = page.getByRole('button', { name: 'Leave', exact: true });
    if (await leave.isVisible()) await leave.click();
    else await page.keyboard.press('Escape');
    await settled();
  }
}

/** Presses each such button of the page once, and all buttons of what then opens. Answers their names. */
async function pressAll(walk: Walk, isWanted: (name: string) => boolean): Promise<string[]> {
  const { page, person, settled } = walk;
  const url = page.url();
  const buttons = page.getByRole('main').locator('button:not([role=tab]):visible:enabled');
  const names = new Set((await buttons.allInnerTexts()).filter((name) => name !== '' && isWanted(name)));
  for (const name of names) {
    if (page.url() !== url) await openPage(page, url); // it led to another page or tab
    // Not one's own row: whoever removes oneself is logged out.
    const button = page
      .getByRole('main')
      .getByRole('button', { name, exact: true })
      .and(page.locator('button:enabled'));
    const others = await button.evaluateAll(
      (all, email) => all.findIndex((each) => !(each as unknown as Row).closest('tr')?.textContent.includes(email)),
      person.email,
    );
    if (others === -1 || !(await button.nth(others).isVisible())) continue; // another one has changed the page
    await button.nth(others).click();
    await settled();
    await pressDialog(walk);
  }
  return [...names];
}

type Row = { closest(selector: string): { textContent: string } | null };

for (const role of ['viewer', 'member', 'admin'] as const) {
  const paths = await pagesFor(role);
  describe(`as ${role}, nothing on a page is refused, empty or without effect`, () => {
    let walk: Walk;
    const refused: string[] = [];
    before(async () => {
      const { page, person } = await visit({ role, path: '/account' });
      walk = { page, person, settled: watchRequests(page) };
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
      });
    });
    for (const path of paths) {
      test(nameOf(path), async () => {
        const { page } = walk;
        await openPage(page, server.url + path);
        await walk.settled();
        const heading = await page.getByRole('heading', { level: 1 }).innerText();
        const isClosed = closedTo[role].includes(path);
        assert.notEqual(heading, 'Log in');
        assert.equal(/^For (?:admins|members) only$/.test(heading), isClosed, heading);
        await expectFieldsSent(page);
        await pressAll(walk, (name) => !takesAway.test(name));
        assert.deepEqual(refused.splice(0), []);
      });
    }
    test('what takes things away', async () => {
      const pressed: string[] = [];
      // Parts of things before the things, campaigns before their agents and numbers, and the own sessions last.
      const order = [
        '/account',
        '/system',
        '/people',
        '/numbers',
        '/agents/',
        '/knowledge/',
        '/campaigns/',
        '/contacts/',
      ];
      const rank = (path: string): number => order.findIndex((each) => path.startsWith(each));
      for (const path of paths.toSorted((a, b) => rank(b) - rank(a))) {
        await openPage(walk.page, server.url + path);
        await walk.settled();
        pressed.push(...(await pressAll(walk, (name) => takesAway.test(name))));
        assert.ok(
          !(await walk.page.getByRole('heading', { name: /^For .+ only$/ }).isVisible()) ||
            closedTo[role].includes(path),
        );
      }
      assert.deepEqual(refused.splice(0), []);
      assert.equal(
        pressed.some((name) => name.startsWith('Delete')),
        role !== 'viewer',
      );
      assert.equal(
        pressed.some((name) => /^(?:Erase|Revoke)/.test(name)),
        role === 'admin',
      );
    });
  });
}
