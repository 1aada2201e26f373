import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aCampaign, aContact, anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

type Edit = { label: string; field: string; value: string };

/** Every form that changes something: how it is opened, and two of its fields. */
const forms: ReadonlyArray<{
  form: string;
  /** `edit` names the button that opens the form, if the page does not show it at once. */
  make(): Promise<{ path: string; api: string; edit?: string; role?: 'admin' }>;
  fields: readonly [Edit, Edit];
}> = [
  {
    form: 'agent',
    async make() {
      const { id } = await anAgent(server);
      return { path: `/agents/${id}`, api: `/agents/${id}` };
    },
    fields: [
      { label: 'Name', field: 'agentName', value: 'Kim' },
      { label: 'First message', field: 'firstMessage', value: 'Good day.' },
    ],
  },
  {
    form: 'contact',
    async make() {
      const { id } = await aContact(server, { first_name: 'Ada' });
      return { path: `/contacts/${id}`, api: `/contacts/${id}` };
    },
    fields: [
      { label: 'Last name', field: 'last_name', value: 'Lovelace' },
      { label: 'Company', field: 'company', value: 'Engines' },
    ],
  },
  {
    form: 'campaign',
    async make() {
      const { id } = await aCampaign(server);
      return { path: `/campaigns/${id}?tab=settings`, api: `/campaigns/${id}` };
    },
    fields: [
      { label: 'Name', field: 'name', value: 'Autumn' },
      { label: 'Calls at a time', field: 'schedule.maxConcurrent', value: '7' },
    ],
  },
  {
    form: 'number',
    async make() {
      const { id, phone } = await aNumber(server, { name: 'Main' });
      return { path: '/numbers', api: `/phone-numbers/import/${id}`, edit: `Edit ${phone}` };
    },
    fields: [
      { label: 'Name', field: 'name', value: 'Desk' },
      { label: 'Calls at a time', field: 'max_concurrent', value: '7' },
    ],
  },
  {
    form: 'knowledge base',
    async make() {
      const made = dataOf(await server.post('/rag/knowledgebases', { name: 'Help' }));
      const id = String(made['knowledge_base_id']);
      return { path: `/knowledge/${id}`, api: `/rag/knowledge-base/${id}` };
    },
    fields: [
      { label: 'Name', field: 'knowledge_base_name', value: 'Support' },
      { label: 'Name', field: 'knowledge_base_name', value: 'Support desk' },
    ],
  },
  {
    form: 'organization',
    async make() {
      dataOf(await server.patch('/organization', { contact_limits: null, guard_hours: null }));
      return { path: '/system', api: '/organization', role: 'admin' };
    },
    fields: [
      { label: 'Calls a day', field: 'contact_limits.max_per_day', value: '4' },
      { label: 'Minutes between calls', field: 'contact_limits.min_gap_min', value: '45' },
    ],
  },
];

test('every form that changes a thing names the version that it is based on', () => {
  const pages = join(import.meta.dirname, '../../src/dashboard/pages');
  const text = (file: string): string => readFileSync(join(pages, file), 'utf8');
  const changing = globSync('**/*.tsx', { cwd: pages }).filter((file) => /\bupdate[A-Z]\w*\(api/.test(text(file)));
  const blind = changing.filter((file) => /useForm/.test(text(file)) && !/\.\.\.basedOn/.test(text(file)));
  assert.deepEqual(blind, ['people/people.tsx'], 'the role of a person is one choice');
  assert.ok(changing.length >= forms.length);
});

const valueAt = (data: unknown, field: string): unknown =>
  field.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], data);

