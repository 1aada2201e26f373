import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCampaign, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, expectStable, openPage, startDashboard } from './dashboard.ts';
import { faultsOf } from './fits.ts';

const { server, visit } = await startDashboard();
const [agent, number] = [await anAgent(server), await aNumber(server)];
const schedule = { timezone: 'Europe/Berlin', windowStart: '18:00', windowEnd: '20:00' };
const { id } = await aCampaign(server, { name: 'Evening', agentId: agent.id, phoneNumberId: number.id, schedule });
const contacts = [{ phone: '+12125550147', first_name: 'Marta', timezone: 'America/New_York' }];
dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts }));
dataOf(await server.patch(`/campaigns/${id}/`, { status: 'active' }));
const [row] = dataOf(await server.get<Array<Data & { contact_id: string }>>(`/campaigns/${id}/contacts`));
const contactPath = `/contacts/${row!.contact_id}`;

test('a contact’s page says when it rings, and reads the strip of hours out as a list', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  await openPage(page, server.url + contactPath);
  const region = page.getByRole('region', { name: 'When does it ring?', exact: true });
  await region.getByRole('link', { name: 'Evening', exact: true }).waitFor();
  await expectStable(page);
  const hours = region.getByRole('list', { name: 'The next 24 hours', exact: true }).getByRole('listitem');
  const texts = await hours.allInnerTexts();
  assert.match(texts[0]!, /^It rings .+, attempt 1$/);
  assert.ok(texts.some((text) => text.startsWith('Calling window: forbids, ')));
  assert.match(await region.innerText(), /18:00–20:00 by the clock of America\/New_York, the zone of the contact/);
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ forcedColors: 'active' });
  await expectAccessible(page);
  expectQuiet();
});

test('the dialog leads to what holds the call: the hours of the campaign are among its settings', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  await openPage(page, `${server.url}/campaigns/${id}?tab=contacts`);
  await page.getByRole('button', { name: 'Why?', exact: true }).click();
  const why = page.getByRole('dialog', { name: 'Why is +12125550147 not called now?', exact: true });
  await why.getByRole('link', { name: 'Look at Evening', exact: true }).click();
  await page.waitForURL(`${server.url}/campaigns/${id}?tab=settings`);
  await page.getByLabel('Opens at', { exact: true }).waitFor();
  await why.waitFor({ state: 'detached' });
  expectQuiet();
});

test('who opted out does not ring: beside the name, in the strip and in the campaign', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: contactPath });
  await page.getByText('May be called', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Do not call again', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Do not call again', exact: true }).click();
  await page.getByText('On the do-not-call list since').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Call now', exact: true }).count(), 0);
  await page
    .getByText('In no campaign that may still call.', { exact: false })
    .or(page.getByText('It will not be called again.'))
    .first()
    .waitFor();
  await openPage(page, `${server.url}/campaigns/${id}?tab=contacts`);
  await page
    .getByRole('table', { name: 'Contacts', exact: true })
    .getByRole('button', { name: 'Why?', exact: true })
    .click();
  const why = page.getByRole('dialog', { name: 'Why is +12125550147 not called now?', exact: true });
  await why.getByText('It will not be called again.', { exact: true }).waitFor();
  await why.getByRole('link', { name: /^Look at / }).waitFor();
  await page.setViewportSize({ width: 320, height: 800 });
  assert.deepEqual(await faultsOf(page), []);
  await expectAccessible(page);
  expectQuiet();
});

test('the page says when it rings, not also from when it might, and that a pause holds it', async () => {
  const { id: open } = await aCampaign(server, { name: 'Open', agentId: agent.id, phoneNumberId: number.id });
  const queue = Array.from({ length: 50 }, (_, at) => ({ phone: `+49309019${String(10 + at)}` }));
  dataOf(await server.post(`/campaigns/${open}/contacts`, { contacts: queue }));
  dataOf(await server.patch(`/campaigns/${open}/`, { status: 'active' }));
  const waiting = dataOf(
    await server.get<Array<Data & { contact_id: string }>>(`/campaigns/${open}/contacts?status=pending`),
  );
  const { page, expectQuiet } = await visit({ role: 'member', path: `/contacts/${waiting.at(-1)!.contact_id}` });
  const region = page.getByRole('region', { name: 'When does it ring?', exact: true });
  await region.getByText(/^In Open: It rings /).waitFor();
  assert.equal(await region.locator('time:visible').count(), 1, 'one instant in the sentences');
  dataOf(await server.patch(`/campaigns/${open}/`, { executionStatus: 'paused' }));
  await page.reload();
  await region.getByText('It does not ring until somebody ends what holds it back.').waitFor();
  expectQuiet();
});

test('only what depends on the attempts to come is said with an “if”', async () => {
  const everyHour = { timezone: 'UTC', retryAttempts: 2, retryGapMin: 60 };
  const ids = { agentId: agent.id, phoneNumberId: number.id };
  const { id: campaign } = await aCampaign(server, { name: 'Again', schedule: everyHour, ...ids });
  const called = [{ phone: aPhone('03'), first_name: 'Nils' }]; // nobody answers
  dataOf(await server.post(`/campaigns/${campaign}/contacts`, { contacts: called }));
  dataOf(await server.patch(`/campaigns/${campaign}/`, { status: 'active' }));
  await server.advance(120_000);
  const [nils] = dataOf(await server.get<Array<Data & { contact_id: string }>>(`/campaigns/${campaign}/contacts`));
  assert.deepEqual([nils!['status'], nils!['attempt_count']], ['pending', 1]);
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/account' });
  await openPage(page, `${server.url}/contacts/${nils!.contact_id}`);
  const hours = page.getByRole('list', { name: 'The next 24 hours', exact: true }).getByRole('listitem');
  const [second, third] = (await hours.allInnerTexts()).filter((text) => text.startsWith('It rings'));
  assert.match(second!, /^It rings .+, attempt 2$/);
  assert.match(third!, /^It rings .+, attempt 3, if nobody answers attempt 2$/);
  expectQuiet();
});
