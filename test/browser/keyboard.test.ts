import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aCampaign, anAgent, aNumber } from '../support/fixtures.ts';
import { aPassword, aPerson } from '../support/people.ts';
import { type Data, dataOf } from '../support/server.ts';
import { focused, tabTo, typeInto } from './by-keys.ts';
import { openPage, startDashboard } from './dashboard.ts';
import { serveRecording } from './recorded-call.ts';

const { server, open, visit } = await startDashboard();

test('by keyboard alone a person logs in, makes a campaign, imports contacts and starts it', async () => {
  await anAgent(server, { agentName: 'Robin' });
  await aNumber(server, { phone: '+4930901820' });
  const person = await aPerson(server, 'member');
  const { page, expectQuiet } = await open('/login');
  await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  await typeInto(page, 'E-mail', person.email);
  await typeInto(page, 'Password', aPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true, level: 1 }).waitFor();

  await tabTo(page, 'Campaigns');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Campaigns', exact: true, level: 1 }).waitFor();
  await tabTo(page, 'New campaign');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New campaign', exact: true, level: 1 }).waitFor();
  await page.getByRole('combobox', { name: 'Agent', exact: true }).waitFor();
  await typeInto(page, 'Name', 'By keys');
  await tabTo(page, 'Agent');
  await page.keyboard.type('Robin');
  await tabTo(page, 'Caller number');
  await page.keyboard.type('+4930901820');
  await typeInto(page, 'Time zone', 'UTC');
  await tabTo(page, 'Save draft');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'By keys', exact: true, level: 1 }).waitFor();

  await tabTo(page, 'Import contacts');
  await page.keyboard.press('Enter');
  const importing = page.getByRole('dialog', { name: 'Import contacts', exact: true });
  await importing.waitFor();
  await tabTo(page, 'CSV file');
  // The window in which a file is chosen belongs to the system.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
  await chooser.setFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('First name,Phone\nAda,+4930901800\n'),
  });
  await importing.getByText('1 of 1 rows can be imported', { exact: true }).waitFor();
  await tabTo(page, 'Import');
  await page.keyboard.press('Enter');
  await importing.waitFor({ state: 'hidden' });
  await page.getByRole('table', { name: 'Contacts', exact: true }).getByText('+4930901800').waitFor();

  await tabTo(page, 'Start');
  await page.keyboard.press('Enter');
  const starting = page.getByRole('dialog', { name: 'Start calling?', exact: true });
  await starting.getByText('1 contact can be called').waitFor();
  assert.equal((await focused(page)).name, 'Cancel', 'the focus is first on what changes nothing');
  await tabTo(page, 'Start calling');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  const { data } = (await server.get<Array<Record<string, unknown>>>('/campaigns/')).body;
  assert.equal(data[0]!['status'], 'active');
  expectQuiet();
});

/** Presses a key, and answers what a screen reader then hears of the slider. */
async function heard(page: Page, key: string): Promise<string> {
  await page.keyboard.press(key);
  return page.evaluate<string>('document.activeElement.getAttribute("aria-valuetext")');
}

