import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCampaign, anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, openPage, startDashboard } from './dashboard.ts';
import { until } from '../crash/waiting.ts';

const { server, visit } = await startDashboard();
const number = await aNumber(server);
const agent = await anAgent(server);
const aCall = async (to: string): Promise<string> => {
  const body = { agent_id: agent.id, phone_number_id: number.id, to };
  return dataOf(await server.post<{ call_id: string }>('/calls', body)).call_id;
};

test('rows of a list are gone through, selected and opened by keys, and the selection survives a refresh', async () => {
  const campaign = await aCampaign(server, { name: 'Keys', agentId: agent.id, phoneNumberId: number.id });
  const contacts = ['+4930901800', '+4930901801', '+4930901802'].map((phone) => ({ phone }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  const { page, expectQuiet } = await visit({ role: 'member', path: `/campaigns/${campaign.id}?tab=contacts` });
  const table = page.getByRole('table', { name: 'Contacts', exact: true });
  await table.getByText('+4930901802').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const selection = page.getByRole('group', { name: 'Selection', exact: true });
  await selection.getByText('2 rows selected', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.reload();
  await selection.getByText('2 rows selected', { exact: true }).waitFor();
  const boxes = table.getByRole('checkbox', { name: /^Select \+/ });
  assert.deepEqual(await Promise.all((await boxes.all()).map((box) => box.isChecked())), [true, true, false]);
  await selection.getByRole('button', { name: 'Remove the selected', exact: true }).click();
  const asking = page.getByRole('dialog', { name: 'Remove 2 contacts from the campaign?', exact: true });
  await asking.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('status').getByText('2 of 2 contacts removed from the campaign.').waitFor({ state: 'attached' });
  await table.getByText('Cancelled', { exact: true }).nth(1).waitFor();
  await selection.waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/contacts\/[\da-f-]+$/);
  expectQuiet();
});

test('all contacts that match are removed by the server, those of other pages too, and later redialed by a filter', async () => {
  const campaign = await aCampaign(server, { name: 'Bulk', agentId: agent.id, phoneNumberId: number.id });
  const contacts = Array.from({ length: 130 }, (_, at) => ({
    phone: `+4930903${String(at).padStart(3, '0')}`,
    first_name: at < 120 ? 'Ada' : 'Bob',
  }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  const { page, expectQuiet } = await visit({ role: 'member', path: `/campaigns/${campaign.id}?tab=contacts` });
  const table = page.getByRole('table', { name: 'Contacts', exact: true });
  const search = page.getByRole('searchbox', { name: 'Search these contacts', exact: true });
  const selection = page.getByRole('group', { name: 'Selection', exact: true });
  const inSelection = (name: string) => selection.getByRole('button', { name, exact: true });
  await search.fill('ada');
  await page.waitForURL(/&q=ada$/);
  await table.getByRole('checkbox', { name: 'Select all on this page', exact: true }).check();
  await selection.getByText('100 rows selected', { exact: true }).waitFor();
  await inSelection('Select all 120 that match').click();
  await selection.getByText('All 120 that match are selected', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.reload();
  await selection.getByText('All 120 that match are selected', { exact: true }).waitFor();
  await inSelection('Remove the selected').click();
  const asking = page.getByRole('dialog', { name: 'Remove 120 contacts from the campaign?', exact: true });
  await asking.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('status').getByText('120 contacts removed from the campaign.').waitFor({ state: 'attached' });
  await selection.waitFor({ state: 'detached' });
  const { meta } = (await server.get(`/campaigns/${campaign.id}/contacts?status=pending`)).body;
  assert.equal((meta as { total: number }).total, 10);

  dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'completed' }));
  await page.getByRole('button', { name: 'Reopen', exact: true }).waitFor();
  await search.fill('bob');
  await page.waitForURL(/&q=bob$/);
  await table.getByRole('checkbox', { name: 'Select all on this page', exact: true }).check();
  await inSelection('Select all 10 that match').click();
  await inSelection('Redial these').click();
  await page.getByRole('heading', { name: 'Bulk (redial)', exact: true, level: 1 }).waitFor();
  await page.getByRole('row', { name: 'Total 10', exact: true }).waitFor();
  expectQuiet();
});

test('single keys do nothing once they are switched off, and stay off', async () => {
  const { page } = await visit({ path: '/agents' });
  await page.getByRole('table', { name: 'Agents', exact: true }).getByRole('link').first().waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts', exact: true });
  await dialog.getByRole('checkbox', { name: 'Single-key shortcuts', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await openPage(page, `${server.url}/agents`);
  await page.keyboard.press('?');
  await page.keyboard.press('j');
  assert.equal(await dialog.count(), 0);
  assert.equal(await page.evaluate('document.activeElement.closest("tr")'), null);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search or go to', exact: true }).waitFor();
});

test('calls that begin do not push a list that is read: it says how many are new', async () => {
  const { page, expectQuiet } = await visit({ path: '/calls' });
  await page.getByText('Live calls: 0', { exact: true }).waitFor();
  const table = page.getByRole('table', { name: 'Calls', exact: true });
  await table.getByRole('row').nth(1).waitFor();
  const before = await table.getByRole('row').allInnerTexts();
  await aCall('+4930901800');
  await aCall('+4930901801');
  await page.getByText('2 new', { exact: true }).waitFor();
  assert.deepEqual(await table.getByRole('row').allInnerTexts(), before);
  await page.getByRole('button', { name: 'Show new calls', exact: true }).click();
  await table.getByText('+4930901801').waitFor();
  await page.getByText('2 new', { exact: true }).waitFor({ state: 'detached' });
  await server.advance(120_000);
  expectQuiet();
});

test('a call of a list that goes on changes in its place, while others begin', async () => {
  const [first, second] = ['+4930904700', '+4930904702'];
  await aCall(first);
  await aCall(second);
  const { page, expectQuiet } = await visit({ path: '/calls' });
  const table = page.getByRole('table', { name: 'Calls', exact: true });
  const rowOf = (phone: string) => table.getByRole('row').filter({ hasText: phone });
  await rowOf(second).waitFor();
  const phones = async () => table.getByRole('rowheader').allInnerTexts();
  const before = await phones();
  await page.getByText('Live calls: 2', { exact: true }).waitFor();
  await aCall('+4930904705');
  await page.getByText('1 new', { exact: true }).waitFor();
  await server.advance(120_000);
  await rowOf(first).getByText('Completed', { exact: true }).waitFor();
  await rowOf(second).getByText('Busy', { exact: true }).waitFor();
  assert.doesNotMatch(await rowOf(first).innerText(), /\b0 s/);
  assert.deepEqual(await phones(), before);
  expectQuiet();
});

test('a screen reader is told every 30 seconds what changed on a live page, unless that is switched off', async () => {
  const campaign = await aCampaign(server, { name: 'Told', agentId: agent.id, phoneNumberId: number.id });
  const start = async (endings: readonly string[]): Promise<void> => {
    const contacts = endings.map((ending) => ({ phone: `+49309028${ending}` }));
    dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  };
  await start(['00', '10', '20']);
  const { page } = await visit({ role: 'viewer', path: '/account' });
  await page.clock.install();
  await openPage(page, `${server.url}/campaigns/${campaign.id}`);
  dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  await server.advance(600_000);
  // Events of states between may come first, in which nobody waits but calls still go on.
  for (const name of ['Waiting 0', 'On the phone 0']) await page.getByRole('row', { name, exact: true }).waitFor();
  const told = page.getByRole('status').getByText('3 of 3 contacts done, 0 calls in flight.');
  assert.equal(await told.count(), 0, 'not before 30 seconds are over');
  await page.clock.runFor(30_000);
  await told.waitFor({ state: 'attached' });
  assert.match((await page.getByRole('status').getAttribute('class')) ?? '', /visually-hidden/);
  await page.keyboard.press('?');
  await page
    .getByRole('checkbox', { name: 'Tell a screen reader every 30 seconds what changed', exact: true })
    .uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.clock.runFor(60_000);
  assert.equal(await page.getByRole('status').innerText(), '');
});

test('calls name their campaigns, and are filtered by them, however many campaigns there are', async () => {
  const names = ['First of many', 'Second of many'];
  for (const [at, name] of names.entries()) {
    const campaign = await aCampaign(server, { name, agentId: agent.id, phoneNumberId: number.id });
    dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts: [{ phone: `+493090196${at}0` }] }));
    dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  }
  await server.advance(120_000);
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/account' });
  // As if a page of the list had room for one campaign only.
  await page.route('**/api/v1/campaigns?limit=500*', (route) =>
    route.continue({ url: route.request().url().replace('limit=500', 'limit=1') }),
  );
  await openPage(page, `${server.url}/calls`);
  const table = page.getByRole('table', { name: 'Calls', exact: true });
  for (const name of names) await table.getByRole('link', { name, exact: true }).first().waitFor();
  await page.getByRole('combobox', { name: 'Campaign', exact: true }).selectOption({ label: names[0]! });
  await page.waitForURL(/campaign_id=/);
  expectQuiet();
});

test('filters are saved as a view, chosen again, shared and deleted', async () => {
  await aCall('+4930901950');
  await aCall('+4930901951');
  const { page, expectQuiet } = await visit({ role: 'member', path: '/calls' });
  const table = page.getByRole('table', { name: 'Calls', exact: true });
  const search = page.getByRole('searchbox', { name: 'Search by phone', exact: true });
  const chosen = page.getByRole('combobox', { name: 'Saved views', exact: true });
  await table.getByText('+4930901951').waitFor();
  await search.fill('4930901950');
  await table.getByText('+4930901951').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save this view', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this view', exact: true });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('One phone');
  await dialog.getByRole('checkbox', { name: 'Everybody in the organization sees it', exact: true }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await chosen.and(page.locator(':has(option:checked:text-is("One phone"))')).waitFor();
  await chosen.selectOption('–');
  await table.getByText('+4930901951').waitFor();
  assert.equal(await search.inputValue(), '');

  const other = await visit({ role: 'viewer', path: '/calls' });
  await other.page.getByRole('combobox', { name: 'Saved views', exact: true }).selectOption('One phone (shared)');
  await other.page.getByText('+4930901951').waitFor({ state: 'detached' });
  await other.page.getByText('+4930901950').first().waitFor();
  assert.equal(await other.page.getByRole('button', { name: 'Delete this view', exact: true }).count(), 0);

  await chosen.selectOption('One phone');
  await page.waitForURL(/q=4930901950/);
  await until(10_000, 'the search of the view', async () => (await search.inputValue()) === '4930901950');
  await page.getByRole('button', { name: 'Delete this view', exact: true }).click();
  const asking = page.getByRole('dialog', { name: 'Delete the view “One phone”?', exact: true });
  await asking.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('status').getByText('View deleted.').waitFor({ state: 'attached' });
  await chosen.locator('option', { hasText: 'One phone' }).waitFor({ state: 'detached' });
  const views = dataOf(await server.get<unknown[]>('/views'));
  assert.deepEqual(views, []);
  expectQuiet();
  other.expectQuiet();
});
