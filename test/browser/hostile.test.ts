import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectNoSidewaysScroll, openPage, startDashboard, type Visit } from './dashboard.ts';
import { fillWorld, pagesOf } from './world.ts';

const { server, visit } = await startDashboard();

const markup = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
const bidi = '\u202Egnirts desrever\u202C \u2066مرحبا\u2069 👩‍👩‍👧‍👦';
const long = 'x'.repeat(10_000);

const hostileTexts = { short: `${markup} ${bidi}`, long: markup + bidi + long };

describe('hostile text in every field is shown as text, and no page grows wider than a phone', async () => {
  const world = await fillWorld(server, hostileTexts, after);
  let visited: Visit;
  before(async () => void (visited = await visit({ path: '/account', width: 320 })));
  for (const path of pagesOf(world)) {
    test(path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}'), async () => {
      const { page, expectQuiet } = visited;
      await openPage(page, server.url + path);
      assert.match(await page.title(), /· parley$/);
      assert.equal(await page.locator('main img, main script').count(), 0);
      await expectNoSidewaysScroll(page);
      expectQuiet();
    });
  }
});

test('hostile text stands on the pages as it was entered', async () => {
  const { page } = await visit({ path: '/agents', width: 320 });
  await page.getByRole('rowheader').getByText(markup).waitFor();
  await page.goto(`${server.url}/do-not-call`);
  await page.getByRole('cell').getByText(markup).waitFor();
});

test('hostile names of columns and cells of a file are shown as text', async () => {
  const { page, expectQuiet } = await visit({ path: '/contacts/import', width: 320 });
  const buffer = Buffer.from(`"${markup.replaceAll('"', '""')}",Phone,__proto__\n${bidi},+4930901803,${long}\n`);
  await page.getByLabel('CSV file', { exact: true }).setInputFiles({ name: 'evil.csv', mimeType: 'text/csv', buffer });
  await page.getByText('1 of 1 rows can be imported', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: `Column ${markup}`, exact: true }).waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
  await expectNoSidewaysScroll(page);
  expectQuiet();
});
