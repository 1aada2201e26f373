import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anAgent } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

test('the overview teaches the first steps, and each goes once it is done', async () => {
  const { page, expectQuiet } = await visit({ path: '/', width: 320 });
  await page.getByRole('heading', { name: 'Overview', exact: true, level: 1 }).waitFor();
  const steps = page.getByRole('region', { name: 'First steps', exact: true });
  await steps.getByRole('link', { name: 'Make an agent', exact: true }).waitFor();
  for (const name of ['Running campaigns', 'Calls in flight', 'Today’s outcomes']) {
    await page.getByRole('table', { name, exact: true }).waitFor();
  }
  await page.getByRole('link', { name: 'No backup within a week', exact: true }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await anAgent(server, { agentName: 'Robin' });
  await page.reload();
  await steps.getByRole('link', { name: 'Make a campaign', exact: true }).waitFor();
  assert.equal(await steps.getByRole('link', { name: 'Make an agent', exact: true }).count(), 0);
  expectQuiet();
});

test('the audit log tells who did what to what, and is filtered by the address', async () => {
  const { page, expectQuiet } = await visit({ path: '/audit', width: 320, dark: true });
  const table = page.getByRole('table', { name: 'Audit', exact: true });
  await table.getByText('Create agent', { exact: true }).first().waitFor();
  const made = table.getByRole('link', { name: 'Agent Robin', exact: true });
  assert.match((await made.getAttribute('href')) ?? '', /^\/agents\//);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Operation', exact: true }).fill('deleteAgent');
  await page.getByText('Nothing matches these filters.').waitFor();
  assert.match(page.url(), /operation=deleteAgent/);
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
    .getByRole('link', { name: 'A source of the knowledge base “Help <b>” could not be read', exact: true })
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
