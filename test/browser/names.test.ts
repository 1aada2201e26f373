import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { aCampaign } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { openPage, startDashboard, type Visit } from './dashboard.ts';
import { serveRecording } from './recorded-call.ts';
import { fillWorld, plainTexts } from './world.ts';

/** The names by which people, screen readers and scripts find what is on the pages: whole, and once on a page unless rows repeat them. */

type Scope = Page | Locator;
type Role = Parameters<Page['getByRole']>[0];
type Names = Partial<Record<Role, readonly string[]>> & { field?: readonly string[]; text?: readonly string[] };

const { server, visit } = await startDashboard();
const world = await fillWorld(server, plainTexts, after);
const { campaign, contact, call, agent, base, delivery } = world.ids;
const draft = await aCampaign(server, { name: 'Empty draft' });

/** Fails unless each name is there once in its role; a field has a label, of whatever role. */
async function expectNames(scope: Scope, names: Names): Promise<void> {
  for (const [role, wanted] of Object.entries(names)) {
    for (const name of wanted) {
      const found =
        {
          field: () => scope.getByLabel(name, { exact: true }),
          text: () => scope.getByText(name, { exact: true }),
        }[role] ?? (() => scope.getByRole(role as Role, { name, exact: true }));
      await found().first().waitFor({ state: 'attached' });
      assert.equal(await found().count(), 1, `${role} “${name}”`);
    }
  }
}

const figures = ['Calls today', 'Answer rate', 'Goals met', 'Minutes', 'Cost'];
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const agentFields = ['Name', 'Prompt', 'First message'];

