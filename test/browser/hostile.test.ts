import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aKey, anEventType } from '../support/calendar.ts';
import { startFakeCal } from '../support/fake-cal.ts';
import { aPassword } from '../support/people.ts';
import { expectNoSidewaysScroll, openPage, startDashboard, type Visit } from './dashboard.ts';
import { fillWorld, pagesOf } from './world.ts';

const provider = await startFakeCal();
after(() => provider.close());
const { server, visit } = await startDashboard({ settings: { 'calendar.base_url': provider.url } });

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

test('hostile names and event types of a calendar are shown as text, on its page and in its dialogs', async () => {
  const text = markup + bidi + long;
  const eventType = { slug: 'intro', title: text, description: text, currency: markup, price: 1 };
  const key = aKey(provider, {
    name: text,
    username: text,
    email: `${text}@example.com`,
    eventTypes: [anEventType(eventType)],
  });
  const { page, expectQuiet } = await visit({ path: '/calendar', width: 320 });
  await page.getByRole('button', { name: 'Connect a calendar', exact: true }).click();
  const connecting = page.getByRole('dialog', { name: 'Connect a calendar', exact: true });
  await connecting.getByLabel('API key', { exact: true }).fill(key);
  await connecting.getByRole('button', { name: 'Connect', exact: true }).click();
  const accounts = page.getByRole('table', { name: 'Accounts', exact: true });
  await accounts.getByRole('rowheader').getByText(markup).waitFor();
  await page.getByRole('textbox', { name: 'Event type', exact: true }).fill('intro');
  await page.getByRole('button', { name: 'Look up', exact: true }).click();
  await page.getByRole('definition').filter({ hasText: markup }).first().waitFor();
  await expectNoSidewaysScroll(page);
  await accounts.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await page.getByRole('dialog').getByText(markup).waitFor();
  assert.equal(await page.locator('main img, main script, dialog img').count(), 0);
  assert.match(await page.title(), /· parley$/);
  await expectNoSidewaysScroll(page);
  expectQuiet();
});

test('the longest e-mail address of a person and a hostile user agent of a session are shown as text', async () => {
  const email = `${'x'.repeat(64)}@${'y'.repeat(63)}.${'z'.repeat(63)}.example.com`;
  const { page, person, expectQuiet } = await visit({ path: '/people', width: 320 });
  assert.equal((await server.post('/users', { email, role: 'viewer' })).status, 200);
  const agent = `${markup} ${'x'.repeat(2000)}`;
  const body = JSON.stringify({ email: person.email, password: aPassword });
  const headers = { 'content-type': 'application/json', 'user-agent': agent, 'sec-fetch-site': 'same-origin' };
  assert.equal((await fetch(`${server.url}/api/v1/session`, { method: 'POST', headers, body })).status, 200);
  await page.reload();
  await page.getByRole('table', { name: 'People', exact: true }).getByText(email).waitFor();
  await expectNoSidewaysScroll(page);
  await openPage(page, `${server.url}/account`);
  await page.getByRole('table', { name: 'Sessions', exact: true }).getByText(markup).waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
  await expectNoSidewaysScroll(page);
  expectQuiet();
});
