import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectAccessible, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

test('the numbers of a file are added, rows without one and refused numbers are named, and the list is searched', async () => {
  const { page, problems } = await visit({ role: 'member', path: '/do-not-call' });
  const phones = page.getByRole('textbox', { name: 'Phone', exact: true });
  const file = Buffer.from('phone;name\n+49 30 12345670;Ada\n0171 2345678;Grace\n"(+44) 20";Nobody\n');
  const list = page.getByRole('table', { name: 'Do not call', exact: true });
  await page
    .getByLabel('Numbers from a file', { exact: true })
    .setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer: file });
  await page.getByLabel('Country of national numbers', { exact: true }).fill('DE');
  await page.getByLabel('Reason for these numbers', { exact: true }).fill('wrote to us');
  await page.getByRole('button', { name: 'Add the numbers of the file', exact: true }).click();
  const rejected = page.getByRole('table', { name: 'Rejected rows', exact: true });
  await rejected.waitFor();
  assert.deepEqual(await rejected.getByRole('rowheader').allInnerTexts(), ['3']);
  for (const phone of ['+493012345670', '+491712345678']) await list.getByText(phone, { exact: true }).waitFor();
  await expectAccessible(page);

  await phones.fill('+493012345678, 12 34, +442071234567');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').getByText('Number 2, “1234”:').waitFor();
  await phones.fill('+493012345678, +442071234567');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await list.getByText('+442071234567', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search by phone', exact: true }).fill('30 12345678');
  await list.getByText('+442071234567', { exact: true }).waitFor({ state: 'detached' });
  await list.getByText('+493012345678', { exact: true }).waitFor();
  assert.match(page.url(), /\?q=/);
  assert.equal((await server.get<unknown[]>('/do-not-call')).body.data.length, 4);
  // The browser itself writes a line for a refused request.
  assert.deepEqual(
    problems.filter((line) => !/status of 400/.test(line)),
    [],
  );
});
