import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPassword, aPerson } from '../support/people.ts';
import { expectAccessible, expectNoSidewaysScroll, startDashboard } from './dashboard.ts';

const { server, visit, open } = await startDashboard();

test('an admin invites a person, whose link makes them a member', async () => {
  const { page, expectQuiet } = await visit({ path: '/people' });
  await page.getByRole('heading', { name: 'People and keys', exact: true, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Invite a person', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person', exact: true });
  await dialog.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ada@example.com');
  await dialog.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Member');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'Link for ada@example.com', exact: true });
  const link = await shown.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  await page
    .getByRole('status')
    .getByText('ada@example.com is invited.', { exact: true })
    .waitFor({ state: 'attached' });
  await expectAccessible(page);
  await shown.getByRole('button', { name: 'Close', exact: true }).click();
  const row = page.getByRole('table', { name: 'People', exact: true }).getByRole('row', { name: /^ada@example\.com/ });
  await row.getByText('Invited', { exact: true }).waitFor();
  expectQuiet();

  const guest = await open(new URL(link).pathname + new URL(link).search);
  const email = guest.page.getByRole('textbox', { name: 'E-mail', exact: true });
  assert.equal(await email.inputValue(), 'ada@example.com');
  await guest.page.getByLabel('Password', { exact: true }).fill(aPassword);
  await guest.page.getByRole('button', { name: 'Set up', exact: true }).click();
  await guest.page.getByRole('button', { name: 'ada@example.com', exact: true }).waitFor();
  await page.reload();
  await row.getByText('Active', { exact: true }).waitFor();
});

