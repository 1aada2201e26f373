import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aCampaign, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();
const [agent, number] = [await anAgent(server), await aNumber(server)];

async function aRunningCampaign(name: string): Promise<string> {
  const { id } = await aCampaign(server, { name, agentId: agent.id, phoneNumberId: number.id });
  dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts: [{ phone: aPhone() }] }));
  dataOf(await server.patch(`/campaigns/${id}/`, { status: 'active' }));
  return id;
}

const reseller = await aRunningCampaign('Reseller');
const autumn = await aRunningCampaign('Autumn');
dataOf(await server.patch(`/campaigns/${autumn}/`, { status: 'paused' }));

const boxOf = (page: Page) =>
  page
    .getByRole('dialog', { name: 'Search or go to', exact: true })
    .getByRole('combobox', { name: 'Search or go to', exact: true });
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true });

test('letters typed right after the keys of the palette are searched for, once they rest', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  const searched: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (/\/(?:search|campaigns\/?)$/.test(pathname)) searched.push(`${pathname} ${searchParams.get('q')}`);
  });
  await page.clock.install();
  await openPage(page, `${server.url}/account`);
  await page.getByRole('table', { name: 'Sessions', exact: true }).waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('re');
  assert.equal(await boxOf(page).inputValue(), 're');
  await page.clock.runFor(200);
  await page.keyboard.type('s');
  await page.clock.runFor(200);
  assert.equal(searched.length, 0, searched.join('\n'));
  await page.clock.resume();
  await option(page, 'Pause Reseller').waitFor();
  await option(page, 'Resume Autumn').waitFor();
  assert.equal(searched.filter((each) => each.includes('/search')).length, 1, searched.join('\n'));
  assert.ok(searched.length <= 4, searched.join('\n'));
  expectQuiet();
});

test('the name of a campaign leads to it, and pauses nothing', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('reseller');
  await option(page, 'Pause Reseller').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Reseller', exact: true, level: 1 }).waitFor();
  assert.equal(dataOf(await server.get(`/campaigns/${reseller}`))['executionStatus'], 'running');
  expectQuiet();
});

test('what was found for other letters is not chosen any more', async () => {
  const { page } = await visit({ role: 'member', path: '/account' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('pause res');
  await option(page, 'Pause Reseller').waitFor();
  await page.route('**/api/v1/search?*', () => undefined); // never answered
  await boxOf(page).fill('somebody else');
  await option(page, 'Pause Reseller').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  assert.equal(dataOf(await server.get(`/campaigns/${reseller}`))['executionStatus'], 'running');
  assert.ok(await boxOf(page).isVisible());
});

test('a call that is found says when it was, in an instant that names its zone', async () => {
  const to = aPhone();
  dataOf(await server.post('/calls', { agent_id: agent.id, phone_number_id: number.id, to }));
  await server.advance(120_000);
  const { page } = await visit({ role: 'viewer', path: '/account' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type(to);
  const at = page.getByRole('option', { name: `Call to ${to}` }).locator('time');
  await at.waitFor();
  assert.match((await at.getAttribute('datetime'))!, /Z$/);
  assert.match((await at.getAttribute('title'))!, /\(.+\)$/);
});
