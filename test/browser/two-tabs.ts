import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { aCampaign, aContact, anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { openPage, startDashboard } from './dashboard.ts';

/** Every field of every form, opened in two tabs and saved in both: no value is lost, whoever saves first. */

const { server, visit } = await startDashboard();

/** Where a form is, and the button that opens it. */
type Place = { path: string; edit?: string };

async function aCampaignPlace(): Promise<Place> {
  const [agent, number] = [await anAgent(server, { agentName: 'Kim' }), await aNumber(server)];
  const schedule = { windowStart: '09:00', windowEnd: '17:00' };
  const { id } = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id, schedule });
  return { path: `/campaigns/${id}?tab=settings` };
}

/** There is one; it gets other values than the tabs will type. */
async function anOrganizationPlace(): Promise<Place> {
  const hours = { start: '07:00', end: '20:00', days: [1, 2, 3, 4, 5, 6, 7] };
  const limits = { max_per_day: 3, max_per_week: 9, min_gap_min: 30 };
  const texts = { name: 'Praxis', timezone: 'UTC', notification_emails: ['praxis@example.com'] };
  dataOf(await server.patch('/organization', { ...texts, contact_limits: limits, guard_hours: hours }));
  return { path: '/system' };
}

async function aNumberPlace(): Promise<Place> {
  const { phone } = await aNumber(server, { name: 'Main', sip_username: 'main', sip_password: 'secret' });
  return { path: '/numbers', edit: `Edit ${phone}` };
}

async function aBasePlace(): Promise<Place> {
  const made = dataOf(await server.post('/rag/knowledgebases', { name: 'Help' }));
  return { path: `/knowledge/${String(made['knowledge_base_id'])}` };
}

const anAgentPlace = async (tab: string): Promise<Place> => {
  const { id } = await anAgent(server, {
    agentName: 'Robin',
    prompt: 'Greet.',
    webhookUrls: ['https://example.com/hook'],
  });
  return { path: `/agents/${id}?tab=${tab}` };
};

const forms: Readonly<Record<string, () => Promise<Place>>> = {
  'agent, bench': () => anAgentPlace('bench'),
  'agent, settings': () => anAgentPlace('settings'),
  'agent, knowledge': () => anAgentPlace('knowledge'),
  'agent, webhooks': () => anAgentPlace('webhooks'),
  contact: async () => ({ path: `/contacts/${(await aContact(server, { first_name: 'Ada' })).id}` }),
  campaign: aCampaignPlace,
  number: aNumberPlace,
  'knowledge base': aBasePlace,
  organization: anOrganizationPlace,
};

type Field = { label: string; kind: string; value: string; options: string[] };

/** In the page: the fields of the form that “Save” belongs to. */
const fieldsScript = `(() => {
  const scope = document.querySelector('dialog[open]') ?? document.querySelector('main');
  const form = [...scope.querySelectorAll('form')].find((each) =>
    [...each.querySelectorAll('button[type=submit]')].some((button) => button.textContent.trim() === 'Save'));
  return [...form.querySelectorAll('input, select, textarea')]
    .filter((field) => field.checkVisibility() && !field.disabled && field.labels?.[0])
    .filter((field) => field === (field.closest('fieldset')?.querySelector('input') ?? field)) // the first box of a field of many
    .map((field) => ({
      label: field.labels[0].textContent.trim(),
      kind: field.localName === 'input' ? field.type : field.localName,
      value: field.type === 'checkbox' ? String(field.checked) : field.value,
      options: [...(field.options ?? [])].map(({ value }) => value),
    }));
})()`;

/** What is typed where any text will not do, by the label: in the one tab, and in the other. */
const typed: ReadonlyArray<readonly [RegExp, readonly [string, string]]> = [
  [/^Phone$|^Transfers go to$|^Emergency fallback$/, ['+4930901801', '+4930901802']],
  [/^E-mail$|^Notices go to$/, ['a@example.com', 'b@example.com']],
  [/zone$|^Days and hours in$/i, ['Europe/Paris', 'Europe/Rome']],
  [/^Opens at$|^Not before$/, ['08:00', '08:30']],
  [/^Closes at$|^Not after$/, ['18:00', '18:30']],
  [/^Starts on$/, ['2026-04-01T09:00', '2026-04-02T09:00']],
  [/^Ends on$/, ['2026-05-01T09:00', '2026-05-02T09:00']],
  [/^Temperature$/, ['0.3', '0.5']],
  [/\((?:minutes|seconds)\)$/, ['20', '25']],
  [/^Termination URI$/, ['one.example.com', 'two.example.com']],
  [/^Webhook URL/, ['https://example.com/one', 'https://example.com/two']],
];

/** Not shown again once it is saved, or only possible beside another choice. */
const leftOut = /^SIP password$|^Register with the trunk$|^Carrier$|^For how many contacts$|^\+/;