test('an admin changes a role, makes a new link and removes a person', async () => {
  const other = await aPerson(server, 'viewer');
  const { page, expectQuiet } = await visit({ path: '/people' });
  const row = page.getByRole('row', { name: new RegExp(`^${other.email}`) });
  await row.getByRole('button', { name: 'Change role', exact: true }).click();
  const role = page.getByRole('dialog', { name: `Change the role of ${other.email}`, exact: true });
  await role.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Admin');
  await role.getByRole('button', { name: 'Change role', exact: true }).click();
  await row.getByText('Admin', { exact: true }).waitFor();

  await row.getByRole('button', { name: 'New link', exact: true }).click();
  const link = page.getByRole('dialog', { name: `Link for ${other.email}`, exact: true });
  assert.match(await link.getByRole('textbox', { name: 'Link', exact: true }).inputValue(), /\/setup\?token=/);
  await link.getByRole('button', { name: 'Close', exact: true }).click();

  await row.getByRole('button', { name: 'Disable', exact: true }).click();
  const disabling = page.getByRole('dialog', { name: `Disable ${other.email}?`, exact: true });
  await disabling.getByRole('button', { name: 'Disable', exact: true }).click();
  await row.getByText('Disabled', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Enable', exact: true }).click();
  await row.getByText('Active', { exact: true }).waitFor();

  await row.getByRole('button', { name: 'Remove', exact: true }).click();
  const confirm = page.getByRole('dialog', { name: `Remove ${other.email}?`, exact: true });
  await confirm.waitFor(); // the dialog takes the focus when it opens
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Cancel');
  await confirm.getByRole('button', { name: 'Remove', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  expectQuiet();
});

test('a key is shown once, rotated with an overlap and revoked', async () => {
  const { page, expectQuiet } = await visit({ path: '/people' });
  await page.getByRole('button', { name: 'New key', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New key', exact: true });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('CRM');
  await dialog.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Viewer');
  await dialog.getByRole('button', { name: 'Create key', exact: true }).click();
  const made = page.getByRole('dialog', { name: 'Key “CRM”', exact: true });
  const key = await made.getByRole('textbox', { name: 'Key', exact: true }).inputValue();
  assert.equal((await server.get('/system', { key })).status, 200);
  await made.getByRole('button', { name: 'Close', exact: true }).click();

  const rows = page.getByRole('table', { name: 'API keys', exact: true }).getByRole('row', { name: /^CRM/ });
  await rows.getByRole('button', { name: 'Rotate', exact: true }).click();
  const rotation = page.getByRole('dialog', { name: 'Rotate the key “CRM”', exact: true });
  await rotation.getByRole('combobox', { name: 'Overlap', exact: true }).selectOption('1 hour');
  await rotation.getByRole('button', { name: 'Rotate', exact: true }).click();
  const second = await made.getByRole('textbox', { name: 'Key', exact: true }).inputValue();
  assert.notEqual(second, key);
  for (const each of [key, second]) assert.equal((await server.get('/system', { key: each })).status, 200);
  await made.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText('in 1 h').waitFor();

  await rows.filter({ hasText: 'in 1 h' }).getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('in 1 h').waitFor({ state: 'detached' });
  assert.equal((await server.get('/system', { key })).status, 401);
  expectQuiet();
});

test('only admins see people and keys', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/people' });
  await page.getByText('Only admins of the organization can see this page.').waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
  expectQuiet();
});

test('the list of numbers not to call takes several at once and gives one back', async () => {
  const { page } = await visit({ role: 'member', path: '/do-not-call' });
  const phone = page.getByRole('textbox', { name: 'Phone', exact: true });
  await phone.fill('+49 30 111111, +49 30 222222');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const table = page.getByRole('table', { name: 'Do not call', exact: true });
  await table.getByText('+4930111111', { exact: true }).waitFor();
  await page.getByRole('status').getByText('2 numbers are on the list now.').waitFor();
  await table
    .getByRole('row', { name: /^\+4930222222/ })
    .getByRole('button', { name: 'Remove', exact: true })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await table.getByText('+4930222222').waitFor({ state: 'detached' });

  await phone.fill('12');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(await phone.getAttribute('aria-invalid'), 'true');
  await expectAccessible(page);
});

test('a viewer sees the list of numbers not to call without its controls', async () => {
  const { page } = await visit({ role: 'viewer', path: '/do-not-call' });
  await page.getByRole('table', { name: 'Do not call', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add', exact: true }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Remove', exact: true }).count(), 0);
});

test('the system page has version, checks and backup, and advances the test clock', async () => {
  const { page, expectQuiet } = await visit({ path: '/system' });
  await page.getByText('Version', { exact: true }).waitFor();
  await page.getByText('Calls are simulated', { exact: true }).waitFor();
  const statuses = page.getByRole('table', { name: 'Checks', exact: true }).locator('tbody td:nth-child(2)');
  await statuses.first().waitFor();
  const found = await statuses.allInnerTexts();
  assert.deepEqual(
    found,
    ['Failed', 'Warning', 'OK'].flatMap((word) => found.filter((each) => each === word)),
    'what needs a look stands first',
  );
  const state = page.getByRole('list', { name: 'State', exact: true }).getByRole('listitem').first();
  const worst = found.filter((word) => word === found[0]).length;
  assert.match(
    await state.innerText(),
    new RegExp(`^State\\s+${worst}\\s+(faults|warnings) of ${found.length} checks$`),
  );
  await page.getByText('parley backup backups/parley.db', { exact: true }).waitFor();
  const before = Date.parse(String(await clock()));
  await page.getByRole('button', { name: 'Advance 1 hour', exact: true }).click();
  await page
    .getByRole('status')
    .getByText(/^The clock is advanced/)
    .waitFor();
  assert.ok(Date.parse(String(await clock())) - before >= 3_600_000);
  expectQuiet();
});

const clock = async (): Promise<unknown> => (await server.get('/test-clock')).body.data['now'];

test('a viewer sees the system without checks and without a way to advance the clock', async () => {
  const { page } = await visit({ role: 'viewer', path: '/system' });
  await page.getByText('Version', { exact: true }).waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
  assert.equal(await page.getByRole('button', { name: /^Advance/ }).count(), 0);
});

for (const width of [320, 1440]) {
  for (const dark of [false, true]) {
    test(`people, do not call and system fit ${width} px, ${dark ? 'dark' : 'light'}`, async () => {
      const { page } = await visit({ width, dark });
      for (const path of ['/people', '/do-not-call', '/system']) {
        await page.goto(`${server.url}${path}`);
        await page.getByRole('table').first().waitFor();
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
      }
    });
  }
}