/** By path: what an admin finds. */
const pages: Readonly<Record<string, Names>> = {
  '/': {
    heading: ['Overview'],
    figure: ['The day by hour'],
    list: ['On the phone'],
    table: ['Campaigns'],
    text: figures,
  },
  '/campaigns': { heading: ['Campaigns'], link: ['New campaign'], table: ['Campaigns'] },
  '/campaigns/new': {
    heading: ['New campaign'],
    textbox: ['Name'],
    combobox: ['Agent', 'Caller number', 'Time zone'],
    field: ['Opens at', 'Closes at'],
    checkbox: days,
    spinbutton: ['Calls at a time', 'Calls per second', 'Retries', 'Minutes between retries'],
    figure: ['Forecast'],
    button: ['Save draft'],
  },
  [`/campaigns/${draft.id}`]: {
    heading: ['Empty draft'],
    button: ['Import contacts'],
    list: ['Before it can start'],
    tab: ['Live', 'Contacts', 'Settings', 'History'],
  },
  [`/campaigns/${campaign}`]: {
    button: ['Import contacts', 'Redial the unreached'],
    link: ['Export results'],
    tab: ['Live', 'Contacts', 'Settings', 'History'],
    table: ['Outcomes'],
    figure: ['Outcomes over time'],
    meter: ['Calls in flight'],
    rowheader: ['Waiting', 'On the phone', 'Completed', 'No answer', 'Failed', 'Total'],
    text: ['Goals met', 'Reply'],
  },
  [`/campaigns/${campaign}?tab=contacts`]: { table: ['Contacts'], button: ['Save this view'] },
  [`/campaigns/${campaign}?tab=history`]: { table: ['History'] },
  '/contacts': {
    heading: ['Contacts'],
    searchbox: ['Search contacts'],
    link: ['Import'],
    button: ['New contact', 'Save this view'],
    columnheader: ['Do not call'],
  },
  '/contacts/import': { heading: ['Import contacts'], field: ['CSV file'] },
  [`/contacts/${contact}`]: {
    text: ['May be called'],
    button: ['Do not call again', 'Call now'],
    region: ['When does it ring?'],
  },
  '/calls': {
    heading: ['Calls'],
    combobox: ['State', 'Outcome', 'Agent', 'Campaign'],
    field: ['From', 'To'],
    button: ['Save this view'],
    link: ['CSV'],
    columnheader: ['Campaign', 'Outcome', 'Goal', 'Cost'],
  },
  [`/calls/${call}`]: {
    heading: ['Call to +4930901800', 'Where the time went'],
    region: ['Outcome'],
    list: ['Transcript'],
    table: ['Timeline'],
  },
  '/agents': { heading: ['Agents'], link: ['New agent', 'Spring'], table: ['Agents'] },
  '/agents/new': {
    heading: ['New agent'],
    textbox: [...agentFields, 'Webhook URL 1'],
    combobox: ['Model', 'Voice', 'Status'],
    button: ['Add a URL', 'Save'],
  },
  [`/agents/${agent}`]: {
    heading: ['Spring'],
    textbox: [...agentFields, 'Say something'],
    combobox: ['Model', 'Voice'],
    button: ['Send test event', 'Try a call', 'Talk to this agent', 'Send', 'Start over', 'Save'],
    tab: ['Bench', 'Settings', 'Knowledge and calendar', 'Webhooks', 'Versions'],
    region: ['Conversation'],
  },
  [`/agents/${agent}?tab=settings`]: { combobox: ['Status'], button: ['Save'] },
  [`/agents/${agent}?tab=webhooks`]: {
    textbox: ['Webhook URL 1'],
    button: ['Add a URL', 'Reveal secret', 'Rotate secret', 'Save'],
  },
  [`/agents/${agent}?tab=versions`]: { table: ['Versions'] },
  '/live': {
    figure: ['The day by hour'],
    list: ['On the phone'],
    button: ['Full screen'],
    text: [...figures, 'Simulated: no telephone rings'],
  },
  '/analytics': {
    heading: ['Analytics'],
    group: ['Span'],
    combobox: ['Agent', 'Campaign', 'Version'],
    figure: ['Answer and goal rate', 'When people answer', 'How fast it replies'],
    table: ['Which version', 'By campaign'],
    link: ['CSV'],
  },
  '/knowledge': { heading: ['Knowledge'], button: ['New knowledge base'] },
  [`/knowledge/${base}`]: { table: ['Sources'], button: ['Add sources', 'Ask'], textbox: ['Question'] },
  '/numbers': { heading: ['Numbers'], button: ['Import a number'], table: ['Numbers'] },
  '/calendar': { heading: ['Calendar'] },
  '/deliveries': {
    heading: ['Deliveries'],
    table: ['Endpoints', 'Deliveries'],
    button: ['Resume', 'Send failed again'],
  },
  [`/deliveries/${delivery}`]: {
    heading: ['Delivery'],
    table: ['Attempts'],
    button: ['Send again', 'Copy as curl'],
  },
  '/do-not-call': { heading: ['Do not call'], textbox: ['Phone'], button: ['Add'] },
  '/people': { heading: ['People and keys'], table: ['People', 'API keys'], button: ['Invite a person', 'New key'] },
  '/audit': { heading: ['Audit'], combobox: ['Thing', 'Who', 'What'], table: ['Audit'] },
  '/system': { heading: ['System', 'Last backup', 'Checks'], text: ['Version', 'Queue'], table: ['Checks'] },
  '/account': { heading: ['Account'] },
};

const nameOf = (path: string): string => path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}');

describe('pages have the names by which people find what they need', () => {
  let visited: Visit;
  before(async () => void (visited = await visit({ path: '/account' })));
  for (const [path, names] of Object.entries(pages)) {
    test(nameOf(path), async () => {
      const { page, expectQuiet } = visited;
      await openPage(page, server.url + path);
      await expectNames(page.getByRole('main'), names);
      const heading = await page.getByRole('heading', { level: 1 }).innerText();
      assert.equal(await page.title(), `${heading} · parley`);
      expectQuiet();
    });
  }
});

