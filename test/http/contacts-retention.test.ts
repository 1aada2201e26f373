// Long: hundreds of contacts grow old over months.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { aContact } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const dayMs = 86_400_000;
const server = await startTestServer({ settings: { 'contacts.retention_days': '30' } });
after(() => server.stop());

const isThere = async (client: Client, id: string): Promise<boolean> =>
  (await client.get(`/contacts/${id}`)).status === 200;

test('contacts that nobody used for the time go at night, with one entry in the audit log', async () => {
  const { client, agentId, numberId, run } = await newCallingOrg(server);
  const other = await server.newOrganization();
  const unused = await Promise.all(Array.from({ length: 150 }, () => aContact(client)));
  const [called, noted, joined, optedOut] = [
    await aContact(client),
    await aContact(client),
    await aContact(client),
    await aContact(client, { do_not_call: true }),
  ];
  const theirs = await aContact(other);
  await run([{ phone: joined.phone! }, '+4930777000099'], { schedule: { start: '2027-01-01T00:00:00Z' } });
  await server.advance(29 * dayMs);
  assert.equal(await isThere(client, unused[0]!.id), true);
  await client.post('/calls', {
    agent_id: agentId,
    phone_number_id: numberId,
    contact_id: called.id,
    to: called.phone,
  });
  await client.post(`/contacts/${noted.id}/notes`, { content: 'Wants tea' });
  await server.advance(3 * dayMs);
  for (const { id } of unused) assert.equal(await isThere(client, id), false);
  assert.equal(await isThere(other, theirs.id), false);
  for (const { id } of [called, noted, joined]) assert.equal(await isThere(client, id), true);
  assert.equal(await isThere(client, optedOut.id), false);
  const list = dataOf(await client.get<Array<{ phone: string }> & Data>('/do-not-call'));
  assert.deepEqual(
    list.map(({ phone }) => phone),
    [optedOut.phone],
  );
  type Entries = Array<{ target: Record<string, string> }> & Data;
  const entries = dataOf(await client.get<Entries>('/audit?operation=contacts.retention'));
  assert.deepEqual(
    entries.map(({ target }) => target),
    [{ count: '151' }],
  );
});

test('the nightly start takes organizations in portions, and misses none', async () => {
  const clients = await Promise.all(Array.from({ length: maxBatchRows + 5 }, () => server.newOrganization()));
  const contacts = await Promise.all(clients.map((client) => aContact(client)));
  await server.advance(30 * dayMs);
  const ran = await server.advance(dayMs);
  assert.equal(ran['contacts.start_deletions'], 2);
  for (const [index, client] of clients.entries()) assert.equal(await isThere(client, contacts[index]!.id), false);
});

test('an export with history has calls, campaigns and notes', async () => {
  const { client, agentId, numberId, run } = await newCallingOrg(server);
  const contact = await aContact(client, { first_name: 'Ada' });
  await client.post(`/contacts/${contact.id}/notes`, { content: 'Wants tea' });
  await client.post('/calls', {
    agent_id: agentId,
    phone_number_id: numberId,
    contact_id: contact.id,
    to: contact.phone,
  });
  await server.advance(120_000);
  await run([{ phone: contact.phone! }], { name: 'Spring' });
  await server.advance(120_000);
  const { text } = await client.get('/contacts/export?history=true');
  const [header, row] = text.split('\r\n');
  assert.match(header!, /,updated_at,call_count,last_called_at,last_outcome,calls,campaigns,notes$/);
  assert.match(
    row!,
    /,2,2026-[^,]+Z,completed,.*""summary"":.*""name"":""Spring"",""status"":""completed"".*Wants tea/,
  );
  assert.doesNotMatch((await client.get('/contacts/export')).text, /call_count/);
});
