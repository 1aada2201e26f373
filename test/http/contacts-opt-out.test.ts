import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aCampaign, aContact, anAgent, aNumber } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

type State = { may_be_called: boolean; on_list: boolean; opted_out: boolean; since: string; reason: string; by: Data };
const stateOf = async (id: string): Promise<State> =>
  dataOf(await server.get(`/contacts/${id}`))['do_not_call_state'] as State;

const callable = { may_be_called: true, on_list: false, opted_out: false, since: null, reason: null, by: null };

test('an opt-out is an operation of its own, says since when, why and by whom, and stays when it is repeated', async () => {
  const { id } = await aContact(server);
  assert.deepEqual(await stateOf(id), callable);
  const contact = dataOf(await server.put(`/contacts/${id}/do-not-call`, { reason: 'Asked us' }));
  const state = contact['do_not_call_state'] as State;
  assert.deepEqual([contact['do_not_call'], contact.version], [true, 1]);
  assert.deepEqual(
    [state.may_be_called, state.opted_out, state.on_list, state.reason],
    [false, true, false, 'Asked us'],
  );
  assert.equal(state.by['name'], 'First admin key');
  await server.advance(1000);
  await server.put(`/contacts/${id}/do-not-call`, { reason: 'Another' });
  await server.patch(`/contacts/${id}`, { company: 'Engines' });
  assert.deepEqual(await stateOf(id), state);
  const lifted = dataOf(await server.del(`/contacts/${id}/do-not-call`));
  assert.deepEqual(lifted['do_not_call_state'], callable);
  assert.equal((await server.del(`/contacts/${id}/do-not-call`)).status, 200);
  assert.equal((await server.put(`/contacts/${crypto.randomUUID()}/do-not-call`, {})).status, 404);
});

test('an opt-out by PATCH is in the audit log and is no version, so a page that was open before can be saved', async () => {
  const { id } = await aContact(server);
  const opted = dataOf(await server.patch(`/contacts/${id}`, { do_not_call: true }));
  assert.deepEqual([opted['do_not_call'], opted.version], [true, 1]);
  const [entry] = dataOf(await server.get<Data[]>('/audit?operation=updateContact&limit=1'));
  assert.deepEqual(entry!['changes'], [{ field: 'do_not_call', before: false, after: true }]);
  const saved = await server.patch(`/contacts/${id}`, { company: 'Engines' }, { headers: { 'if-match': '"1"' } });
  assert.deepEqual([dataOf(saved)['do_not_call'], dataOf(saved).version], [true, 2]);
});

test('a page that saves what it changed does not undo an opt-out, and nobody is called', async () => {
  const [agent, number, contact] = [await anAgent(server), await aNumber(server), await aContact(server)];
  const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
  await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
  await server.put(`/contacts/${contact.id}/do-not-call`, {});
  const saved = await server.patch(
    `/contacts/${contact.id}`,
    { company: 'Engines' },
    { headers: { 'if-match': '"1"' } },
  );
  assert.deepEqual([saved.status, dataOf(saved)['do_not_call']], [200, true]);
  await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' });
  await server.advance(120_000);
  assert.deepEqual(dataOf(await server.get(`/calls?contact_id=${contact.id}`)), []);
});

test('list and flag are one answer, and the older of the two says since when', async () => {
  const first = await aContact(server);
  const second = await aContact(server, { phone: first['phone'] });
  await server.put(`/contacts/${first.id}/do-not-call`, { reason: 'Asked us' });
  await server.advance(1000);
  await server.post('/do-not-call', { phone: first['phone'], reason: 'Bought list' });
  for (const id of [first.id, second.id]) {
    const { may_be_called: may, on_list: onList, opted_out: optedOut, reason } = await stateOf(id);
    assert.deepEqual([may, onList, optedOut, reason], [false, true, true, 'Asked us']);
  }
  await server.del(`/contacts/${first.id}/do-not-call`);
  const left = await stateOf(first.id);
  assert.deepEqual(
    [left.may_be_called, left.on_list, left.opted_out, left.reason],
    [false, true, false, 'Bought list'],
  );
  assert.equal(left.by['name'], 'First admin key');
  const listed = dataOf(await server.get<Data[]>('/contacts/')).find(({ id }) => id === second.id);
  assert.deepEqual(listed!['do_not_call_state'], left);
});

test('campaign contacts and calls show who may be called now, as contacts do', async () => {
  const [agent, number, contact] = [await anAgent(server), await aNumber(server), await aContact(server)];
  const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
  await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
  await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' });
  await server.advance(3_600_000);
  const shown = async (): Promise<unknown[]> => {
    const calls = dataOf(await server.get<Data[]>(`/calls?contact_id=${contact.id}`));
    const call = dataOf(await server.get(`/calls/${String(calls[0]!['call_id'])}`));
    const members = dataOf(await server.get<Data[]>(`/campaigns/${campaign.id}/contacts`));
    return [...calls, call, ...members].map((each) => each['do_not_call_state']);
  };
  assert.deepEqual(await shown(), [callable, callable, callable]);
  await server.post('/do-not-call', { phone: contact['phone'], reason: 'Bought list' });
  const state = await stateOf(contact.id);
  assert.equal(state.on_list, true);
  assert.deepEqual(await shown(), [state, state, state]);
});

test('contacts are listed by whether they may be called, with a search and page by page, too', async () => {
  const organization = { company: crypto.randomUUID() };
  const [free, flagged, listed, shared] = [
    await aContact(server, organization),
    await aContact(server, { ...organization, do_not_call: true }),
    await aContact(server, organization),
    await aContact(server, { company: organization.company.slice(0, 2) }),
  ];
  await server.patch(`/contacts/${shared.id}`, { phone: flagged['phone'], company: organization.company });
  await server.post('/do-not-call', { phone: listed['phone'] });
  const found = async (query: string) =>
    dataOf(await server.get<Data[]>(`/contacts?q=${organization.company}&${query}`)).map(({ id }) => id);
  assert.deepEqual(await found('may_be_called=true'), [free.id]);
  assert.deepEqual(await found('may_be_called=false'), [shared.id, listed.id, flagged.id]);
  assert.deepEqual(await found('may_be_called=false&limit=2&offset=2'), [flagged.id]);
  for (const mayBeCalled of [true, false]) {
    const all = dataOf(await server.get<Data[]>(`/contacts?limit=100&may_be_called=${mayBeCalled}`));
    assert.ok(all.every((contact) => (contact['do_not_call_state'] as State).may_be_called === mayBeCalled));
    assert.equal(
      all.some(({ id }) => id === free.id),
      mayBeCalled,
    );
  }
  assert.equal((await server.get('/contacts?may_be_called=perhaps')).status, 400);
});
