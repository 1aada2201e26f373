import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { aCampaign } from '../support/fixtures.ts';
import { type Data, dataOf } from '../support/server.ts';
import { expectAccessible, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

const button = (scope: Page | Locator, name: string): Locator => scope.getByRole('button', { name, exact: true });
const textbox = (scope: Page | Locator, name: string): Locator => scope.getByRole('textbox', { name, exact: true });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true, level: 1 });
const openTab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();
const choose = (scope: Page | Locator, name: string, label: string): Promise<string[]> =>
  scope.getByRole('combobox', { name, exact: true }).selectOption({ label });

const csv = [
  'First name,Phone,Team',
  'Ada,+4930901800,north',
  'Grace,+4930901803,south',
  'Nobody,not a number,south',
].join('\n');

test('a person imports a number, makes an agent, tries it on a call, and reads the call', async () => {
  const { page, expectQuiet } = await visit({ path: '/numbers' });
  await button(page, 'Import a number').click();
  const importing = page.getByRole('dialog', { name: 'Import a number', exact: true });
  await textbox(importing, 'Phone').fill('+4930901820');
  await textbox(importing, 'Termination URI').fill('sip.example.com');
  await button(importing, 'Import').click();
  await page.getByRole('table', { name: 'Numbers', exact: true }).getByText('+4930901820').waitFor();
  await page.getByRole('status').getByText('The number is imported.').waitFor({ state: 'attached' });

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('link', { name: 'New agent', exact: true }).click();
  await heading(page, 'New agent').waitFor();
  await textbox(page, 'Name').fill('Reception');
  await choose(page, 'Model', 'parley-demo');
  await choose(page, 'Voice', 'Jonas (de-DE)');
  await textbox(page, 'Prompt').fill('You answer the telephone.');
  await textbox(page, 'Webhook URL 1').fill('http://127.0.0.1:9/hook');
  await button(page, 'Add a URL').click();
  await textbox(page, 'Webhook URL 2').fill('http://127.0.0.1:9/second');
  await button(page, 'Save').click();
  await heading(page, 'Reception').waitFor();
  await textbox(page, 'First message').fill('Hello!');
  await button(page, 'Save').click();
  await page.getByRole('status').getByText('Saved.').waitFor({ state: 'attached' });
  const { data } = (await server.get<Array<Record<string, unknown>>>('/agents/')).body;
  assert.deepEqual(data[0]!['webhookUrls'], ['http://127.0.0.1:9/hook', 'http://127.0.0.1:9/second']);
  assert.equal(data[0]!['firstMessage'], 'Hello!');

  await button(page, 'Send test event').click();
  await page.getByRole('status').getByText('2 test events are on the way.').waitFor({ state: 'attached' });
  for (const path of ['hook', 'second']) {
    const result = page.getByRole('paragraph').filter({ hasText: `See the delivery to http://127.0.0.1:9/${path}` });
    await result.getByText('Retrying', { exact: true }).waitFor();
    assert.match(await result.innerText(), /refused/i);
  }
  await openTab(page, 'Webhooks');
  await button(page, 'Reveal secret').click();
  await page.getByText(/^whsec_/).waitFor();
  await button(page, 'Try a call').click();
  const trying = page.getByRole('dialog', { name: 'Try a call', exact: true });
  await choose(trying, 'Call from', '+4930901820');
  await textbox(trying, 'Number to call').fill('+4930901800');
  await expectAccessible(page);
  await button(trying, 'Call').click();
  await heading(page, 'Call to +4930901800').waitFor();
  assert.equal(await button(page, 'Hang up').count(), 1);
  await server.advance(60_000);
  await page.getByRole('region', { name: 'Outcome', exact: true }).getByText('Goal met', { exact: true }).waitFor();
  assert.ok((await page.getByRole('list', { name: 'Transcript', exact: true }).getByRole('listitem').count()) > 1);
  assert.equal(await button(page, 'Hang up').count(), 0);
  await expectAccessible(page);
  expectQuiet();
});

