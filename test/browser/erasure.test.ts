import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aContact } from '../support/fixtures.ts';
import { expectAccessible, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

const listed = async (): Promise<string[]> =>
  (await server.get<Array<{ phone: string }>>('/do-not-call')).body.data.map(({ phone }) => phone);

test('an admin erases a person from its page, and the number is never called again if that is asked', async () => {
  for (const neverAgain of [true, false]) {
    const contact = await aContact(server, { first_name: 'Ada', last_name: 'Lovelace' });
    const { page, problems } = await visit({ role: 'admin', path: `/contacts/${contact.id}` });
    await page.getByRole('button', { name: 'Erase person', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase Ada Lovelace everywhere?', exact: true });
    await dialog.getByText('This cannot be undone').waitFor();
    await expectAccessible(page);
    if (neverAgain) await dialog.getByRole('checkbox', { name: /^Never call this number again/ }).check();
    await dialog.getByRole('button', { name: 'Erase person', exact: true }).click();
    await page.getByText('The person is being erased.', { exact: true }).waitFor();
    assert.equal((await server.get(`/contacts/${contact.id}`)).status, 404);
    assert.equal((await listed()).includes(contact.phone!), neverAgain);
    assert.deepEqual(problems, []);
  }
});

test('the question begins with "never again" for somebody who opted out, and members have no such button', async () => {
  const contact = await aContact(server, { first_name: 'Grace', do_not_call: true });
  const { page } = await visit({ role: 'admin', path: `/contacts/${contact.id}` });
  await page.getByRole('button', { name: 'Erase person', exact: true }).click();
  const box = page.getByRole('checkbox', { name: /^Never call this number again/ });
  await box.waitFor();
  assert.equal(await box.isChecked(), true);
  const member = await visit({ role: 'member', path: `/contacts/${contact.id}` });
  await member.page.getByRole('button', { name: 'Delete contact', exact: true }).waitFor();
  assert.equal(await member.page.getByRole('button', { name: 'Erase person', exact: true }).count(), 0);
});
