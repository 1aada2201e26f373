import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { expectAccessible, expectNoSidewaysScroll, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

const groups = {
  Call: ['Overview', 'Campaigns', 'Calls', 'Analytics'],
  People: ['Contacts', 'Do not call'],
  Build: ['Agents', 'Knowledge', 'Numbers', 'Calendar'],
  Run: ['Deliveries', 'People and keys', 'Audit', 'System'],
};

async function expectGroups(page: Page): Promise<void> {
  const main = page.getByRole('navigation', { name: 'Main', exact: true });
  assert.equal(await main.count(), 1);
  for (const [name, links] of Object.entries(groups)) {
    assert.deepEqual(await main.getByRole('group', { name, exact: true }).getByRole('link').allInnerTexts(), links);
  }
}

test('the navigation has four named groups, and says where one is', async () => {
  const { page, expectQuiet } = await visit({ path: '/agents' });
  await expectGroups(page);
  assert.deepEqual(await page.locator('[aria-current=page]').allInnerTexts(), ['Agents']);
  expectQuiet();
});

test('the name of each page fits on one line of the navigation, also of the present one', async () => {
  const { page, expectQuiet } = await visit({ path: '/people' });
  const main = page.getByRole('navigation', { name: 'Main', exact: true });
  const present = await main.getByRole('link', { name: 'People and keys', exact: true }).boundingBox();
  const other = await main.getByRole('link', { name: 'Audit', exact: true }).boundingBox();
  assert.equal(present!.height, other!.height);
  expectQuiet();
});

test('on a phone there is a bar at the bottom, whose “Menu” opens all of it', async () => {
  const { page, expectQuiet } = await visit({ path: '/calls', width: 390 });
  const main = page.getByRole('navigation', { name: 'Main', exact: true });
  assert.deepEqual(await main.getByRole('link').allInnerTexts(), ['Overview', 'Campaigns', 'Calls', 'Contacts']);
  const menu = main.getByRole('button', { name: 'Menu', exact: true });
  await menu.click();
  await expectGroups(page);
  for (const name of ['Overview', 'Campaigns', 'Calls', 'Contacts', 'Numbers'])
    assert.equal(await main.getByRole('link', { name, exact: true }).count(), 1, name);
  assert.ok(await main.getByRole('combobox', { name: 'Times in', exact: true }).isVisible());
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('Escape');
  assert.equal(await menu.getAttribute('aria-expanded'), 'false');
  await menu.click();
  await main.getByRole('link', { name: 'Knowledge', exact: true }).click();
  await page.getByRole('heading', { name: 'Knowledge', exact: true, level: 1 }).waitFor();
  assert.equal(await menu.getAttribute('aria-expanded'), 'false');
  expectQuiet();
});

test('g and a letter go to a page, and the list of keys says which', async () => {
  const { page } = await visit({ path: '/account' });
  const letters = 'omcypdaknleuts'.split('');
  const names = Object.values(groups).flat();
  for (const [at, name] of names.entries()) {
    await page.keyboard.press('g');
    await page.keyboard.press(letters[at]!);
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
  }
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts', exact: true });
  const listed = await keys.innerText();
  for (const [at, name] of names.entries()) assert.match(listed, new RegExp(`g ${letters[at]}\\s+${name}`));
});

test('where there is no keyboard, nothing is said of one', async () => {
  const [member, viewer] = [
    await visit({ role: 'member', path: '/', width: 390, touch: true }),
    await visit({ role: 'viewer', path: '/analytics', width: 1024, touch: true }),
  ];
  for (const { page } of [member, viewer]) {
    await page.locator('figure').first().waitFor();
    assert.doesNotMatch(await page.locator('body').innerText(), /Ctrl|shortcut|arrow keys|\bg [a-z]\b/);
    assert.equal(await page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }).count(), 0);
    assert.equal(await page.locator('[aria-keyshortcuts]:visible, kbd:visible').count(), 0);
    for (const slider of await page.getByRole('slider').all())
      assert.doesNotMatch((await slider.getAttribute('aria-valuetext'))!, /keys/);
  }
  await member.page.getByRole('button', { name: 'Search or go to', exact: true }).click();
  await member.page.getByRole('option', { name: 'Deliveries', exact: true }).waitFor();
  assert.equal(await member.page.locator('kbd:visible').count(), 0);
});

test('every state keeps its shape without colours', async () => {
  const { page } = await visit({ path: '/agents' });
  await server.post('/users', { email: 'new@example.com', role: 'viewer' });
  await openPage(page, `${server.url}/people`);
  await page.emulateMedia({ forcedColors: 'active' });
  const shapes = page.getByRole('table', { name: 'People', exact: true }).locator('[data-shape]');
  const found = new Set(await shapes.evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-shape'))));
  assert.deepEqual(found, new Set(['disc', 'hollow']));
});
