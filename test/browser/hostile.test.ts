import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataOf } from '../support/server.ts';
import { expectNoSidewaysScroll, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

const markup = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
const bidi = '\u202Egnirts desrever\u202C \u2066مرحبا\u2069 👩‍👩‍👧‍👦';
const long = 'x'.repeat(10_000);

test('hostile text in every field is shown as text, and no page grows wider than a phone', async () => {
  const number = dataOf(
    await server.post('/phone-numbers/import', {
      phone: '+4930901820',
      name: `${markup}${bidi}`.slice(0, 100),
      termination_uri: 'sip.example.com',
    }),
  );
  const models = dataOf(
    await server.get<Array<{ llmModel: string; voices: Array<{ id: string }> }>>('/available-llm-models/with-voices'),
  );
  const name = `${markup} ${bidi}`;
  const agent = dataOf(
    await server.post('/agents/', {
      agentName: name,
      model: models[0]!.llmModel,
      voiceId: models[0]!.voices[0]!.id,
      prompt: markup + bidi + long,
      firstMessage: markup,
    }),
  );
  const metadata = { [markup]: markup, long, bidi };
  const contact = dataOf(
    await server.post('/contacts/', { first_name: markup, last_name: bidi, phone: '+4930901800', metadata }),
  );
  dataOf(await server.post(`/contacts/${contact.id}/notes`, { content: `${markup}${bidi}${long.slice(0, 5000)}` }));
  const campaign = dataOf(
    await server.post('/campaigns/', { name, agentId: agent.id, phoneNumberId: number.id, schedule: {} }),
  );
  const tags = [markup.slice(0, 50)];
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts: [{ phone: '+4930901801', tags }] }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] }));
  const call = dataOf(
    await server.post<{ call_id: string }>('/calls', {
      agent_id: agent.id,
      phone_number_id: number.id,
      to: '+4930901800',
      contact_id: contact.id,
      metadata,
    }),
  );
  await server.advance(120_000);
  const { page, problems } = await visit({ width: 320 });
  for (const path of [
    '/agents',
    `/agents/${agent.id}`,
    '/numbers',
    '/campaigns',
    `/campaigns/${campaign.id}`,
    '/campaigns/new',
    '/contacts',
    `/contacts/${contact.id}`,
    '/calls',
    `/calls/${call.call_id}`,
  ]) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: '…' }).waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    assert.match(await page.title(), /· parley$/, path);
    assert.equal(await page.locator('main img, main script').count(), 0, path);
    await expectNoSidewaysScroll(page);
  }
  assert.deepEqual(problems, []);
});

test('hostile names of columns and cells of a file are shown as text', async () => {
  const { page, expectQuiet } = await visit({ path: '/contacts/import', width: 320 });
  const buffer = Buffer.from(`"${markup.replaceAll('"', '""')}",Phone,__proto__\n${bidi},+4930901803,${long}\n`);
  await page.getByLabel('CSV file', { exact: true }).setInputFiles({ name: 'evil.csv', mimeType: 'text/csv', buffer });
  await page.getByText('1 of 1 rows can be imported', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: `Column ${markup}`, exact: true }).waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
  await expectNoSidewaysScroll(page);
  expectQuiet();
});