test('a person makes a campaign from a file, starts it, watches it and asks why somebody is not called', async () => {
  await server.post('/phone-numbers/import', { phone: '+4930901821', termination_uri: 'sip.example.com' });
  const { page, expectQuiet } = await visit({ path: '/campaigns' });
  await page.getByRole('link', { name: 'New campaign', exact: true }).click();
  await heading(page, 'New campaign').waitFor();
  await textbox(page, 'Name').fill('Spring');
  await choose(page, 'Agent', 'Reception');
  await choose(page, 'Caller number', '+4930901821');
  await page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('Europe/Berlin');
  await page.getByLabel('Opens at', { exact: true }).fill('09:00');
  await page.getByLabel('Closes at', { exact: true }).fill('20:00');
  await page.getByRole('checkbox', { name: 'Saturday', exact: true }).check();
  await page.getByLabel('Calls at a time', { exact: true }).fill('2');
  await page.getByLabel('Retries', { exact: true }).fill('1');
  await page.getByLabel('Minutes between retries', { exact: true }).fill('30');
  await expectAccessible(page);
  await button(page, 'Save draft').click();
  await heading(page, 'Spring').waitFor();

  await button(page, 'Import contacts').click();
  const importing = page.getByRole('dialog', { name: 'Import contacts', exact: true });
  await importing
    .getByLabel('CSV file', { exact: true })
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await importing.getByText('2 of 3 rows can be imported', { exact: true }).waitFor();
  assert.equal(await importing.getByRole('combobox', { name: 'Column Phone', exact: true }).inputValue(), 'phone');
  await choose(importing, 'Column Team', 'Tags');
  await importing.getByRole('table', { name: 'First rows', exact: true }).getByText('Grace').waitFor();
  await importing.getByRole('table', { name: 'Rejected rows', exact: true }).getByText('3', { exact: true }).waitFor();
  await expectAccessible(page);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    button(importing, 'Download the rejected rows').click(),
  ]);
  assert.equal(saved.suggestedFilename(), 'rejected-rows.csv');
  const mended = readFileSync(await saved.path(), 'utf8');
  assert.match(mended, /^\uFEFFRejected because,First name,Phone,Team\r\n.*phone.*,Nobody,not a number,south\r\n$/);
  await button(importing, 'Import').click();
  const [kept] = await Promise.all([
    page.waitForEvent('download'),
    importing.getByRole('link', { name: 'Download the rejected rows', exact: true }).click(),
  ]);
  const rejected = readFileSync(await kept.path(), 'utf8');
  assert.match(rejected, /^First name,Phone,Team,reason\r\nNobody,not a number,south,.*phone.*\r\n$/);
  await expectAccessible(page);
  await button(importing, 'Close').click();
  const contacts = page.getByRole('table', { name: 'Contacts', exact: true });
  await contacts.getByText('+4930901803').waitFor();

  await button(page, 'Import contacts').click();
  await importing.getByLabel('CSV file', { exact: true }).setInputFiles({
    name: 'rejected-rows.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(mended.replace('not a number', '+4930901803')),
  });
  await importing.getByText('1 of 1 rows can be imported', { exact: true }).waitFor();
  const reasons = importing.getByRole('combobox', { name: 'Column Rejected because', exact: true });
  await reasons.locator('option:checked', { hasText: '(leave out)' }).waitFor({ state: 'attached' });
  await importing.getByLabel('CSV file', { exact: true }).setInputFiles({
    name: 'rejected.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rejected.replace('not a number', '+4930901804')),
  });
  const serverReasons = importing.getByRole('combobox', { name: 'Column reason', exact: true });
  await serverReasons.locator('option:checked', { hasText: '(leave out)' }).waitFor({ state: 'attached' });
  await button(importing, 'Cancel').click();

  await button(page, 'Start').click();
  const starting = page.getByRole('dialog', { name: 'Start calling?', exact: true });
  await starting.getByText('2 contacts can be called').waitFor();
  await expectAccessible(page);
  await button(starting, 'Start calling').click();
  await button(page, 'Pause').waitFor();
  await server.advance(180_000);
  const outcomes = page.getByRole('table', { name: 'Outcomes', exact: true });
  const outcome = (name: string, value: string): Promise<void> =>
    outcomes
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
      .getByRole('cell', { name: value, exact: true })
      .waitFor();
  await outcome('Completed', '1');
  await outcome('Waiting', '1');
  await outcome('Total', '2');
  assert.equal(await page.getByRole('meter', { name: 'Calls in flight', exact: true }).count(), 1);
  const figure = page.getByRole('figure', { name: 'Outcomes over time', exact: true });
  await figure.getByRole('table').getByRole('cell', { name: '1', exact: true }).first().waitFor();

  await openTab(page, 'Contacts');
  await contacts
    .getByRole('row')
    .filter({ hasText: '+4930901803' })
    .getByRole('button', { name: 'Why?', exact: true })
    .click();
  const why = page.getByRole('dialog', { name: 'Why is +4930901803 not called now?', exact: true });
  await why.getByRole('listitem').first().waitFor();
  assert.ok((await why.locator('time').count()) >= 1, 'the next instant');
  await page.keyboard.press('Escape');

  await button(page, 'Pause').click();
  await button(page, 'Resume').click();
  await button(page, 'Pause').waitFor();
  // The zone of the campaign is the default on its page.
  const zones = page.getByRole('combobox', { name: 'Times in', exact: true });
  assert.equal(await zones.locator('option:checked').innerText(), 'Campaign (Europe/Berlin)');
  await openTab(page, 'History');
  assert.match(page.url(), /\?tab=history$/);
  await page
    .getByRole('table', { name: 'History', exact: true })
    .getByRole('columnheader', { name: 'Time (Europe/Berlin)', exact: true })
    .waitFor();
  await server.advance(3_600_000);
  await button(page, 'Complete').waitFor({ state: 'detached' });
  for (const name of ['Start', 'Pause', 'Resume', 'Complete']) {
    assert.equal(await button(page, name).count(), 0, name);
  }
  await openTab(page, 'Contacts');
  for (const [name, start] of [
    ['Export results', 'contact_id,phone,'],
    ['CSV for Excel', '\uFEFFcontact_id;phone;'],
    ['XLSX', 'PK'],
  ] as const) {
    const [exported] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ]);
    assert.ok(readFileSync(await exported.path(), 'utf8').startsWith(start), name);
  }
  await expectAccessible(page);
  assert.equal(await button(page, 'Reopen').count(), 0, 'nobody is left to be called');
  await button(page, 'Redial the unreached').click();
  await heading(page, 'Spring (redial)').waitFor();
  expectQuiet();
});

