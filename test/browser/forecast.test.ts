import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCampaign, aNumber, anAgent, aPhone } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, expectStable, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

test('a new campaign shows its forecast before it is saved, and its fields move it', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/campaigns/new' });
  const figure = page.getByRole('figure', { name: 'Forecast', exact: true });
  const left = figure.getByRole('table').getByRole('row');
  await page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('Asia/Kathmandu');
  await page.getByLabel('Opens at', { exact: true }).fill('10:00');
  await page.getByLabel('Closes at', { exact: true }).fill('10:10');
  await page.getByLabel('Calls at a time', { exact: true }).fill('1');
  await page.getByLabel('For how many contacts', { exact: true }).fill('25');
  await figure.getByText('Finishes:').waitFor();
  // Ten calls of a minute fit into ten minutes: three openings, and the heading.
  await left.nth(3).waitFor();
  assert.equal(await left.count(), 4);
  // The server's clock is at 09:00 in UTC, so that it opens tomorrow, by the campaign's clock.
  await figure.getByRole('rowheader').first().getByText('10:00').waitFor();
  await page.getByLabel('Calls at a time', { exact: true }).fill('50');
  // All calls fit into one opening, which is drawn by steps of seconds.
  await figure.getByRole('columnheader', { name: 'Time', exact: true }).waitFor();
  await figure.getByRole('rowheader').first().getByText('10:00:00–10:00:05').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  // Fields that cannot be saved ask nothing.
  await page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('Asia/Kath');
  await page.getByLabel('Closes at', { exact: true }).fill('');
  await page.getByLabel('Calls at a time', { exact: true }).fill('2');
  await page.getByLabel('Calls at a time', { exact: true }).press('Tab');
  expectQuiet();
});

test('a draft that cannot start says what it needs in place of Start, each a link to where it is given', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  const draft = await aCampaign(server, { name: 'Bare' });
  await openPage(page, `${server.url}/campaigns/${draft.id}`);
  const needs = page.getByRole('list', { name: 'Before it can start', exact: true });
  await needs.getByRole('link').nth(2).waitFor();
  assert.deepEqual(await needs.getByRole('link').allInnerTexts(), [
    'Choose an agent: it leads the calls',
    'Choose a caller number',
    'Import contacts: nobody is in this campaign yet',
  ]);
  const start = page.getByRole('button', { name: 'Start', exact: true });
  assert.equal(await start.count(), 0);
  await expectAccessible(page);
  await needs.getByRole('link', { name: 'Choose a caller number', exact: true }).click();
  const number = page.getByRole('combobox', { name: 'Caller number', exact: true });
  await number.waitFor();
  await page.locator('[name="phoneNumberId"]:focus').waitFor();

  const [agent, released, other] = [await anAgent(server), await aNumber(server), await aNumber(server)];
  const settings = { agentId: agent.id, phoneNumberId: released.id };
  dataOf(await server.patch(`/campaigns/${draft.id}/`, settings));
  dataOf(await server.post(`/campaigns/${draft.id}/contacts`, { contacts: [{ phone: aPhone() }] }));
  dataOf(await server.del(`/phone-numbers/${encodeURIComponent(released.phone)}/release/`));
  await openPage(page, `${server.url}/campaigns/${draft.id}`);
  await needs.getByRole('link').first().waitFor();
  assert.equal((await needs.getByRole('link').allInnerTexts()).length, 1);
  dataOf(await server.patch(`/campaigns/${draft.id}/`, { phoneNumberId: other.id }));
  await openPage(page, `${server.url}/campaigns/${draft.id}`);
  await start.waitFor();
  assert.equal(await needs.count(), 0);
  expectQuiet();
});

test('a draft asks for its plan once, for its checklist and its forecast, and rests while nothing changes', async () => {
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const draft = await aCampaign(server, { name: 'Planned', agentId: agent.id, phoneNumberId: number.id });
  dataOf(await server.post(`/campaigns/${draft.id}/contacts`, { contacts: [{ phone: aPhone() }] }));
  const { page } = await visit({ role: 'member', path: '/account' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.install();
  await openPage(page, `${server.url}/campaigns/${draft.id}`);
  await page.getByRole('figure', { name: 'Forecast', exact: true }).waitFor();
  await page.clock.runFor(20_000);
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  const ofPage = asked.filter((path) => path.startsWith('/api/v1/') && path !== '/api/v1/live');
  assert.equal(ofPage.filter((path) => path.endsWith('/plan')).length, 1);
  assert.deepEqual(ofPage, [...new Set(ofPage)]);
});

test('the forecast of a campaign that runs shows how the calls of the present opening ended beside what is likely', async () => {
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const schedule = { timezone: 'UTC', windowStart: '08:00', windowEnd: '10:00', maxConcurrent: 1, retryAttempts: 0 };
  const ids = { agentId: agent.id, phoneNumberId: number.id };
  const campaign = await aCampaign(server, { name: 'Runs', schedule, ...ids });
  const contacts = Array.from({ length: 600 }, () => ({ phone: aPhone('04') }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  await server.advance(600_000);
  const query = `/calls?campaign_id=${campaign.id}&status=voicemail&limit=500&offset=0`;
  const voicemails = dataOf(await server.get<unknown[]>(query)).length;
  assert.ok(voicemails > 50, String(voicemails));
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/account' });
  await openPage(page, `${server.url}/campaigns/${campaign.id}`);
  const figure = page.getByRole('figure', { name: 'Forecast', exact: true });
  await figure.getByRole('button', { name: 'Figures', exact: true }).click();
  const rows = figure.getByRole('table').getByRole('row');
  const headings = await rows.first().getByRole('columnheader').allInnerTexts();
  const column = headings.indexOf('Voicemail') - 1;
  const ofRow = async (at: number): Promise<string[]> => rows.nth(at).getByRole('cell').allInnerTexts();
  const shown = await Promise.all(Array.from({ length: (await rows.count()) - 1 }, (_, at) => ofRow(at + 1)));
  const counted = shown.map((cells) => cells[column]!).filter((text) => text !== '–');
  assert.equal(
    counted.reduce((sum, text) => sum + Number(text), 0),
    voicemails,
    JSON.stringify({ headings, shown }),
  );
  assert.equal(headings.at(-1), 'Expected calls');
  const expected = shown.reduce((sum, cells) => sum + Number(cells.at(-1)), 0);
  assert.ok(expected + voicemails >= 590 && expected + voicemails <= 610, String(expected));
  await expectAccessible(page);
  expectQuiet();
});

test('where nobody waits, the forecast is a sentence, and a drawing once somebody does', async () => {
  const { id } = await aCampaign(server, { name: 'Nobody yet' });
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  await openPage(page, `${server.url}/campaigns/${id}?tab=settings`);
  const figure = page.getByRole('figure', { name: 'Forecast', exact: true });
  await figure.getByText(/^Nobody waits to be called\./).waitFor();
  assert.equal(await figure.locator('svg').count(), 0);
  await expectStable(page);
  await expectAccessible(page);
  dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts: [{ phone: aPhone() }] }));
  await openPage(page, `${server.url}/campaigns/${id}?tab=settings`);
  await figure.getByRole('slider').waitFor();
  await figure.getByText(/^Finishes: /).waitFor();
  expectQuiet();
});
