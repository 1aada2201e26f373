import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataOf } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

test('a member makes a knowledge base, adds a text and gets a passage with what matched marked', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/knowledge', width: 320 });
  await page.getByRole('button', { name: 'New knowledge base', exact: true }).click();
  const making = page.getByRole('dialog', { name: 'New knowledge base', exact: true });
  await making.getByRole('textbox', { name: 'Name', exact: true }).fill('Help <script>');
  await making.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Help <script>', exact: true, level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Add sources', exact: true }).click();
  const adding = page.getByRole('dialog', { name: 'Add sources', exact: true });
  for (const name of ['Text', 'Web pages', 'Files']) {
    await adding.getByRole('tab', { name, exact: true }).click();
    await expectAccessible(page);
  }
  await adding.getByRole('tab', { name: 'Text', exact: true }).click();
  await adding.getByRole('textbox', { name: 'Title', exact: true }).fill('Opening hours');
  await adding
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('The shop opens at nine in the morning and closes at six in the evening every day.');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  const sources = page.getByRole('table', { name: 'Sources', exact: true });
  await sources.getByText('Opening hours', { exact: true }).waitFor();
  await server.advance(0);
  await sources.getByText('Complete', { exact: true }).waitFor();

  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('When does the shop open?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const passages = page.getByRole('list', { name: 'Passages', exact: true });
  await passages
    .getByText(/six in the evening every day/)
    .first()
    .waitFor();
  assert.ok((await passages.locator('mark').count()) > 0);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expectQuiet();

  await page.getByRole('button', { name: 'Add sources', exact: true }).click();
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await adding.getByRole('alert').waitFor();
  const title = adding.getByRole('textbox', { name: 'Title', exact: true });
  assert.equal(await title.getAttribute('aria-invalid'), 'true');

  const viewer = await visit({ role: 'viewer', path: new URL(page.url()).pathname, dark: true });
  await viewer.page.getByRole('table', { name: 'Sources', exact: true }).waitFor();
  for (const name of ['Add sources', 'Remove', 'Save']) {
    assert.equal(await viewer.page.getByRole('button', { name, exact: true }).count(), 0);
  }
  assert.ok(await viewer.page.getByRole('button', { name: 'Ask', exact: true }).isVisible());
  await expectAccessible(viewer.page);
});

test('a base of which some sources failed says how many', async () => {
  const made = dataOf(await server.post<Record<string, unknown>>('/rag/knowledgebases', { name: 'Half' }));
  const id = String(made['knowledge_base_id']);
  const path = `/rag/knowledge-base/${id}/add-sources`;
  for (const title of ['One', 'Two', 'Three'])
    dataOf(await server.post(path, { knowledge_base_texts: [{ title, text: `${title} is a text to be read.` }] }));
  for (const name of ['a.pdf', 'b.pdf']) {
    const file = new FormData();
    file.append('file', new Blob(['%PDF-1.7 broken'], { type: 'application/pdf' }), name);
    dataOf(await server.post(path, file));
  }
  await server.advance(600_000);
  const { page } = await visit({ role: 'viewer', path: `/knowledge/${id}` });
  await page.getByText('2 of 5 failed', { exact: true }).waitFor();
  assert.equal(await page.getByRole('main').locator('p').getByText('Complete', { exact: true }).count(), 0);
});

test('a knowledge base of nobody is not found', async () => {
  const { page } = await visit({ path: '/knowledge/00000000-0000-4000-8000-000000000000' });
  await page.getByRole('heading', { name: 'Not found', exact: true }).waitFor();
});