test('a file with other headers: its phone column is found, and the country of national numbers can be typed at once', async () => {
  const agent = dataOf(await server.get<Data[]>('/agents/'))[0]!;
  const number = dataOf(await server.get<Data[]>('/phone-numbers'))[0]!;
  const campaign = await aCampaign(server, { name: 'Columns', agentId: agent.id, phoneNumberId: number.id });
  const { page, expectQuiet } = await visit({ path: `/campaigns/${campaign.id}` });
  await page.getByText('Import contacts: nobody is in this campaign yet').waitFor();
  await button(page, 'Import contacts').click();
  const importing = page.getByRole('dialog', { name: 'Import contacts', exact: true });
  const rows = Array.from({ length: 30 }, (_, at) => `${1000 + at};Ada;030 9018${String(at).padStart(2, '0')}`);
  const file = ['Kd-Nr;Vorname;Telefon (privat)', ...rows, '1040;Bob;', '1041;Cy;none'].join('\r\n');
  const picker = importing.getByLabel('CSV file', { exact: true });
  const read = (text: string) =>
    picker.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await read('Kd-Nr;Vorname\r\n1;Ada');
  await importing.getByText('No column has the phone number', { exact: false }).waitFor();
  await read(file);
  await importing.getByText('0 of 32 rows can be imported', { exact: true }).waitFor();
  await importing.getByText('Some numbers have no country code.', { exact: false }).waitFor();
  const phone = importing.getByRole('combobox', { name: 'Column Telefon (privat)', exact: true });
  assert.equal(await phone.inputValue(), 'phone');
  await importing.getByText('And 12 more rows.', { exact: true }).waitFor();
  const country = textbox(importing, 'Country of national numbers');
  await country.pressSequentially('d');
  await importing.getByRole('combobox', { name: 'Column Vorname', exact: true }).selectOption({ label: 'Company' });
  await country.press('End');
  await country.pressSequentially('e');
  await importing.getByText('30 of 32 rows can be imported', { exact: true }).waitFor();
  assert.equal(await country.inputValue(), 'de');
  const sample = importing.getByRole('table', { name: 'First rows', exact: true });
  await sample.getByText('+4930901800', { exact: true }).waitFor();
  assert.doesNotMatch(await sample.innerText(), /030 9018/);
  await importing.getByText('2 rows are rejected, 0 of the others are skipped', { exact: false }).waitFor();
  await expectAccessible(page);
  await button(importing, 'Import').click();
  await button(importing, 'Close').click();
  await page.getByRole('table', { name: 'Contacts', exact: true }).getByText('+4930901800').waitFor();
  await page.getByText('Nothing is called before you start the campaign.', { exact: true }).waitFor();
  expectQuiet();
});