function valueFor({ label, kind, value, options }: Field, tab: 0 | 1): string {
  if (kind === 'checkbox') return value === 'true' ? 'false' : 'true';
  if (kind === 'select') {
    const others = options.filter((option) => option !== '' && option !== value);
    return others[Math.min(tab, others.length - 1)] ?? value;
  }
  const known = typed.find(([pattern]) => pattern.test(label))?.[1][tab];
  return known ?? (kind === 'number' ? String(4 + tab) : `${value} ${tab === 0 ? 'one' : 'two'}`.trim());
}

const formOf = (page: Page): Locator =>
  page
    .locator('form')
    .filter({ has: page.getByRole('button', { name: 'Save', exact: true }) })
    .last();

async function fill(page: Page, { label, kind }: Field, value: string): Promise<void> {
  const field = formOf(page).getByLabel(label, { exact: true });
  if (kind === 'checkbox') await field.setChecked(value === 'true');
  else if (kind === 'select') await field.selectOption(value);
  else await field.fill(value);
}

async function openForm(page: Page, { path, edit }: Place): Promise<Field[]> {
  await openPage(page, server.url + path);
  if (edit !== undefined) await page.getByRole('button', { name: edit, exact: true }).click();
  await formOf(page).waitFor();
  const fields = await page.evaluate<Field[]>(fieldsScript);
  return fields.filter(({ label }) => !leftOut.test(label));
}

const save = (page: Page) => formOf(page).getByRole('button', { name: 'Save', exact: true }).click();
const conflictOn = (page: Page): Locator => page.getByRole('alert').filter({ hasText: 'has changed this' });

type Tab = { page: Page; write(fields: readonly Field[]): Promise<void> };

/** Opens the form in two tabs of two people; the second has seen nothing of what the first saves. */
async function twoTabs(place: Place): Promise<{ fields: Field[]; tabs: [Tab, Tab] }> {
  const pages = [(await visit({})).page, (await visit({})).page];
  const [fields] = await Promise.all(pages.map((page) => openForm(page, place)));
  const tabs = pages.map((page, tab): Tab => ({
    page,
    async write(some) {
      for (const field of some) await fill(page, field, valueFor(field, tab as 0 | 1));
    },
  }));
  return { fields: fields!, tabs: tabs as [Tab, Tab] };
}

/** What the form shows to somebody who opens it now. */
async function expectStored(page: Page, place: Place, wanted: ReadonlyMap<string, string>): Promise<void> {
  const stored = await openForm(page, place);
  const shown = stored.filter(({ label }) => wanted.has(label)).map(({ label, value }) => [label, value]);
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(wanted));
}

async function saveFirst({ page }: Tab): Promise<void> {
  await save(page);
  await page.getByText('Saved.').first().waitFor({ state: 'attached' });
}

for (const [form, make] of Object.entries(forms)) {
  for (const first of [0, 1] as const) {
    test(`different fields of the form of ${form}, tab ${first + 1} first: all are kept`, async () => {
      const place = await make();
      const { fields, tabs } = await twoTabs(place);
      assert.ok(fields.length > 0);
      if (fields.length < 2) return; // the same field is another test's
      const shares = [0, 1].map((tab) => fields.filter((_, index) => index % 2 === tab));
      const second = first === 0 ? 1 : 0;
      for (const tab of [0, 1]) await tabs[tab]!.write(shares[tab]!);
      await saveFirst(tabs[first]);
      await save(tabs[second].page);
      await conflictOn(tabs[second].page).waitFor();
      await save(tabs[second].page);
      await conflictOn(tabs[second].page).waitFor({ state: 'detached' });
      const wanted = fields.map((field, index) => [field.label, valueFor(field, (index % 2) as 0 | 1)] as const);
      await expectStored(tabs[first].page, place, new Map(wanted));
    });
  }

  test(`the same fields of the form of ${form}: each stands as it was chosen`, async () => {
    const place = await make();
    const { fields, tabs } = await twoTabs(place);
    const wanted = new Map(fields.map((field, index) => [field.label, valueFor(field, (index % 2) as 0 | 1)]));
    for (const tab of tabs) await tab.write(fields);
    await saveFirst(tabs[0]);
    const { page } = tabs[1];
    await save(page);
    const rows = conflictOn(page).locator('tbody').getByRole('row');
    await conflictOn(page).waitFor();
    for (let left = await rows.count(); left > 0; left--) {
      const label = await rows.first().locator('th, td').first().innerText();
      const at = fields.findIndex((field) => field.label === label);
      const name = at % 2 === 1 ? 'Use mine' : 'Keep theirs';
      await rows.first().getByRole('button', { name, exact: true }).click();
      await rows.nth(left - 1).waitFor({ state: 'detached' });
    }
    await save(page);
    await conflictOn(page).waitFor({ state: 'detached' });
    await expectStored(tabs[0].page, place, wanted);
  });
}
