import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anAgent } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

test('versions of an agent are compared and restored', async () => {
  const { id } = await anAgent(server, { prompt: 'Greet.\nAsk for a time.' });
  const { page, expectQuiet } = await visit({ role: 'member', path: `/agents/${id}` });
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Greet.\nAsk for two times.');
  await page.getByText('1 change: Prompt', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Settings', exact: true }).click();
  await page.getByText('1 change: Prompt', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').first().waitFor({ state: 'attached' });
  await page.getByRole('tab', { name: 'Versions', exact: true }).click();
  const table = page.getByRole('table', { name: 'Versions', exact: true });
  await table.getByRole('rowheader', { name: '2', exact: true }).waitFor();
  await table.getByRole('button', { name: 'Compare', exact: true }).click();
  const diff = page.getByRole('dialog', { name: 'Version 2 against 1', exact: true });
  await diff.getByRole('deletion').getByText('Ask for a time.', { exact: true }).waitFor();
  await diff.getByRole('insertion').getByText('Ask for two times.', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await table.getByRole('button', { name: 'Restore', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Restore version 1?', exact: true })
    .getByRole('button', { name: 'Restore', exact: true })
    .click();
  await table.getByRole('rowheader', { name: '3', exact: true }).waitFor();
  assert.equal(dataOf(await server.get(`/agents/${id}`))['prompt'], 'Greet.\nAsk for a time.');
  await page.getByRole('tab', { name: 'Bench', exact: true }).click();
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });
  assert.equal(await prompt.inputValue(), 'Greet.\nAsk for a time.');
  await prompt.fill('Greet.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').first().waitFor({ state: 'attached' });
  assert.equal(await page.getByRole('alert').count(), 0, 'the restored version is the one that is edited');
  await openPage(page, `${server.url}/agents/${id}?tab=versions`);
  await table.getByRole('rowheader', { name: '4', exact: true }).waitFor();
  expectQuiet();
});
