// Long: it makes more than a page of everything.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { everythingOf } from '../../src/features/privacy/everything.ts';
import { everythingJson } from '../../src/features/privacy/everything-wire.ts';
import { aContact } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const dayMs = 86_400_000;
const server = await startTestServer({ settings: { 'calls.retention_days': '10', 'webhooks.retention_days': '60' } });
after(() => server.stop());

type Known = Record<'notes' | 'calls' | 'deliveries' | 'changes' | 'campaigns' | 'import_rows', Data[]> & Data;
const everything = async (client: Client, id: string): Promise<Known> =>
  dataOf(await client.get<Known>(`/contacts/${id}/everything`));
const ids = (rows: readonly Data[]): string[] => rows.map((row) => row['id'] ?? row['call_id']);

test('more than a page of notes, changes, campaigns and calls is told once each, the newest first', async () => {
  const { client, agentId, numberId, run } = await newCallingOrg(server);
  const contact = await aContact(client, { first_name: 'Ada' });
  const call = { agent_id: agentId, phone_number_id: numberId, to: contact.phone };
  const [ofContact, ofNumber, notes]: string[][] = [[], [], []];
  for (let index = 0; index < 60; index++) {
    const { id } = dataOf(await client.post(`/contacts/${contact.id}/notes`, { content: `Note ${index}` }));
    notes!.unshift(id);
    await client.patch(`/contacts/${contact.id}`, { company: `Company ${index}` });
  }
  for (let index = 0; index < 52; index++) {
    const made = dataOf(await client.post('/calls', { ...call, contact_id: contact.id }));
    ofContact!.unshift(String(made['call_session_id']));
    await server.advance(120_000);
    if (index % 4 === 0) await run([{ phone: contact.phone! }]);
    await server.advance(120_000);
  }
  for (let index = 0; index < 52; index++) {
    ofNumber!.unshift(String(dataOf(await client.post('/calls', call))['call_session_id']));
    await server.advance(120_000);
  }
  const all = await everything(client, contact.id);
  assert.deepEqual(ids(all.notes), notes);
  assert.deepEqual(
    all.changes.filter(({ operation }) => operation === 'updateContact').map(({ changes }) => changes),
    Array.from({ length: 60 }, (_, index) => [
      { field: 'company', before: index === 59 ? null : `Company ${58 - index}`, after: `Company ${59 - index}` },
    ]),
  );
  assert.equal(all.campaigns.length, 13);
  const told = ids(all.calls);
  assert.equal(new Set(told).size, 52 + 13 + 52);
  assert.equal(told.length, 52 + 13 + 52);
  const dialed = told.slice(0, 65);
  assert.deepEqual(dialed, dialed.toSorted().toReversed());
  assert.ok(ofContact!.every((id) => dialed.includes(id)));
  assert.deepEqual(told.slice(65), ofNumber);
});

test('deliveries are told also when their calls have been deleted, and those of others are not', async () => {
  const { client, agentId, numberId } = await newCallingOrg(server);
  await client.put(`/agents/${agentId}`, { webhook_urls: ['http://127.0.0.1:9/closed'] });
  const [contact, other] = [await aContact(client), await aContact(client)];
  for (const { id, phone } of [contact, other]) {
    await client.post('/calls', { agent_id: agentId, phone_number_id: numberId, contact_id: id, to: phone });
    await server.advance(120_000);
  }
  const before = await everything(client, contact.id);
  assert.deepEqual([before.calls.length, before.deliveries.length], [1, 1]);
  await server.advance(12 * dayMs);
  const later = await everything(client, contact.id);
  assert.deepEqual([later.calls.length, ids(later.deliveries)], [0, ids(before.deliveries)]);
});

test('everything is made a row at a time, and is whole JSON with the envelope of every answer', async () => {
  const { client, agentId, numberId } = await newCallingOrg(server);
  const contact = await aContact(client);
  const transcript = Array.from({ length: 50 }, () => ({ role: 'user', text: 'x'.repeat(1000) }));
  const call = { agent_id: agentId, phone_number_id: numberId, contact_id: contact.id, to: contact.phone };
  for (let index = 0; index < 8; index++) {
    const { status, text } = await client.post('/calls', { ...call, simulate: { outcome: 'completed', transcript } });
    assert.equal(status, 200, text);
    await server.advance(600_000);
  }
  const parts: number[] = [];
  const { app } = server.running;
  for await (const part of everythingJson(await everythingOf(app, client.orgId, contact.id))) parts.push(part.length);
  assert.equal(parts.filter((length) => length > 50_000).length, 8);
  assert.ok(Math.max(...parts) < 60_000, String(Math.max(...parts)));
  const response = await fetch(`${server.url}/api/v1/contacts/${contact.id}/everything`, {
    headers: { 'x-api-key': client.apiKey },
  });
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  const { success, message, data } = (await response.json()) as { success: boolean; message: string; data: Known };
  assert.deepEqual([success, message, data.calls.length], [true, 'Everything fetched.', 8]);
});
