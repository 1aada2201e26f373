import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Found = Data & { kind: string; title: string; subtitle: string | null };

const search = async (client: Client, q: string) =>
  dataOf(await client.get<Found[]>(`/search?q=${encodeURIComponent(q)}`));
const namesOf = (found: readonly Found[]) => found.map(({ kind, title }) => `${kind} ${title}`);

test('search finds things of every kind by their names, whatever the case', async () => {
  const client = await server.newOrganization();
  const agent = await anAgent(client, { agentName: 'ÖLAF, reminders' });
  const campaign = await aCampaign(client, { name: 'Ölaf in spring' });
  const contact = await aContact(client, { first_name: 'Ölaf', last_name: 'Berg', email: 'berg@example.com' });
  const number = await aNumber(client, { name: 'Line of Ölaf' });
  const base = dataOf(await client.post('/rag/knowledgebases', { name: 'Ölaf answers' }));
  const call = dataOf(
    await client.post<{ call_session_id: string }>('/calls', {
      agent_id: agent.id,
      to: contact['phone'],
      contact_id: contact.id,
      phone_number_id: number.id,
    }),
  );
  const found = await search(client, ' ölAF ');
  assert.deepEqual(namesOf(found), [
    'agent ÖLAF, reminders',
    'campaign Ölaf in spring',
    'contact Ölaf Berg',
    `call Call to ${contact['phone']}`,
    `number ${number['phone']}`,
    'knowledge_base Ölaf answers',
  ]);
  assert.deepEqual(
    found.map(({ id }) => id),
    [agent.id, campaign.id, contact.id, call.call_session_id, number.id, base['knowledge_base_id']],
  );
  assert.equal(found[2]!.subtitle, `${contact['phone']} · berg@example.com`);
  assert.match(found[3]!.subtitle!, /^Ölaf Berg · /);
  for (const { id, kind } of found)
    assert.deepEqual(
      (await search(client, id)).map((one) => one.kind),
      [kind],
    );
  for (const q of ['Ölaf', agent.id, contact.id]) assert.deepEqual(await search(server, q), [], 'another organization');
});

test('search finds phone numbers however they are written', async () => {
  const org = await newCallingOrg(server);
  const phone = aPhone('00');
  await org.run([phone]);
  for (const q of [phone, phone.slice(4), `${phone.slice(0, 3)} (${phone.slice(3, 6)}) ${phone.slice(6)}`]) {
    assert.deepEqual(namesOf(await search(org.client, q)), [`contact ${phone}`, `call Call to ${phone}`], q);
  }
  assert.deepEqual(namesOf(await search(org.client, org.phone)), [`number ${org.phone}`]);
});

test('search answers the newest five of a kind, and nothing for a blank', async () => {
  const client = await server.newOrganization();
  const names = Array.from({ length: 7 }, (_, index) => `2024-0${index + 1}`);
  for (const name of names) await aCampaign(client, { name });
  const newest = names.toReversed().slice(0, 5);
  assert.deepEqual(
    namesOf(await search(client, '2024-0')),
    newest.map((name) => `campaign ${name}`),
  );
  assert.deepEqual(await search(client, ' '), []);
  assert.deepEqual(await search(client, '%'), []);
  assert.deepEqual(faultPaths(await client.get('/search')), ['q']);
  assert.deepEqual(faultPaths(await client.get('/search?q=a&q=b&kind=call')), ['kind', 'q']);
});
