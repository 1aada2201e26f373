// Long: it plays more than a year.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aContact, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { type CallingOrg, isoAt, newCallingOrg, nowOf } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Cause = { code: string; at: string; by: { name: string | null } | null; reason: string | null };
type Why = { status: string | null; reasons: string[]; reason_codes: string[]; cause: Cause | null };

const why = ({ client }: CallingOrg, campaignId: string, contactId: string) =>
  client.get<Why>(`/campaigns/${campaignId}/contacts/${contactId}/why`);
const whyOf = async (...asked: Parameters<typeof why>): Promise<Why> => dataOf(await why(...asked));
const join = (org: CallingOrg, campaignId: string, ids: readonly string[]) =>
  org.client.post(`/campaigns/${campaignId}/contacts`, { contact_ids: ids });
const optOut = (org: CallingOrg, id: string) => org.client.put(`/contacts/${id}/do-not-call`, { reason: 'Asked us' });

test('a contact that opted out before its call is told who opted it out, since when and why, whatever happens later', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const contacts = [await aContact(org.client), await aContact(org.client)];
  await join(
    org,
    id,
    contacts.map((contact) => contact.id),
  );
  const state = dataOf(await optOut(org, contacts[0]!.id))['do_not_call_state'] as Data & { since: string };
  await server.advance(60_000);
  await org.client.post('/do-not-call', { phone: contacts[1]!['phone'] });
  await org.patch(id, { status: 'active' });
  await server.advance(60_000);
  const told = await whyOf(org, id, contacts[0]!.id);
  assert.deepEqual(
    [told.status, told.reason_codes, told.cause],
    [
      'cancelled',
      ['do_not_call', 'final_status'],
      { code: 'do_not_call', at: state.since, by: state['by'], reason: 'Asked us' },
    ],
  );
  assert.notEqual(told.cause!.by?.name, null);
  await org.client.del(`/contacts/${contacts[0]!.id}/do-not-call`);
  await server.advance(400 * 86_400_000);
  const later = await whyOf(org, id, contacts[0]!.id);
  assert.deepEqual([later.status, later.reason_codes, later.cause], [told.status, told.reason_codes, told.cause]);
  const listed = await whyOf(org, id, contacts[1]!.id);
  assert.deepEqual([listed.cause!.code, listed.cause!.reason], ['do_not_call', null]);
});

test('a removal, a lost phone and a deletion are told as what they are', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const people = await Promise.all(Array.from({ length: 4 }, () => aContact(org.client)));
  await join(
    org,
    id,
    people.map((contact) => contact.id),
  );
  const [removed, bulk, lost, deleted] = (await org.contacts(id)).map(({ id: own, contact_id: contactId, phone }) => ({
    own,
    contactId: contactId!,
    phone,
  }));
  await org.client.del(`/campaigns/${id}/contacts/${removed!.contactId}`);
  await org.client.post(`/campaigns/${id}/contacts/remove`, { status: ['pending'], q: bulk!.phone });
  await org.client.patch(`/contacts/${lost!.contactId}`, { phone: null });
  await org.client.del(`/contacts/${deleted!.contactId}`);
  const causes = await Promise.all([removed, bulk, lost, deleted].map((each) => whyOf(org, id, each!.own)));
  assert.deepEqual(
    causes.map(({ status, cause }) => [status, cause!.code, cause!.by !== null]),
    [
      ['cancelled', 'removed', true],
      ['cancelled', 'removed', true],
      ['cancelled', 'no_phone', false],
      ['cancelled', 'contact_deleted', false],
    ],
  );
  await org.client.del(`/contacts/${removed!.contactId}`);
  const { cause } = await whyOf(org, id, removed!.own);
  assert.deepEqual([cause!.code, cause!.by], ['removed', null], 'the name goes with the contact');
});

test('contacts of a completed campaign are told who completed it, those of one that ended that it did', async () => {
  const org = await newCallingOrg(server);
  const contact = await aContact(org.client);
  const schedule = { windowStart: '01:00', windowEnd: '02:00' };
  const completed = await org.run([{ phone: String(contact['phone']) }], { schedule });
  await org.patch(completed.id, { status: 'completed' });
  const end = isoAt(nowOf(server) + 3_600_000);
  const ended = await org.run([{ phone: String(contact['phone']) }], { schedule: { ...schedule, end } });
  const byPerson = await whyOf(org, completed.id, contact.id);
  assert.deepEqual([byPerson.status, byPerson.cause!.code], ['expired', 'campaign_completed']);
  assert.notEqual(byPerson.cause!.by, null);
  assert.equal((await whyOf(org, ended.id, contact.id)).cause, null);
  await server.advance(3_600_000);
  const byTime = await whyOf(org, ended.id, contact.id);
  assert.deepEqual(
    [byTime.status, byTime.cause],
    ['expired', { code: 'campaign_ended', at: end, by: null, reason: null }],
  );
});

test('a contact that had opted out when its campaign was completed is told the opt-out, which came first', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const [before, later] = [await aContact(org.client), await aContact(org.client)];
  await join(org, id, [before.id, later.id]);
  await optOut(org, before.id);
  await server.advance(1000);
  await org.patch(id, { status: 'completed' });
  await server.advance(1000);
  await optOut(org, later.id);
  const told = await whyOf(org, id, before.id);
  assert.deepEqual([told.status, told.reason_codes], ['expired', ['do_not_call', 'final_status']]);
  assert.equal(told.cause!.reason, 'Asked us');
  assert.equal((await whyOf(org, id, later.id)).cause!.code, 'campaign_completed');
});

test('it can be asked for 30 days why a join or an import left a contact out', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const [joining, imported, silent] = [
    await aContact(org.client),
    await aContact(org.client),
    await aContact(org.client, { phone: null }),
  ];
  await optOut(org, joining.id);
  await optOut(org, imported.id);
  assert.equal((await why(org, id, joining.id)).status, 404);
  await join(org, id, [joining.id, silent.id]);
  const csv = `phone\n${String(imported['phone'])}\n${aPhone()}`;
  dataOf(await org.client.post(`/campaigns/${id}/contacts/import`, csv, { headers: { 'content-type': 'text/csv' } }));
  for (const contact of [joining, imported]) {
    const told = await whyOf(org, id, contact.id);
    assert.deepEqual(
      [told.status, told.reason_codes, told.cause!.code, told.cause!.reason],
      [null, ['do_not_call'], 'do_not_call', 'Asked us'],
    );
  }
  assert.deepEqual((await whyOf(org, id, silent.id)).reason_codes, ['no_phone']);
  await server.advance(29 * 86_400_000);
  assert.equal((await why(org, id, joining.id)).status, 200);
  await server.advance(86_400_000);
  assert.equal((await why(org, id, joining.id)).status, 404);
  dataOf(await org.client.del(`/campaigns/${id}`));
});

test('a contact that joins later is told its present state, not why it was left out before', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const contact = await aContact(org.client);
  await optOut(org, contact.id);
  await join(org, id, [contact.id]);
  await org.client.del(`/contacts/${contact.id}/do-not-call`);
  await join(org, id, [contact.id]);
  const told = await whyOf(org, id, contact.id);
  assert.deepEqual([told.status, told.cause], ['pending', null]);
});
