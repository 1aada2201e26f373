import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anAgent } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

test('an agent is talked to by text, with what is in the fields and not saved', async () => {
  const base = dataOf(await server.post('/rag/knowledgebases', { name: 'Prices' }));
  const text = 'A professional cleaning of the teeth costs 98 euros.';
  const kb = String(base['knowledge_base_id']);
  const sources = { knowledge_base_texts: [{ title: 'Price list', text }] };
  dataOf(await server.post(`/rag/knowledge-base/${kb}/add-sources`, sources));
  await server.advance(600_000);
  const agent = await anAgent(server, { firstMessage: 'Good morning.', knowledgeBaseIds: [kb] });
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  await openPage(page, `${server.url}/agents/${agent.id}`);
  await page.getByRole('textbox', { name: 'First message', exact: true }).fill('Good evening.');
  const talk = page.getByRole('region', { name: 'Conversation', exact: true });
  const say = talk.getByRole('textbox', { name: 'Say something', exact: true });
  await say.fill('What does a professional cleaning of the teeth cost?');
  await talk.getByText('Good evening.').waitFor();
  await talk.getByRole('button', { name: 'Send', exact: true }).click();
  await talk.getByText(text).waitFor();
  await talk.getByText(/^Price list · [01]\.\d\d$/).waitFor();
  await talk.getByText(/\d ms/).first().waitFor();
  await expectAccessible(page);
  assert.equal(dataOf(await server.get(`/agents/${agent.id}`))['firstMessage'], 'Good morning.');

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Version 2 against 1', exact: true }).waitFor();
  assert.equal(await talk.getByText('The fields have changed since').count(), 0, 'it spoke with what is saved now');
  await page.getByRole('textbox', { name: 'First message', exact: true }).fill('Good night.');
  await talk.getByText('The fields have changed since').waitFor();
  await talk.getByRole('button', { name: 'Start over', exact: true }).click();
  await talk.getByText('Good night.').waitFor();
  assert.equal(await talk.getByText(text).count(), 0);

  await talk.getByRole('button', { name: 'Voice', exact: true }).click();
  assert.equal(await say.count(), 0);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  expectQuiet();
});

test('a setting that could not be saved is told where the conversation would begin', async () => {
  const agent = await anAgent(server);
  const { page } = await visit({ role: 'member', path: '/account' });
  await openPage(page, `${server.url}/agents/${agent.id}?tab=settings`);
  await page.getByRole('textbox', { name: 'Temperature', exact: true }).fill('7');
  await page.getByRole('tab', { name: 'Bench', exact: true }).click();
  const talk = page.getByRole('region', { name: 'Conversation', exact: true });
  await talk.getByRole('textbox', { name: 'Say something', exact: true }).fill('Hello');
  await talk.getByRole('alert').waitFor();
  await talk.getByRole('button', { name: 'Send', exact: true }).click();
  await talk.getByRole('alert').waitFor();
  assert.equal(await talk.getByRole('textbox', { name: 'Say something', exact: true }).inputValue(), 'Hello');
});

test('where nothing speaks, talking to an agent is typing with it', async () => {
  const agent = await anAgent(server, { firstMessage: 'Good morning.' });
  const { page } = await visit({ role: 'member', path: '/account' });
  await openPage(page, `${server.url}/agents/${agent.id}?tab=settings`);
  await page.getByRole('button', { name: 'Talk to this agent', exact: true }).click();
  const talk = page.getByRole('region', { name: 'Conversation', exact: true });
  await talk.getByText(/^Nothing is set that speaks/).waitFor();
  await talk.getByRole('textbox', { name: 'Say something', exact: true }).fill('Hello');
  await talk.getByRole('button', { name: 'Send', exact: true }).click();
  await talk.getByText(/I heard: Hello/).waitFor();
  await expectAccessible(page);
});
