// Long: it starts a process for each backup and restore.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aContact } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { createCallingOrg } from '../http/calling-support.ts';
import { runHere, scratch } from './support.ts';

const traces = ['Zwentibold', 'zwentibold', '777123400'];

test('a restore of an older backup erases again whom the installation had erased since', async (t) => {
  const data = scratch(t);
  const file = join(scratch(t), 'older.db');
  const server = await startTestServer({ data });
  const org = await createCallingOrg(server);
  const person = await aContact(server, { first_name: 'Zwentibold', phone: '+4930777123400' });
  const kept = await aContact(server, { first_name: 'Ada' });
  const ofPerson = { contact_id: person.id, to: person.phone };
  await server.post('/calls', { agent_id: org.agentId, phone_number_id: org.numberId, ...ofPerson });
  await server.advance(60_000);
  assert.equal((await runHere(t, ['backup', file, '--data', data])).code, 0);
  assert.ok(readFileSync(file).includes(traces[0]!));

  const begun = await server.post<Data & { erasure_id: string }>(`/contacts/${person.id}/erase`, {});
  const { erasure_id: id } = dataOf(begun);
  while (dataOf(await server.get(`/erasures/${id}`))['state'] !== 'done') await server.advance(0);
  await server.stop();
  const restored = await runHere(t, ['restore', file, '--data', data]);
  assert.equal(restored.code, 0, restored.err);
  for (const text of traces) assert.equal(readFileSync(join(data, 'parley.db')).includes(text), false, text);

  const again = await startTestServer({ data });
  t.after(() => again.stop());
  const client = { key: server.apiKey };
  assert.equal((await again.get(`/contacts/${person.id}`, client)).status, 404);
  assert.equal((await again.get(`/contacts/${kept.id}`, client)).status, 200);
  assert.equal(dataOf(await again.get(`/erasures/${id}`, client))['state'], 'done');
  const calls = dataOf(await again.get<Array<{ phone: string | null }> & Data>('/calls', client));
  assert.deepEqual(
    calls.map(({ phone }) => phone),
    [null],
  );
});

test('a restore also erases calls with the number of a contact that was made after the backup', async (t) => {
  const data = scratch(t);
  const file = join(scratch(t), 'older.db');
  const server = await startTestServer({ data });
  const org = await createCallingOrg(server);
  const simulate = { outcome: 'completed', transcript: [{ role: 'user', text: 'Here is Zwentibold' }] };
  for (const to of ['+4930777123400', '+4930777123500'])
    await server.post('/calls', { agent_id: org.agentId, phone_number_id: org.numberId, to, simulate });
  await server.advance(60_000);
  assert.equal((await runHere(t, ['backup', file, '--data', data])).code, 0);

  const person = await aContact(server, { first_name: 'Zwentibold', phone: '+4930777123400' });
  const begun = await server.post<Data & { erasure_id: string }>(`/contacts/${person.id}/erase`, {});
  const { erasure_id: id } = dataOf(begun);
  while (dataOf(await server.get(`/erasures/${id}`))['state'] !== 'done') await server.advance(0);
  await server.stop();
  const restored = await runHere(t, ['restore', file, '--data', data]);
  assert.equal(restored.code, 0, restored.err);
  assert.equal(readFileSync(join(data, 'parley.db')).includes('777123400'), false);

  const again = await startTestServer({ data });
  t.after(() => again.stop());
  const client = { key: server.apiKey };
  assert.equal(dataOf(await again.get(`/erasures/${id}`, client))['state'], 'done');
  const calls = dataOf(await again.get<Array<{ phone: string | null }> & Data>('/calls', client));
  assert.deepEqual(
    calls.map(({ phone }) => phone),
    ['+4930777123500', null],
  );
});

test('a restore lists the numbers again of people who opted out after the backup and were erased', async (t) => {
  const data = scratch(t);
  const file = join(scratch(t), 'older.db');
  const server = await startTestServer({ data });
  const phones = ['+4930777123400', '+4930777123500', '+4930777123600'];
  const person = await aContact(server, { first_name: 'Zwentibold', phone: phones[0] });
  const forgotten = await aContact(server, { first_name: 'Ada', phone: phones[1] });
  assert.equal((await runHere(t, ['backup', file, '--data', data])).code, 0);

  const later = await aContact(server, { first_name: 'Bo', phone: phones[2] });
  await server.post('/do-not-call', { phones });
  for (const [{ id }, keeps] of [
    [person, true],
    [forgotten, false],
    [later, true],
  ] as const) {
    const begun = await server.post<Data & { erasure_id: string }>(`/contacts/${id}/erase`, {
      keep_do_not_call: keeps,
    });
    while (dataOf(await server.get(`/erasures/${dataOf(begun).erasure_id}`))['state'] !== 'done')
      await server.advance(0);
  }
  await server.stop();
  const restored = await runHere(t, ['restore', file, '--data', data]);
  assert.equal(restored.code, 0, restored.err);

  const again = await startTestServer({ data });
  t.after(() => again.stop());
  const listed = dataOf(await again.get<Array<{ phone: string }> & Data>('/do-not-call', { key: server.apiKey }));
  assert.deepEqual(listed.map(({ phone }) => phone).toSorted(), [phones[0], phones[2]]);
});