test('the week of a campaign shows when contacts in other time zones are called', async () => {
  const agent = dataOf(await server.get<Data[]>('/agents/'))[0]!;
  const number = dataOf(await server.get<Data[]>('/phone-numbers'))[0]!;
  const schedule = { timezone: 'Europe/Berlin', windowStart: '09:00', windowEnd: '20:00' };
  const campaign = await aCampaign(server, { name: 'Zones', agentId: agent.id, phoneNumberId: number.id, schedule });
  const zones = ['America/New_York', 'America/New_York', 'Asia/Kolkata', undefined];
  const contacts = zones.map((timezone, at) => ({ phone: `+493090190${at}`, ...(timezone ? { timezone } : {}) }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  const { page, expectQuiet } = await visit({ path: `/campaigns/${campaign.id}?tab=settings` });
  const week = page.getByRole('figure', { name: 'The week in Europe/Berlin', exact: true });
  await week.getByText('America/New_York: 2 contacts are called from 15:00 to 02:00', { exact: true }).waitFor();
  assert.deepEqual(await week.getByRole('listitem').allInnerTexts(), [
    'America/New_York: 2 contacts are called from 15:00 to 02:00',
    'Asia/Kolkata: 1 contact is called from 04:30 to 15:30',
  ]);
  await page.getByLabel('Closes at', { exact: true }).fill('17:00');
  await page.getByText('1 change: Closes at', { exact: true }).waitFor();
  await week.getByText('Asia/Kolkata: 1 contact is called from 04:30 to 12:30', { exact: true }).waitFor();
  await expectAccessible(page);
  expectQuiet();
});

test('a person adds, changes and finds contacts', async () => {
  const { page } = await visit({ path: '/contacts' });
  await button(page, 'New contact').click();
  const adding = page.getByRole('dialog', { name: 'New contact', exact: true });
  await textbox(adding, 'First name').fill('Katherine');
  await textbox(adding, 'Phone').fill('030 901820');
  await button(adding, 'Save').click();
  await adding.locator('input[aria-invalid=true]').waitFor();
  assert.equal(await textbox(adding, 'Phone').getAttribute('aria-invalid'), 'true');
  await textbox(adding, 'Phone').fill('+49 30 9018-99');
  assert.equal(await textbox(adding, 'Phone').getAttribute('aria-invalid'), null, 'what is mended is no fault');
  await button(adding, 'Save').click();
  await heading(page, 'Katherine').waitFor();
  await textbox(page, 'Company').fill('NASA');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts', exact: true }).click();
  await button(page.getByRole('dialog', { name: 'Leave without saving?', exact: true }), 'Stay').click();
  await button(page, 'Save').click();
  await page.getByRole('status').getByText('Saved.').waitFor({ state: 'attached' });
  await textbox(page, 'New note').fill('Called back.');
  await button(page, 'Add note').click();
  await page.getByText('Called back.').last().waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search contacts', exact: true }).fill('kather');
  await page.waitForURL(/\?q=kather$/);
  await page.getByRole('link', { name: 'Katherine', exact: true }).click();
  await heading(page, 'Katherine').waitFor();
  await page.goBack();
  assert.equal(
    await page.getByRole('searchbox', { name: 'Search contacts', exact: true }).inputValue(),
    'kather',
    'Back shows what was searched for',
  );
});

test('what does not exist, and what belongs to another organization, is “Not found”', async () => {
  const other = await server.newOrganization();
  const { body } = await other.post('/contacts/', { first_name: 'Theirs' });
  const { page } = await visit({ path: '/agents' });
  for (const path of [`/contacts/${body.data.id}`, '/contacts/nonsense', '/agents/x', '/campaigns/x', '/calls/x']) {
    await page.goto(server.url + path);
    await heading(page, 'Not found').waitFor();
    assert.equal(
      await page.getByRole('main').innerText(),
      'Not found\n\nThere is nothing here, or it belongs to another organization.\n\nTo the overview',
    );
  }
});

test('a viewer sees no control that changes anything', async () => {
  const { page } = await visit({ role: 'viewer', path: '/agents' });
  await page.getByRole('link', { name: 'Reception', exact: true }).click();
  await heading(page, 'Reception').waitFor();
  for (const name of ['Save', 'Try a call', 'Reveal secret', 'Rotate secret', 'Send test event', 'Add a URL']) {
    assert.equal(await button(page, name).count(), 0, name);
  }
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('link', { name: 'Spring', exact: true }).click();
  await page.getByRole('table', { name: 'Outcomes', exact: true }).waitFor();
  await openTab(page, 'Settings');
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  for (const name of ['Redial the unreached', 'Save', 'Delete campaign']) {
    assert.equal(await button(page, name).count(), 0, name);
  }
  const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
  assert.deepEqual(
    links.filter((name) => /People|Audit/.test(name)),
    [],
  );
});
