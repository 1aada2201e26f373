import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openPage, startDashboard } from './dashboard.ts';
import { fillWorld, plainTexts } from './world.ts';

const { server, visit } = await startDashboard();
const { ids } = await fillWorld(server, plainTexts, after);

test('a campaign prints as a report: its figures and tables, and nothing to press', async () => {
  const { page } = await visit({ dark: true });
  await openPage(page, `${server.url}/campaigns/${ids.campaign}`);
  await page.getByRole('table', { name: 'Latest calls', exact: true }).waitFor();
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Outcomes', 'Outcomes over time', 'Answers by weekday and hour']) {
    assert.ok(await page.getByRole('table', { name, exact: true }).first().isVisible(), name);
  }
  assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
  for (const role of ['button', 'navigation', 'banner', 'searchbox', 'checkbox', 'combobox'] as const) {
    assert.equal(await page.getByRole(role).count(), 0, role);
  }
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light');
  assert.equal(
    await page.evaluate('getComputedStyle(document.querySelector("figure .table-frame")).overflowY'),
    'visible',
  );
  assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
});

test('a call prints as a transcript', async () => {
  const { page } = await visit();
  await openPage(page, `${server.url}/calls/${ids.call}`);
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.getByRole('list', { name: 'Transcript', exact: true }).isVisible());
  assert.ok((await page.getByRole('listitem').count()) > 1);
  for (const role of ['button', 'navigation', 'banner'] as const)
    assert.equal(await page.getByRole(role).count(), 0, role);
  assert.equal(await page.evaluate('getComputedStyle(document.querySelector(".transcript li")).breakInside'), 'avoid');
});
