import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCampaign, anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();
const [agent, number] = [await anAgent(server), await aNumber(server)];

async function aRunningCampaign(name: string): Promise<string> {
  const { id } = await aCampaign(server, { name, agentId: agent.id, phoneNumberId: number.id });
  const contacts = Array.from({ length: 5 }, (_, at) => ({ phone: `+49309018${at}0` }));
  dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts }));
  dataOf(await server.patch(`/campaigns/${id}/`, { status: 'active' }));
  return id;
}

test('two clicks stop all calling, one goes on as it was', async () => {
  const id = await aRunningCampaign('Spring');
  const stateOf = async () => dataOf(await server.get(`/campaigns/${id}`))['executionStatus'];
  const { page, expectQuiet } = await visit({ role: 'member', path: '/contacts' });
  const banner = page.getByRole('banner');
  await banner.getByRole('button', { name: 'Stop all calling', exact: true }).click();
  const asking = page.getByRole('dialog', { name: 'Stop all calling?', exact: true });
  await asking.getByText('1 campaign stops at once', { exact: false }).waitFor();
  await asking.getByText(/^(?:Nobody is on the phone|\d+ calls? (?:is|are) in flight)/).waitFor();
  await expectAccessible(page);
  await asking.getByRole('button', { name: 'Stop all calling', exact: true }).click();
  await banner.getByText('Calling is stopped', { exact: true }).waitFor();
  assert.equal(await stateOf(), 'paused');
  await expectAccessible(page);
  await page.reload();
  await banner.getByRole('button', { name: 'Resume calling', exact: true }).click();
  await banner.getByRole('button', { name: 'Stop all calling', exact: true }).waitFor();
  assert.equal(await stateOf(), 'running');
  await page.getByRole('status').getByText('1 campaign runs again.', { exact: true }).waitFor({ state: 'attached' });
  await openPage(page, `${server.url}/campaigns/${id}?tab=history`);
  await page
    .getByRole('table', { name: 'History', exact: true })
    .getByRole('rowheader', { name: 'Stopped with all calling', exact: true })
    .waitFor();
  expectQuiet();
});

test('the palette stops all calling, and pauses one campaign', async () => {
  const id = await aRunningCampaign('Autumn');
  const { page } = await visit({ role: 'member', path: '/agents' });
  const palette = page.getByRole('dialog', { name: 'Search or go to', exact: true });
  const box = palette.getByRole('combobox', { name: 'Search or go to', exact: true });
  await page.keyboard.press('Control+k');
  await box.fill('autumn');
  await palette.getByRole('option', { name: 'Pause Autumn', exact: true }).click();
  await page.getByRole('status').getByText('Autumn is paused.', { exact: true }).waitFor({ state: 'attached' });
  assert.equal(dataOf(await server.get(`/campaigns/${id}`))['status'], 'paused');
  await page.keyboard.press('Control+k');
  await box.fill('stop');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Stop all calling?', exact: true }).waitFor();
});

test('the palette pauses a campaign that a colleague has just changed, and does not resume one that a colleague has completed', async () => {
  const id = await aRunningCampaign('Winter');
  const { page } = await visit({ role: 'member', path: '/agents' });
  const palette = page.getByRole('dialog', { name: 'Search or go to', exact: true });
  const box = palette.getByRole('combobox', { name: 'Search or go to', exact: true });
  const choiceAfter = async (name: string, change: object): Promise<void> => {
    await page.keyboard.press('Control+k');
    await box.fill('winter');
    const choice = palette.getByRole('option', { name, exact: true });
    await choice.waitFor();
    dataOf(await server.patch(`/campaigns/${id}`, change));
    await choice.click();
  };
  await choiceAfter('Pause Winter', { schedule: { maxConcurrent: 2 } });
  await page.getByRole('status').getByText('Winter is paused.', { exact: true }).waitFor({ state: 'attached' });
  assert.equal(dataOf(await server.get(`/campaigns/${id}`))['status'], 'paused');
  await choiceAfter('Resume Winter', { status: 'completed' });
  await page
    .getByRole('status')
    .getByText(/changed/)
    .waitFor({ state: 'attached' });
  assert.equal(dataOf(await server.get(`/campaigns/${id}`))['status'], 'completed');
});

test('the palette finds a campaign to pause however many newer ones there are, with and without the verb', async () => {
  const oldest = await aRunningCampaign('Föhr');
  for (let newer = 0; newer < 101; newer++) await aRunningCampaign(`Newer ${newer}`);
  const { page, expectQuiet } = await visit({ role: 'member', path: '/agents' });
  const palette = page.getByRole('dialog', { name: 'Search or go to', exact: true });
  const box = palette.getByRole('combobox', { name: 'Search or go to', exact: true });
  await page.keyboard.press('Control+k');
  const pause = palette.getByRole('option', { name: 'Pause Föhr', exact: true });
  await box.fill('föhr');
  await pause.waitFor();
  await box.fill('newer 100');
  await palette.getByRole('option', { name: 'Pause Newer 100', exact: true }).waitFor();
  await pause.waitFor({ state: 'detached' });
  await box.fill('Pause fö');
  await pause.click();
  await page.getByRole('status').getByText('Föhr is paused.', { exact: true }).waitFor({ state: 'attached' });
  assert.equal(dataOf(await server.get(`/campaigns/${oldest}`))['status'], 'paused');
  await page.keyboard.press('Control+k');
  await box.fill('resume f');
  await palette.getByRole('option', { name: 'Resume Föhr', exact: true }).waitFor();
  await box.fill('pause f');
  await palette.getByRole('option', { name: 'Resume Föhr', exact: true }).waitFor({ state: 'detached' });
  expectQuiet();
});

test('a viewer sees that calling is stopped, and no button', async () => {
  dataOf(await server.post('/calling/stop', { reason: 'Wrong price' }));
  const { page } = await visit({ role: 'viewer', path: '/account' });
  await openPage(page, `${server.url}/calls`);
  await page.getByRole('banner').getByText('Calling is stopped', { exact: true }).waitFor();
  for (const name of ['Stop all calling', 'Resume calling']) {
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
  }
});