for (const { form, make, fields } of forms) {
  for (const order of [[0, 1] as const, [1, 0] as const]) {
    const [first, second] = [fields[order[0]], fields[order[1]]];
    test(`two people who save the form of a ${form} (${first.value} first) lose nothing`, async () => {
      const { path, api, edit, role = 'member' } = await make();
      const pages: Page[] = [];
      for (let person = 0; person < 2; person += 1) {
        const { page } = await visit({ role });
        await openPage(page, `${server.url}${path}`);
        if (edit !== undefined) await press(page, edit);
        pages.push(page);
      }
      const [one, two] = pages as [Page, Page];
      const stored = async (field: string) => String(valueAt(dataOf(await server.get(api)), field));
      const at = (page: Page, { label }: Edit) => page.getByLabel(label, { exact: true });
      await at(one, first).fill(first.value);
      await at(two, second).fill(second.value);
      await press(one, 'Save');
      await one.getByText('Saved.').first().waitFor({ state: 'attached' });
      await press(two, 'Save');
      const alert = two.getByRole('alert').filter({ hasText: 'has changed this' });
      await alert.waitFor();
      assert.equal(await stored(first.field), first.value);
      await expectAccessible(two);
      assert.equal(await at(two, second).inputValue(), second.value);
      if (first.field === second.field) {
        await alert.getByText(first.value, { exact: true }).waitFor();
        await alert.getByRole('button', { name: 'Use mine', exact: true }).click();
      } else assert.equal(await at(two, first).inputValue(), first.value);
      await press(two, 'Save');
      await alert.waitFor({ state: 'detached' });
      if (first.field !== second.field) assert.equal(await stored(first.field), first.value);
      assert.equal(await stored(second.field), second.value);
    });
  }
}

test('a button deletes or starts nothing that somebody else has changed meanwhile, but pauses it', async () => {
  const [agent, number, contact] = [await anAgent(server), await aNumber(server), await aContact(server)];
  const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
  await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
  const { page } = await visit({ role: 'member', path: `/contacts/${contact.id}` });
  await press(page, 'Delete contact');
  await server.patch(`/contacts/${contact.id}`, { company: 'Engines' });
  await page.getByRole('dialog').getByRole('button', { name: 'Delete contact', exact: true }).click();
  await page.getByText('so nothing was done').waitFor();
  assert.equal((await server.get(`/contacts/${contact.id}`)).status, 200);
  const path = `/campaigns/${campaign.id}`;
  await openPage(page, `${server.url}${path}`);
  await press(page, 'Start');
  await server.patch(`${path}/`, { name: 'Autumn' });
  await press(page, 'Start calling');
  await page.getByText('so nothing was done').waitFor();
  assert.equal(dataOf(await server.get(path))['status'], 'draft');
  await server.patch(`${path}/`, { status: 'active', schedule: { start: '2099-01-01T00:00:00Z' } });
  await openPage(page, `${server.url}${path}`);
  await server.patch(`${path}/`, { name: 'Winter' });
  await press(page, 'Pause');
  await page.getByText('The campaign is paused').first().waitFor({ state: 'attached' });
  assert.equal(dataOf(await server.get(path))['status'], 'paused');
});

test('a contact page that was opened before an opt-out does not undo it', async () => {
  const contact = await aContact(server, { first_name: 'Ada' });
  const { page } = await visit({ role: 'member', path: `/contacts/${contact.id}` });
  await box(page, 'Company').fill('Engines');
  await server.put(`/contacts/${contact.id}/do-not-call`, {});
  await press(page, 'Save');
  await page.getByText('On the do-not-call list since').waitFor();
  const stored = dataOf(await server.get(`/contacts/${contact.id}`));
  assert.deepEqual([stored['company'], stored['do_not_call']], ['Engines', true]);
  await press(page, 'Allow calls again');
  await page.getByRole('dialog').getByRole('button', { name: 'Allow calls again', exact: true }).click();
  await page.getByText('May be called').waitFor();
  await press(page, 'Do not call again');
  await page.getByRole('dialog').getByRole('button', { name: 'Do not call again', exact: true }).click();
  await page.getByText('On the do-not-call list since').waitFor();
  assert.equal(dataOf(await server.get(`/contacts/${contact.id}`))['do_not_call'], true);
});