test('by keyboard alone a person reads the hours of a chart and of a strip', async () => {
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const schedule = { timezone: 'UTC', windowStart: '18:00', windowEnd: '20:00' };
  const { id } = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id, schedule });
  dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts: [{ phone: '+4930901844' }] }));
  dataOf(await server.patch(`/campaigns/${id}/`, { status: 'active' }));
  const [row] = dataOf(await server.get<Array<Data & { contact_id: string }>>(`/campaigns/${id}/contacts`));
  const { page, expectQuiet } = await visit({ path: '/account' });
  await openPage(page, `${server.url}/`);
  await tabTo(page, 'The day by hour, step by step');
  assert.match(await heard(page, 'ArrowRight'), /^09:00–10:00: Goal met \d+/);
  assert.match(await heard(page, 'ArrowRight'), /^10:00–11:00: /);
  await openPage(page, `${server.url}/contacts/${row!.contact_id}`);
  await tabTo(page, 'The next 24 hours, step by step');
  assert.match(await heard(page, 'ArrowRight'), /^From \d\d:00: Calling window: forbids; /);
  assert.match(await heard(page, 'End'), /^From \d\d:00: /);
  assert.equal(await heard(page, 'Escape'), 'Use the arrow keys');
  await openPage(page, `${server.url}/campaigns/${id}?tab=settings`);
  await tabTo(page, 'The week in UTC, step by step');
  assert.equal(await heard(page, 'ArrowDown'), 'Monday: 18:00 to 20:00');
  assert.equal(await heard(page, 'End'), 'Sunday: 18:00 to 20:00');
  const week = page.getByRole('figure', { name: 'The week in UTC', exact: true });
  await page.keyboard.press('Shift+Tab');
  assert.equal((await focused(page)).name, 'Figures');
  await page.keyboard.press('Enter');
  assert.equal(await week.getByRole('table', { name: 'The week in UTC', exact: true }).getByRole('row').count(), 8);
  expectQuiet();
});

test('by keyboard alone a person plays a recording', async () => {
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const simulate = { outcome: 'completed', transcript: [{ role: 'agent', text: 'One moment.' }] };
  const sent = { agent_id: agent.id, phone_number_id: number.id, to: '+4930901845', simulate };
  const { call_id: id } = dataOf(await server.post<{ call_id: string }>('/calls', sent));
  await server.advance(120_000);
  const { page, expectQuiet } = await visit({ path: '/account' });
  const sound = await serveRecording(page, server, id);
  await openPage(page, `${server.url}/calls/${id}`);
  await tabTo(page, 'Position in the recording');
  assert.equal(await heard(page, 'End'), '0:01 of 0:01');
  assert.equal(await heard(page, 'Home'), '0:00 of 0:01');
  await openPage(page, `${server.url}/calls/${id}`);
  await tabTo(page, 'Play');
  const asked = page.waitForRequest(`**/${id}/recording`);
  await page.keyboard.press('Enter');
  await asked;
  assert.ok(sound.loaded <= 2);
  await tabTo(page, 'Skip silence');
  await page.keyboard.press('Space');
  assert.ok(await page.getByRole('checkbox', { name: 'Skip silence', exact: true }).isChecked());
  expectQuiet();
});

test('by keyboard alone a person talks to an agent, and settles what a colleague has changed, too', async () => {
  const agent = await anAgent(server, { agentName: 'Keys', firstMessage: 'Good morning.', prompt: 'Greet.' });
  const { page } = await visit({ role: 'member', path: '/account' });
  await openPage(page, `${server.url}/agents/${agent.id}`);
  await typeInto(page, 'First message', 'Good evening.');
  await typeInto(page, 'Say something', 'Hello');
  await page.keyboard.press('Enter');
  const talk = page.getByRole('region', { name: 'Conversation', exact: true });
  await talk.getByText('Good evening.').waitFor();
  await talk.getByText(/I heard: Hello/).waitFor();

  dataOf(await server.put(`/agents/${agent.id}`, { firstMessage: 'Good night.', prompt: 'Greet twice.' }));
  await tabTo(page, 'Save');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('main').getByRole('alert');
  await alert.getByText(/ has changed this since you opened it\./).waitFor();
  await alert.getByText('Taken over: Prompt.', { exact: true }).waitFor();
  await tabTo(page, 'Use mine');
  await page.keyboard.press('Enter');
  await alert.getByRole('button', { name: 'Use mine', exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('First message', { exact: true }).and(page.locator(':focus')).waitFor(); // in the next frame
  await tabTo(page, 'Save');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Saved.', { exact: true }).waitFor({ state: 'attached' });
  const saved = dataOf(await server.get(`/agents/${agent.id}`));
  assert.deepEqual([saved['firstMessage'], saved['prompt']], ['Good evening.', 'Greet twice.']);
});
