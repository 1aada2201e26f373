import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCampaign, anAgent, aNumber } from '../support/fixtures.ts';
import { type Data, dataOf } from '../support/server.ts';
import { expectAccessible, openPage, startDashboard } from './dashboard.ts';

const bought = '+498001234560';
const { server, visit } = await startDashboard({
  settings: { 'numbers.inventory': JSON.stringify([{ phone: bought }]) },
});

test('recording and its notice are fields of an agent', async () => {
  const agent = await anAgent(server);
  const { page, expectQuiet } = await visit({ path: '/account' });
  await openPage(page, `${server.url}/agents/${agent.id}?tab=settings`);
  await page.getByRole('checkbox', { name: 'Record calls', exact: true }).check();
  await page.getByRole('textbox', { name: 'Recording notice', exact: true }).fill('This call is recorded.');
  await page.getByText('2 changes: Record calls and Recording notice').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor({ state: 'attached' });
  const saved = dataOf(await server.get(`/agents/${agent.id}`));
  assert.equal(saved['recordCalls'], true);
  assert.equal(saved['recordingNotice'], 'This call is recorded.');
  await page.getByRole('heading', { name: 'Answers incoming calls to' }).waitFor();
  await expectAccessible(page);
  expectQuiet();
});

test('a fault names other fields as the page does', async () => {
  const { id } = await aCampaign(server);
  const { page } = await visit({ path: '/account' });
  await openPage(page, `${server.url}/campaigns/${id}?tab=settings`);
  await page.getByLabel('Opens at', { exact: true }).fill('09:00');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const sentence = '“Opens at” and “Closes at” go together: give both or neither';
  await page.getByRole('alert').getByText(`Opens at: ${sentence}`, { exact: true }).waitFor();
  await page.getByText(sentence, { exact: true }).first().waitFor();
  assert.doesNotMatch(await page.getByRole('main').innerText(), /windowStart|windowEnd/);
});

test('a fault of a group of checkboxes is told at each of them', async () => {
  const { id } = await aCampaign(server);
  const { page } = await visit({ path: '/account' });
  await openPage(page, `${server.url}/campaigns/${id}?tab=settings`);
  const days = page.getByRole('group', { name: 'Days', exact: true }).getByRole('checkbox');
  for (const day of await days.all()) await day.uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText(/^Days: /)
    .waitFor();
  const monday = page.getByRole('checkbox', { name: 'Monday', exact: true });
  assert.equal(await monday.getAttribute('aria-invalid'), 'true');
  const described = await monday.getAttribute('aria-describedby');
  assert.ok((await page.locator(`[id="${described}"]`).innerText()) !== '');
  await page.locator('[aria-invalid=true]:focus').waitFor();
});

test('a campaign calls from several numbers', async () => {
  const [first, second] = [
    await aNumber(server, { phone: '+4930901830', name: 'One' }),
    await aNumber(server, { phone: '+4930901831', name: 'Two' }),
  ];
  const campaign = await aCampaign(server, { phoneNumberId: first.id });
  const { page } = await visit({ path: '/account' });
  await openPage(page, `${server.url}/campaigns/${campaign.id}?tab=settings`);
  await page.getByRole('checkbox', { name: '+4930901831 Two' }).check();
  await page.getByRole('checkbox', { name: 'Prefer a number that looks local' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor({ state: 'attached' });
  const saved = dataOf(await server.get(`/campaigns/${campaign.id}`));
  assert.deepEqual(saved['phoneNumberIds'], [first.id, second.id]);
  assert.equal(saved['localPresence'], true);

  await page.getByRole('checkbox', { name: '+4930901831 Two' }).uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('1 change').waitFor({ state: 'detached' });
  assert.deepEqual(dataOf(await server.get(`/campaigns/${campaign.id}`))['phoneNumberIds'], [first.id]);
});

test('an admin sets the limits of the organization, and others read them', async () => {
  const { page, expectQuiet } = await visit({ path: '/account' });
  await openPage(page, `${server.url}/system`);
  await page.getByRole('spinbutton', { name: 'Calls a day', exact: true }).fill('2');
  await page.getByLabel('Not before', { exact: true }).fill('08:00');
  await page.getByLabel('Not after', { exact: true }).fill('21:00');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor({ state: 'attached' });
  const saved = dataOf(await server.get('/organization'));
  assert.deepEqual(saved['contact_limits'], { max_per_day: 2, max_per_week: null, min_gap_min: null });
  assert.deepEqual(saved['guard_hours'], { start: '08:00', end: '21:00', days: [1, 2, 3, 4, 5, 6, 7] });
  await expectAccessible(page);
  expectQuiet();

  const { page: theirs } = await visit({ role: 'viewer', path: '/account' });
  await openPage(theirs, `${server.url}/system`);
  await theirs.getByText('Calls a day').waitFor();
  assert.equal(await theirs.getByRole('spinbutton').count(), 0);
});

test('a number that was bought has every field, too: its trunk is entered where it is edited', async () => {
  dataOf(await server.post('/phone-numbers/purchase', { phone: bought }));
  const { page, expectQuiet } = await visit({ path: '/account' });
  await openPage(page, `${server.url}/numbers`);
  await page.getByRole('button', { name: `Edit ${bought}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Edit ${bought}`, exact: true });
  await dialog.getByRole('textbox', { name: 'Termination URI', exact: true }).fill('sip.example.com');
  await dialog.getByRole('combobox', { name: 'Answers incoming calls', exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Check', exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const numbers = dataOf(await server.get<Array<Data & { phone: string }>>('/phone-numbers'));
  assert.equal(numbers.find(({ phone }) => phone === bought)!['termination_uri'], 'sip.example.com');
  expectQuiet();
});

test('a list of numbers shows free lines and the use of today', async () => {
  const { page } = await visit({ path: '/account' });
  await openPage(page, `${server.url}/numbers`);
  const table = page.getByRole('table', { name: 'Numbers' });
  await table.getByRole('columnheader', { name: 'Lines free' }).waitFor();
  await table
    .getByRole('row')
    .filter({ hasText: '+4930901830' })
    .getByText(/^(\d+) of \1$/)
    .waitFor();
});
