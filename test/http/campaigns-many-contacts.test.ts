// Long: its requests have thousands of contacts.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { aContact, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { type AddedContacts, type CallingOrg, newCallingOrg } from './calling-support.ts';
import { afterInsert, failOnInsert } from '../support/both-stores.ts';

/* Requests with more contacts than one transaction adds. */

const server = await startTestServer();
after(() => server.stop());
const { db } = server.running.app;

const join = (org: CallingOrg, id: string, body: unknown) =>
  org.client.post<AddedContacts & Data>(`/campaigns/${id}/contacts`, body);
const contacts = (count: number): object[] => Array.from({ length: count }, () => ({ phone: aPhone() }));

const storedParts = async (): Promise<number> => {
  await server.running.runner.settled();
  const { rows } = await sql<{ parts: number }>`SELECT count(*) AS parts FROM campaign_joins`.execute(db);
  return rows[0]!.parts;
};

const totals = async (org: CallingOrg, id: string) => ({
  inCampaign: (await org.client.get(`/campaigns/${id}/contacts?limit=1`)).body.meta.total,
  inOrganization: (await org.client.get('/contacts?limit=1')).body.meta.total,
  events: dataOf(await org.client.get<Array<{ type: string; detail: unknown }>>(`/campaigns/${id}/events`)).filter(
    ({ type }) => type === 'contacts_added',
  ),
  audited: (await org.client.get('/audit?operation=addCampaignContacts&limit=1')).body.meta.total,
});

test('all contacts of a large request join, in its order, and those that are skipped keep their index', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const known = await Promise.all(Array.from({ length: 130 }, () => aContact(org.client)));
  const metadata = '{"exact":1.0,"long":12345678901234567890,"text":{"text":"x"}}';
  const last = aPhone();
  const sent = [...contacts(299), { first_name: 'Phoneless' }];
  const texts = [...sent.map((contact) => JSON.stringify(contact)), `{"phone":"${last}","metadata":${metadata}}`];
  const ids = known.map((contact) => contact.id);
  const answer = await join(org, id, `{"contact_ids":${JSON.stringify(ids)},"contacts":[${texts.join(',')}]}`);
  assert.deepEqual(dataOf(answer), { added: 130 + 300, skipped: [{ index: 299, reason: 'has no phone' }] });

  const listed = await org.contacts(id);
  const phones = [
    ...known.map((contact) => contact['phone']),
    ...sent.slice(0, 299).map((one) => (one as Data)['phone']),
    last,
  ];
  assert.deepEqual(
    listed.map(({ phone }) => phone),
    phones,
  );
  const made = await org.client.get(`/contacts/${listed.at(-1)!.contact_id}`);
  assert.ok(made.text.includes(`"metadata":${metadata}`), made.text);
  const joined = await totals(org, id);
  assert.deepEqual(
    joined.events.map(({ detail }) => detail),
    [{ added: 430, skipped: 1 }],
  );
  assert.equal(joined.audited, 1);
  assert.equal(await storedParts(), 0);
});

for (const [moment, what] of Object.entries({
  'while its parts are stored': { table: 'campaign_joins', when: 'NEW.part = 2' },
  'when it is decided': { table: 'campaign_contacts' },
})) {
  test(`nothing stays of a large request that fails ${moment}`, async (t) => {
    const org = await newCallingOrg(server);
    const { id } = await org.campaign();
    const before = await totals(org, id);
    await failOnInsert(t, db, what);
    const answer = await join(org, id, { contacts: contacts(900) });
    assert.equal(answer.status, 500, answer.text);
    assert.deepEqual(await totals(org, id), before);
    assert.deepEqual(await org.stats(id), { ...(await org.stats(id)), total: 0, pending: 0 });
    assert.equal(await storedParts(), 0);
  });
}

test('a large request whose parts were discarded before it decided adds nobody', async (t) => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const before = await totals(org, id);
  await afterInsert(
    t,
    db,
    { table: 'campaign_joins', when: 'NEW.part = 3' },
    'DELETE FROM campaign_joins WHERE part = 0;',
  );
  const answer = await join(org, id, { contacts: contacts(900) });
  assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE']);
  assert.deepEqual(await totals(org, id), before);
  assert.equal(await storedParts(), 0);
});

test('contacts of a large request that was decided join even if adding one part fails at first', async (t) => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const endFault = await failOnInsert(t, db, { table: 'campaign_contacts', when: 'NEW.position > 300' });
  const answer = await join(org, id, { contacts: contacts(500) });
  assert.equal(answer.status, 500);
  await endFault();
  await server.advance(3_600_000);
  assert.equal((await totals(org, id)).inCampaign, 500);
  assert.equal(await storedParts(), 0);
});

test('a large request is repeated by its Idempotency-Key without adding anybody again', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const body = { contacts: contacts(1000) };
  const headers = { 'idempotency-key': 'many' };
  const path = `/campaigns/${id}/contacts`;
  const [first, again] = [
    await org.client.post(path, body, { headers }),
    await org.client.post(path, body, { headers }),
  ];
  assert.equal(first.text, again.text);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const { inCampaign, audited } = await totals(org, id);
  assert.deepEqual([inCampaign, audited], [1000, 1]);
});

test('others are answered while a request adds 5,000 contacts', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  let isDone = false;
  const joining = join(org, id, { contacts: contacts(5000) }).finally(() => (isDone = true));
  const seen = new Set<number>();
  while (!isDone) seen.add(dataOf(await server.get<{ now: string } & Data>('/test-clock')) ? seen.size : 0);
  assert.equal(dataOf(await joining)['added'], 5000);
  assert.ok(seen.size > 20, `${seen.size} requests were answered meanwhile`);
});

test('the parts of a large request are stored in different turns of the event loop', async (t) => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  let turn = 0;
  let isDone = false;
  const countTurns = (): void => {
    turn += 1;
    if (!isDone) setImmediate(countTurns);
  };
  const storedIn: number[] = [];
  const note = () => void storedIn.push(turn);
  subscribe('parley:join.stored', note);
  t.after(() => unsubscribe('parley:join.stored', note));
  countTurns();
  dataOf(await join(org, id, { contacts: contacts(2000) }).finally(() => (isDone = true)));
  assert.equal(storedIn.length, 15);
  assert.equal(new Set(storedIn).size, storedIn.length, String(storedIn));
});

test('a campaign that is deleted while its contacts join takes no more of them', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const joining = join(org, id, { contacts: contacts(5000) });
  let total = 0;
  while (total === 0) total = (await org.client.get(`/campaigns/${id}/contacts?limit=1`)).body.meta.total;
  dataOf(await org.client.del(`/campaigns/${id}`));
  const answer = await joining;
  if (total < 5000) assert.equal(answer.status, 404, answer.text);
  assert.equal(await storedParts(), 0);
  const { rows } = await sql<{
    left: number;
  }>`SELECT count(*) AS left FROM campaign_contacts WHERE campaign_id = ${id}`.execute(db);
  assert.equal(rows[0]!.left, 0);
});
