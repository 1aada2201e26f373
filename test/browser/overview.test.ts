import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { aCampaign, anAgent, aNumber } from '../support/fixtures.ts';
import { type Data, dataOf } from '../support/server.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectStable,
  logInWith,
  openPage,
  startDashboard,
} from './dashboard.ts';

const { server, visit } = await startDashboard();

test('the overview teaches the first steps, and each goes once it is done', async () => {
  const { page, expectQuiet } = await visit({ path: '/', width: 320 });
  await page.getByRole('heading', { name: 'Overview', exact: true, level: 1 }).waitFor();
  const steps = page.getByRole('region', { name: 'First steps', exact: true });
  await steps.getByRole('link', { name: 'Make an agent', exact: true }).waitFor();
  await page.getByRole('table', { name: 'Campaigns', exact: true }).waitFor();
  const figures = page.getByRole('list', { name: 'Figures of today', exact: true }).getByRole('listitem');
  assert.deepEqual(
    (await figures.allInnerTexts()).map((text) => text.split('\n')[0]),
    ['Calls today', 'Answer rate', 'Goals met', 'Minutes', 'Cost'],
  );
  // A server that keeps nothing needs no backup, so nothing is wrong.
  assert.equal(await page.getByRole('region', { name: 'Incidents', exact: true }).count(), 0);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'All campaigns', exact: true }).waitFor();
  const asked = await requestsOf(page, `${server.url}/`);
  assert.ok(asked.length <= 8, asked.join('\n'));
  await anAgent(server, { agentName: 'Robin' });
  await page.reload();
  await steps.getByRole('link', { name: 'Make a campaign', exact: true }).waitFor();
  assert.equal(await steps.getByRole('link', { name: 'Make an agent', exact: true }).count(), 0);
  expectQuiet();
});

/** Requests of the interface that a page makes, without what a query asks for. */
async function requestsOf(page: Page, url: string, figure = 'The day by hour'): Promise<string[]> {
  const asked: string[] = [];
  const note = (request: Request): void => {
    if (request.url().includes('/api/')) asked.push(`${request.method()} ${request.url()}`);
  };
  await page.goto('about:blank');
  page.on('request', note);
  await openPage(page, url);
  await page.getByRole('figure', { name: figure, exact: true }).waitFor();
  page.off('request', note);
  return asked;
}

test('the overview shows the day in at most 8 requests, none of them twice', async () => {
  const number = await aNumber(server);
  const agent = await anAgent(server, { agentName: 'Day' });
  const campaign = await aCampaign(server, { name: 'Spring', agentId: agent.id, phoneNumberId: number.id });
  const contacts = Array.from({ length: 20 }, (_, at) => ({ phone: `+49309018${String(at).padStart(2, '0')}` }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  await server.advance(7000);
  const { page, expectQuiet } = await visit({ path: '/account' });
  const asked = await requestsOf(page, `${server.url}/`);
  assert.ok(asked.length <= 8, asked.join('\n'));
  assert.equal(new Set(asked).size, asked.length, asked.join('\n'));
  await expectStable(page);
  await page.getByRole('list', { name: 'On the phone', exact: true }).getByRole('link').first().waitFor();
  const row = page.getByRole('table', { name: 'Campaigns', exact: true }).getByRole('row', { name: /^Spring/ });
  const [, , , , window, finishes] = await row.getByRole('cell').allInnerTexts();
  assert.match(await row.getByRole('rowheader').innerText(), /^Spring\s+Running\s+· Day$/);
  assert.equal(window, 'always open');
  assert.match(finishes!, /^today, 09:0\d$/);
  const next = page.getByRole('list', { name: 'The next 24 hours', exact: true }).getByRole('listitem');
  assert.deepEqual(
    (await next.allInnerTexts()).map((text) => text.split('\n').filter((line) => line !== '')),
    [['Spring', finishes, 'finishes']],
  );
  await server.advance(600_000);
  await openPage(page, `${server.url}/`);
  const agents = page.getByRole('table', { name: 'Agents today', exact: true });
  await agents.getByRole('row', { name: /^Day \d+ \d+% [\d,]+ ms/ }).waitFor();
  await agents.getByRole('link', { name: 'Day', exact: true }).waitFor();
  const figure = page.getByRole('figure', { name: 'The day by hour', exact: true });
  const reading = figure.getByRole('slider', { name: 'The day by hour, step by step', exact: true });
  await reading.focus();
  await page.keyboard.press('ArrowRight');
  assert.match((await reading.getAttribute('aria-valuetext')) ?? '', /^09:00–10:00: Goal met \d+, Answered \d+/);
  await figure.getByRole('button', { name: 'Figures', exact: true }).click();
  await figure.getByRole('rowheader', { name: '09:00–10:00', exact: true }).waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ forcedColors: 'active' });
  const fills = await page.evaluate<string[]>(
    "[...document.querySelectorAll('figure .legend rect')].map((mark) => getComputedStyle(mark).fill)",
  );
  assert.equal(new Set(fills).size, 7, 'each series has a fill of its own without colours');
  expectQuiet();
});