test('the shell has the same names on every page', async () => {
  const { page, person } = await visit({ role: 'member', path: '/campaigns' });
  await expectNames(page, { banner: [''], main: [''], navigation: ['Main'], link: ['Skip to the content'] });
  assert.equal(await page.locator('[aria-live=polite]').count(), 1);
  const banner = page.getByRole('banner');
  await expectNames(banner, {
    text: ['Simulated: no telephone rings'],
    button: ['Search or go to', 'Stop all calling', 'Keyboard shortcuts', person.email],
    combobox: ['Times in'],
  });
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  await banner.getByRole('button', { name: person.email, exact: true }).click();
  const menu = page.getByRole('menu');
  await expectNames(menu, { menuitem: ['Account', 'Log out'], menuitemradio: ['System', 'Light', 'Dark'] });
});

test('the palette finds pages, things and actions', async () => {
  dataOf(await server.patch(`/campaigns/${draft.id}/`, { name: 'Autumn' }));
  const { page } = await visit({ role: 'member', path: '/account' });
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search or go to', exact: true });
  const field = dialog.getByRole('combobox', { name: 'Search or go to', exact: true });
  assert.equal(await dialog.getByRole('combobox').count(), 1);
  for (const [typed, found] of [
    ['deliv', 'Deliveries'],
    ['autumn', 'Autumn'],
    ['stop', 'Stop all calling'],
  ] as const) {
    await field.fill(typed);
    await dialog
      .getByRole('option', { name: new RegExp(`^${found}`) })
      .first()
      .waitFor();
  }
});

test('a call with a recording has its player', async () => {
  const { page } = await visit({ path: '/account' });
  await serveRecording(page, server, call);
  await openPage(page, `${server.url}/calls/${call}`);
  const recording = page.getByRole('region', { name: 'Recording', exact: true });
  await expectNames(recording, { button: ['Play'], combobox: ['Speed'], checkbox: ['Skip silence'] });
  await expectNames(page.getByRole('main'), { table: ['Where the time went'] });
});

/** Opens a dialog by its button and answers it. */
async function dialogOf(page: Page, opener: Locator, name: string): Promise<Locator> {
  await opener.click();
  const dialog = page.getByRole('dialog', { name, exact: true });
  await dialog.waitFor();
  return dialog;
}

test('dialogs have the names of what opens them', async () => {
  const { page } = await visit({ path: '/account' });
  const open = async (path: string, button: string, names: Names, title = button): Promise<void> => {
    await openPage(page, server.url + path);
    const opener = page.getByRole('main').getByRole('button', { name: button, exact: true }).first();
    await expectNames(await dialogOf(page, opener, title), names);
  };
  await open(`/agents/${agent}`, 'Try a call', {
    combobox: ['Call from'],
    textbox: ['Number to call'],
    button: ['Call'],
  });
  await open('/numbers', 'Import a number', { textbox: ['Phone', 'Name', 'Termination URI'], button: ['Import'] });
  await open('/knowledge', 'New knowledge base', { textbox: ['Name'], button: ['Create'] });
  await open(`/knowledge/${base}`, 'Add sources', {
    tab: ['Text', 'Web pages', 'Files'],
    textbox: ['Title', 'Text'],
    button: ['Add'],
  });
  await open('/contacts', 'New contact', {
    textbox: ['First name', 'Last name', 'Phone', 'E-mail', 'Company', 'Time zone'],
    button: ['Save'],
  });
  await open(`/campaigns/${draft.id}`, 'Import contacts', { field: ['CSV file'], button: ['Import'] });
  await open(`/campaigns/${campaign}?tab=contacts`, 'Why?', {}, 'Why is +4930901800 not called now?');
  const [number] = dataOf(await server.get<Array<{ phone: string }>>('/phone-numbers'));
  await open('/numbers', `Edit ${number!.phone}`, {
    textbox: ['Name', 'Termination URI'],
    combobox: ['Answers incoming calls', 'Carrier', 'Form of called numbers', 'From of outgoing calls'],
    checkbox: ['Register with the trunk'],
    button: ['Check', 'Save'],
  });
});
