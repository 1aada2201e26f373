import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectAccessible, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

test('a file of numbers is read line by line, refused numbers are named, and the list is searched', async () => {
  const { page, problems } = await visit({ role: 'member', path: '/do-not-call' });
  const phones = page.getByRole('textbox', { name: 'Phone', exact: true });
  const file = Buffer.from('phone;name\n+49 30 12345678;Ada\n0171 2345678;Grace\n"(+44) 20";Nobody\n');
  await page
    .getByLabel('Numbers from a file', { exact: true })
    .setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer: file });
  const rejected = page.getByRole('table', { name: 'Rejected lines', exact: true });
  for (const text of ['0171 2345678;Grace', '"(+44) 20";Nobody']) await rejected.getByText(text).waitFor();
  assert.deepEqual(await rejected.getByRole('rowheader').allInnerTexts(), ['3', '4']);
  assert.equal(await phones.inputValue(), '+493012345678');
  await expectAccessible(page);

  await phones.fill('+493012345678, 12 34, +442071234567');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').getByText('Number 2, “1234”:').waitFor();
  await phones.fill('+493012345678, +442071234567');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const list = page.getByRole('table', { name: 'Do not call', exact: true });
  await list.getByText('+442071234567', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search by phone', exact: true }).fill('30 1234');
  await list.getByText('+442071234567', { exact: true }).waitFor({ state: 'detached' });
  await list.getByText('+493012345678', { exact: true }).waitFor();
  assert.match(page.url(), /\?q=/);
  assert.equal((await server.get<unknown[]>('/do-not-call')).body.data.length, 2);
  // The browser itself writes a line for a refused request.
  assert.deepEqual(
    problems.filter((line) => !/status of 400/.test(line)),
    [],
  );
});
