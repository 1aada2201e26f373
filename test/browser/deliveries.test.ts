import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { aNumber, anAgent } from '../support/fixtures.ts';
import { type Data, dataOf } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

/** The status that the receiver answers; 410 makes its endpoint fail at once. */
let answer = 410;
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(answer).end('<b>gone</b>'));
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => {
  receiver.closeAllConnections();
  receiver.close();
});
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
await anAgent(server, { agentName: '<img src=x onerror=alert(1)>', webhookUrls: [url] });
const endpoint = dataOf(await server.get<Data[]>('/webhooks/endpoints'))[0]!;
const delivery = dataOf(await server.post(`/webhooks/endpoints/${endpoint.id}/test`));
await server.advance(0);

test('a viewer sees what fails and why, without a way to mend it', async () => {
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/deliveries', width: 320, dark: true });
  const endpoints = page.getByRole('table', { name: 'Endpoints', exact: true });
  await endpoints.getByText('Failing', { exact: true }).waitFor();
  await endpoints.getByRole('link', { name: '<img src=x onerror=alert(1)>', exact: true }).waitFor();
  const deliveries = page.getByRole('table', { name: 'Deliveries', exact: true });
  await deliveries.getByRole('link', { name: /^Call ended …/ }).waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /call\.completed/);
  for (const name of ['Resume', 'Send failed again']) {
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0);
  }
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expectQuiet();
});

test('a delivery shows its attempt with request and response, and is sent again', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/deliveries' });
  await page.getByRole('table', { name: 'Deliveries', exact: true }).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Delivery', exact: true, level: 1 }).waitFor();
  assert.equal(page.url(), `${server.url}/deliveries/${delivery.id}`);
  const attempts = page.getByRole('table', { name: 'Attempts', exact: true });
  await attempts.getByText('410', { exact: true }).waitFor();
  assert.match(await page.locator('dl').first().innerText(), /Event\s+Call ended/);
  // The code name is where a developer looks for it.
  assert.match(await page.getByRole('region', { name: 'Payload', exact: true }).innerText(), /call\.completed/);
  await attempts
    .getByText(/\d\d:\d\d:\d\d/)
    .first()
    .waitFor(); // attempts are compared by the second
  await attempts.getByText('Request and response').last().click();
  await attempts.getByText('<b>gone</b>', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Payload', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy as curl', exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByRole('status').getByText('The delivery is sent again.').waitFor();
  expectQuiet();
});

test('the page of a call leads to the delivery of its event, drawn on its schedule', async () => {
  answer = 500;
  const agent = await anAgent(server, { agentName: 'Caller', webhookUrls: [`${url}/failing`] });
  const number = await aNumber(server);
  const call = { agent_id: agent.id, phone_number_id: number.id, to: '+4930901800' };
  const { call_id: id } = dataOf(await server.post<{ call_id: string }>('/calls', call));
  dataOf(await server.post('/calls', { ...call, to: '+4930901801' }));
  await server.advance(90_000);
  const { page, expectQuiet } = await visit({ role: 'viewer', path: `/calls/${id}` });
  await page.getByRole('link', { name: 'See its delivery', exact: true }).click();
  const rows = page.getByRole('table', { name: 'Deliveries', exact: true }).getByRole('link');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 1);
  assert.equal(await rows.getAttribute('aria-label'), '+4930901800 · Completed');
  await rows.click();
  const figure = page.getByRole('figure', { name: 'Attempts on the schedule', exact: true });
  await figure.waitFor();
  const { attempts, schedule } = dataOf(
    await server.get<{ attempts: unknown[]; schedule: unknown[] }>(
      `/webhooks/deliveries/${page.url().split('/').at(-1)}`,
    ),
  );
  assert.ok(attempts.length > 0 && schedule.length > 0);
  assert.equal(await figure.locator('.schedule :is(circle, path)').count(), attempts.length + schedule.length);
  const reading = figure.getByRole('slider', { name: 'Attempts on the schedule, step by step', exact: true });
  await reading.press('ArrowRight');
  assert.match((await reading.getAttribute('aria-valuetext'))!, /^Attempt 1, .+ \(.+\): /);
  await reading.press('End');
  const last = attempts.length + schedule.length;
  const heard = await reading.getAttribute('aria-valuetext');
  assert.ok(heard!.startsWith(`Attempt ${last}, `) && heard!.endsWith(': To come, if each fails'), heard!);
  await figure.getByRole('button', { name: 'Figures', exact: true }).click();
  assert.equal(await figure.getByRole('table').getByRole('row').count(), last + 1);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'See the call', exact: true }).click();
  await page.waitForURL(`${server.url}/calls/${id}`);
  expectQuiet();
});

test('a member resumes a failing endpoint and sees it deliver', async () => {
  answer = 200;
  const { page, expectQuiet } = await visit({ role: 'member', path: '/deliveries' });
  const endpoints = page.getByRole('table', { name: 'Endpoints', exact: true });
  await endpoints.getByRole('button', { name: 'Send failed again', exact: true }).waitFor();
  await endpoints.getByRole('button', { name: 'Resume', exact: true }).click();
  await endpoints
    .getByText(/^(?:Delivering|Healing)$/)
    .nth(1)
    .waitFor();
  await endpoints.getByRole('button', { name: 'Resume', exact: true }).waitFor({ state: 'detached' });
  await endpoints.getByRole('button', { name: 'Pause', exact: true }).first().click();
  await endpoints.getByText('Paused', { exact: true }).waitFor();
  await endpoints.getByRole('button', { name: 'Resume', exact: true }).click();
  await endpoints.getByText('Paused', { exact: true }).waitFor({ state: 'detached' });
  await server.advance(0);
  await page
    .getByRole('table', { name: 'Deliveries', exact: true })
    .getByText('Delivered', { exact: true })
    .first()
    .waitFor();
  const status = page.getByRole('group', { name: 'Status', exact: true });
  await status.getByRole('button', { name: /^Delivered [1-9]/ }).waitFor();
  await status.getByRole('button', { name: /^Exhausted/ }).click();
  await page.getByText('Nothing matches these filters.').waitFor();
  assert.match(page.url(), /status=exhausted/);
  const chosen = status.getByRole('button', { pressed: true });
  assert.match(await chosen.innerText(), /^Exhausted/);
  await expectAccessible(page);
  await chosen.click();
  await page.waitForURL((address) => !address.search.includes('status'));
  expectQuiet();
});

test('each endpoint shows how many deliveries it took in each of the last 24 hours, as they come', async () => {
  answer = 200;
  await anAgent(server, { agentName: 'Taker', webhookUrls: [`${url}/taker`] });
  const [taker] = dataOf(await server.get<Data[]>('/webhooks/endpoints'));
  const deliver = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent++) dataOf(await server.post(`/webhooks/endpoints/${taker!.id}/test`));
    await server.advance(0);
  };
  await deliver(4);
  await server.advance(3 * 3_600_000);
  await deliver(1);
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/deliveries' });
  const row = page.getByRole('table', { name: 'Endpoints', exact: true }).getByRole('row', { name: /\/taker/ });
  await row.getByText('5 delivered', { exact: true }).waitFor();
  await deliver(1);
  await row.getByText('6 delivered', { exact: true }).waitFor();
  const line = await row.locator('svg path').last().getAttribute('d');
  const points = [...line!.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
  // From the top at 4 to the bottom at 38.
  assert.deepEqual(points, [...Array.from({ length: 20 }, () => 38), 4, 38, 38, 21]);
  await expectAccessible(page);
  expectQuiet();
});