test('a campaign that runs is shown however many newer ones there are', async () => {
  const other = await server.newOrganization();
  const [number, agent] = [await aNumber(other), await anAgent(other)];
  const schedule = { timezone: 'UTC', windowStart: '20:00', windowEnd: '21:00' };
  const ids = { agentId: agent.id, phoneNumberId: number.id };
  const campaign = await aCampaign(other, { name: 'Oldest', schedule, ...ids });
  dataOf(await other.post(`/campaigns/${campaign.id}/contacts`, { contacts: [{ phone: '+4930901899' }] }));
  dataOf(await other.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  for (let newer = 0; newer < 100; newer++) await aCampaign(other, { name: `Draft ${newer}` });
  const { page } = await visit({ path: '/account', client: other });
  const asked = await requestsOf(page, `${server.url}/`);
  assert.ok(asked.length <= 8, asked.join('\n'));
  const rows = page.getByRole('table', { name: 'Campaigns', exact: true }).getByRole('rowheader');
  await rows.first().waitFor();
  assert.match(await rows.first().innerText(), /^Oldest/);
});

test('what the shell and a page that comes late follow comes in one stream', async () => {
  const { page, person, expectQuiet } = await visit({ path: '/account' });
  let delayed = 0;
  await page.route('**/assets/overview-*.js', async (route) => {
    delayed += 1;
    // Waits: longer than the frame waits for others to follow something, too.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  const streams = (await requestsOf(page, `${server.url}/`)).filter((url) => url.includes('/live?'));
  assert.equal(streams.length, 1, streams.join('\n'));
  assert.equal(delayed, 1);
  await page.context().clearCookies();
  await page.goto(`${server.url}/login`);
  const afterLogIn: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/live?')) afterLogIn.push(request.url());
  });
  await logInWith(page, person);
  await page.getByRole('figure', { name: 'The day by hour', exact: true }).waitFor();
  assert.equal(afterLogIn.length, 1, afterLogIn.join('\n'));
  expectQuiet();
});

test('the overview shows 7 and 30 days in at most 8 requests, beside as many days before', async () => {
  await server.advance(3 * 86_400_000);
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/' });
  const span = page.getByRole('group', { name: 'Span', exact: true });
  await page.getByRole('list', { name: 'Figures of today', exact: true }).waitFor();
  await span.getByRole('button', { name: '7 days', exact: true }).click();
  await page.waitForURL(`${server.url}/?span=7`);
  const asked = await requestsOf(page, `${server.url}/?span=7`, 'Calls by day');
  assert.ok(asked.length <= 8, asked.join('\n'));
  assert.equal(new Set(asked).size, asked.length, asked.join('\n'));
  await expectStable(page);
  const figures = page.getByRole('list', { name: 'Figures of 7 days', exact: true }).getByRole('listitem');
  const [calls, ...others] = (await figures.allInnerTexts()).map((text) => text.split('\n'));
  assert.deepEqual(
    [calls![0], ...others.map(([name]) => name)],
    ['Calls', 'Answer rate', 'Goals met', 'Minutes', 'Cost'],
  );
  const { total } = (await server.get<unknown[]>('/calls?limit=1')).body.meta;
  assert.equal(calls![1], String(total));
  assert.equal(calls![2], 'No calls in the 7 days before');
  const figure = page.getByRole('figure', { name: 'Calls by day', exact: true });
  const reading = figure.getByRole('slider', { name: 'Calls by day, step by step', exact: true });
  await reading.press('Home');
  assert.match((await reading.getAttribute('aria-valuetext'))!, /: Goal met \d+, Answered \d+, .+, 7 days before 0$/);
  await figure.getByRole('button', { name: 'Figures', exact: true }).click();
  assert.equal(await figure.getByRole('table').getByRole('row').count(), 8);
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  await span.getByRole('button', { name: '30 days', exact: true }).click();
  await page.getByRole('list', { name: 'Figures of 30 days', exact: true }).waitFor();
  assert.equal(await figure.getByRole('table').getByRole('row').count(), 31);
  await span.getByRole('button', { name: 'Today', exact: true }).click();
  await page.waitForURL(`${server.url}/`);
  await page.getByRole('figure', { name: 'The day by hour', exact: true }).waitFor();
  expectQuiet();
});

test('an endpoint that fails is an incident with the time since when, which comes and goes by itself', async () => {
  const answers = { status: 410 };
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answers.status).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const agent = await anAgent(server, { agentName: 'Sender', webhookUrls: [url] });
  const [endpoint] = dataOf(await server.get<Data[]>(`/webhooks/endpoints?agent_id=${agent.id}`));
  const { page, expectQuiet } = await visit({ path: '/' });
  await page.getByRole('table', { name: 'Campaigns', exact: true }).waitFor();
  dataOf(await server.post(`/webhooks/endpoints/${endpoint!.id}/test`));
  await server.advance(0);
  const incident = page.getByText(/^1 webhook endpoint fails since today, \d\d:\d\d · /);
  await incident.waitFor();
  const notice = page.getByText('Webhook deliveries of Sender are paused', { exact: false });
  assert.equal(await notice.count(), 0, 'each incident stands once');
  const [failing] = dataOf(await server.get<Data[]>(`/webhooks/endpoints?agent_id=${agent.id}`));
  assert.equal(await incident.locator('time').getAttribute('datetime'), failing!['failing_since']);
  dataOf(await server.post(`/webhooks/endpoints/${endpoint!.id}/resume`));
  answers.status = 200;
  await server.advance(0);
  await incident.waitFor({ state: 'detached' });
  await notice.waitFor();
  expectQuiet();
});

test('incidents stand before the first steps of a new organization', async () => {
  const other = await server.newOrganization();
  const agent = await anAgent(other, { agentName: 'New', webhookUrls: ['http://127.0.0.1:9/hook'] });
  const [endpoint] = dataOf(await other.get<Data[]>(`/webhooks/endpoints?agent_id=${agent.id}`));
  dataOf(await other.post(`/webhooks/endpoints/${endpoint!.id}/test`));
  await server.advance(2 * 3_600_000);
  const { page } = await visit({ path: '/', client: other });
  await page.getByRole('region', { name: 'First steps', exact: true }).waitFor();
  assert.deepEqual(await page.locator('main > [role=region], main > [aria-labelledby=first-steps]').count(), 2);
  const regions = page.getByRole('region', { name: /^(?:Incidents|First steps)$/ });
  assert.match(await regions.first().innerText(), /1 webhook endpoint fails/);
});

test('the wall shows the same without anything to press, and does not scroll', async () => {
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/account' });
  await page.setViewportSize({ width: 1920, height: 1080 });
  await openPage(page, `${server.url}/live`);
  await page.getByRole('figure', { name: 'The day by hour', exact: true }).waitFor();
  await page.getByRole('list', { name: 'Latest calls', exact: true }).waitFor();
  const buttons = page.getByRole('button');
  assert.deepEqual(await buttons.allInnerTexts(), ['Full screen']);
  assert.equal(await page.getByText('Simulated: no telephone rings', { exact: true }).count(), 1);
  const heightPx = await page.evaluate<number>('document.documentElement.scrollHeight');
  assert.ok(heightPx <= 1080, `the wall is ${heightPx} px high`);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expectQuiet();
});

test('the audit log tells who did what to what, and is filtered by the address', async () => {
  const { page, expectQuiet } = await visit({ path: '/audit', width: 320, dark: true });
  const table = page.getByRole('table', { name: 'Audit', exact: true });
  await table.getByText('Create an agent', { exact: true }).first().waitFor();
  const made = table.getByRole('link', { name: 'Agent Robin', exact: true });
  assert.match((await made.getAttribute('href')) ?? '', /^\/agents\//);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  const robin = (await made.getAttribute('href'))!.slice('/agents/'.length);
  dataOf(await server.put(`/agents/${robin}`, { prompt: 'Be brief.' }));
  await page.getByRole('combobox', { name: 'Thing', exact: true }).selectOption('Agent');
  await page.getByRole('combobox', { name: 'Which', exact: true }).selectOption('Robin');
  await page.waitForURL(/target_kind=agent&target_id=/);
  await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('Change an agent');
  await table.locator('summary', { hasText: 'Prompt' }).click();
  await table.locator('ins', { hasText: 'Be brief.' }).waitFor();
  await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('Delete an agent');
  await page.getByText('Nothing matches these filters.').waitFor();
  assert.match(page.url(), /operation=deleteAgent/);
  await page.goto(`${server.url}/agents/${robin}?tab=versions`);
  const history = page.getByRole('table', { name: 'History', exact: true });
  await history.locator('summary', { hasText: 'Prompt' }).waitFor();
  expectQuiet();
});

test('the overview lists knowledge bases with a source that could not be read', async () => {
  const base = dataOf(await server.post('/rag/knowledgebases', { name: 'Help <b>' }));
  const file = new FormData();
  file.append('file', new Blob(['%PDF-1.7 broken'], { type: 'application/pdf' }), 'broken.pdf');
  dataOf(await server.post(`/rag/knowledge-base/${String(base['knowledge_base_id'])}/add-sources`, file));
  await server.advance(600_000);
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/' });
  await page
    .getByRole('link', { name: 'Look: A source of the knowledge base “Help <b>” could not be read', exact: true })
    .click();
  await page.getByRole('heading', { name: 'Help <b>', exact: true, level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Sources', exact: true }).getByText('Failed', { exact: true }).waitFor();
  expectQuiet();
});

test('the calendar page asks for the key of an account', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/calendar', width: 320 });
  await page.getByText(/^No calendar is connected yet/).waitFor();
  await page.getByRole('button', { name: 'Connect a calendar', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a calendar', exact: true });
  await dialog.getByLabel('API key', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expectNoSidewaysScroll(page);
  expectQuiet();
});

test('viewers see no audit log and no way to connect a calendar', async () => {
  const { page } = await visit({ role: 'viewer', path: '/audit' });
  await page.getByText('Only admins of the organization can see this page.').waitFor();
  await page.goto(`${server.url}/calendar`);
  await page.getByRole('table', { name: 'Accounts', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Connect a calendar', exact: true }).count(), 0);
});
