import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { aDesk, aReceiver, type Call, conflictOf, type Desk, isoAt, newDesk, nowOf, since } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const nobody = '01990000-0000-7000-8000-00000000ffff';
type CallData = Call & Data;

const post = (client: Client, body: unknown) => client.post<CallData>('/calls', body);
/** Places a call and waits until all jobs due now have run. */
async function place(desk: Desk, to: string, over: object = {}): Promise<Call> {
  const call = dataOf(await post(desk.client, { agent_id: desk.agentId, to, from: desk.phone, ...over }));
  await server.advance(0);
  return call;
}
const read = async (desk: Desk, call: Call): Promise<Call> =>
  dataOf(await desk.client.get<CallData>(`/calls/${call.call_session_id}`));
const hangUp = (desk: Desk, call: Call) => desk.client.post<CallData>(`/calls/${call.call_session_id}/hangup`);

// Placing.

test('a call goes through its states: dialing, ringing, in_progress, ended', async () => {
  const desk = await newDesk(server);
  const start = nowOf(server);
  const call = await place(desk, aPhone('00'));
  assert.deepEqual(
    [call.state, call.status, call.campaign_id, call.contact_id, call.attempt],
    ['dialing', null, null, null, 1],
  );
  assert.deepEqual([call.started_at, call.answered_at, call.ended_at], [isoAt(start), null, null]);
  assert.deepEqual([call['caller_name'], call['caller_email'], call.metadata], [null, null, {}]);
  assert.equal((await read(desk, call)).state, 'ringing');
  await server.advance(5000);
  assert.equal((await read(desk, call)).state, 'in_progress');
  await server.advance(30_000);
  const ended = await read(desk, call);
  assert.deepEqual([ended.state, ended.status, ended.duration_sec], ['ended', 'completed', 30]);
  assert.deepEqual([since(start, ended.answered_at), since(start, ended.ended_at)], [5, 35]);
});

test('the caller number can be given as phone, as id, or as both if they agree', async () => {
  const desk = await newDesk(server);
  const other = await aNumber(desk.client);
  const body = { agent_id: desk.agentId, to: aPhone('02') };
  for (const number of [
    { from: desk.phone },
    { phone_number_id: desk.numberId },
    { from: desk.phone, phone_number_id: desk.numberId },
  ]) {
    assert.equal(dataOf(await post(desk.client, { ...body, ...number }))['caller_number'], desk.phone);
  }
  const both = ['from', 'phone_number_id'];
  assert.deepEqual(faultPaths(await post(desk.client, body)), both);
  assert.deepEqual(faultPaths(await post(desk.client, { ...body, from: desk.phone, phone_number_id: other.id })), both);
});

test('all missing fields and unknown references of a call are reported at once', async () => {
  const desk = await newDesk(server);
  assert.deepEqual(faultPaths(await post(desk.client, {})), ['agent_id', 'to']);
  const stranger = await newDesk(server);
  const theirs = await aContact(stranger.client);
  const released = await aNumber(desk.client);
  dataOf(await desk.client.del(`/phone-numbers/${released.phone}/release/`));
  for (const [body, paths] of [
    [{ agent_id: nobody, from: '+4930999999', contact_id: nobody }, ['agent_id', 'contact_id', 'from']],
    [
      { agent_id: stranger.agentId, phone_number_id: stranger.numberId, contact_id: theirs.id },
      ['agent_id', 'contact_id', 'phone_number_id'],
    ],
    [{ agent_id: desk.agentId, from: released.phone, phone_number_id: released.id }, ['from', 'phone_number_id']],
    [{ agent_id: 'x', from: 'x', phone_number_id: nobody }, ['agent_id', 'from', 'phone_number_id']],
  ] as const) {
    assert.deepEqual(faultPaths(await post(desk.client, { to: aPhone(), ...body })), paths);
  }
  const good = { agent_id: desk.agentId, from: desk.phone };
  for (const to of ['030 12345', '+', '+999123456789', 'anonymous', '', null, 49]) {
    assert.deepEqual(faultPaths(await post(desk.client, { ...good, to })), ['to'], String(to));
  }
  for (const metadata of ['x', [], null]) {
    assert.deepEqual(faultPaths(await post(desk.client, { ...good, to: aPhone(), metadata })), ['metadata']);
  }
  assert.deepEqual(faultPaths(await post(desk.client, { ...good, to: aPhone(), campaign_id: nobody })), [
    'campaign_id',
  ]);
  assert.deepEqual(await desk.calls(), []);
});

test('a call that cannot be placed now is refused with every reason', async () => {
  const desk = await newDesk(server);
  dataOf(await desk.client.patch(`/phone-numbers/${desk.numberId}`, { max_concurrent: 1 }));
  await place(desk, aPhone('00'));
  const to = aPhone('00');
  dataOf(await desk.client.post('/do-not-call', { phone: to }));
  const agent = await anAgent(desk.client, { status: 'INACTIVE' });
  const body = { agent_id: agent.id, to, from: desk.phone };
  const message = conflictOf(await post(desk.client, body));
  for (const reason of [/INACTIVE/, /do-not-call/, /all its 1 lines/]) assert.match(message, reason);
  const flagged = await aContact(desk.client, { do_not_call: true });
  const toFlagged = { ...body, agent_id: desk.agentId, to: aPhone('00'), contact_id: flagged.id };
  assert.match(conflictOf(await post(desk.client, toFlagged)), /do-not-call/);
  await server.advance(60_000);
  assert.match(conflictOf(await post(desk.client, { ...body, agent_id: desk.agentId })), /^[^.]*do-not-call[^.]*\.$/);
  assert.equal((await desk.calls()).length, 1);
});

test('a number whose contact is flagged do_not_call is refused like a listed one, whichever contact_id is given', async () => {
  const desk = await newDesk(server);
  const to = aPhone('00');
  const flagged = await aContact(desk.client, { phone: to, do_not_call: true });
  const housemate = await aContact(desk.client, { phone: to });
  const body = { agent_id: desk.agentId, to, from: desk.phone };
  const message = conflictOf(await post(desk.client, body));
  assert.equal(conflictOf(await post(desk.client, { ...body, contact_id: housemate.id })), message);
  dataOf(await desk.client.patch(`/contacts/${flagged.id}`, { do_not_call: false }));
  dataOf(await desk.client.post('/do-not-call', { phone: to }));
  assert.equal(conflictOf(await post(desk.client, body)), message);
  assert.deepEqual(await desk.calls(), []);
});

test('a queued call is not dialed if its contact is flagged do_not_call while it waits', async () => {
  const desk = await newDesk(server);
  dataOf(await desk.client.patch(`/phone-numbers/${desk.numberId}`, { max_cps: 1 }));
  const contact = await aContact(desk.client);
  await place(desk, aPhone('00'));
  const queued = await place(desk, contact.phone!);
  dataOf(await desk.client.patch(`/contacts/${contact.id}`, { do_not_call: true }));
  await server.advance(60_000);
  const { status, error_message: reason } = await read(desk, queued);
  assert.equal(status, 'failed');
  assert.match(reason!, /do-not-call/);
});

test('the organization’s limit of concurrent calls also holds for single calls', async (t) => {
  const small = await startTestServer({ settings: { 'limits.organization.max_concurrent': '1' } });
  t.after(() => small.stop());
  const desk = await newDesk(small);
  const other = await aNumber(desk.client);
  dataOf(await post(desk.client, { agent_id: desk.agentId, to: aPhone('00'), from: desk.phone }));
  const second = { agent_id: desk.agentId, to: aPhone('00'), from: other.phone };
  assert.match(conflictOf(await post(desk.client, second)), /organization has all its 1 lines/);
  await small.advance(60_000);
  assert.equal((await post(desk.client, second)).status, 200);
});

test('calls placed faster than the calls-per-second limit wait as queued', async () => {
  const desk = await newDesk(server);
  dataOf(await desk.client.patch(`/phone-numbers/${desk.numberId}`, { max_cps: 1 }));
  const start = nowOf(server);
  const calls: Call[] = [];
  for (const suffix of ['02', '00', '00', '00', '00']) calls.push(await place(desk, aPhone(suffix)));
  assert.deepEqual(
    calls.map(({ state, started_at: startedAt }) => [state, startedAt]),
    [['dialing', isoAt(start)], ...calls.slice(1).map(() => ['queued', null])],
  );
  dataOf(await hangUp(desk, calls[2]!));
  dataOf(await desk.client.post('/do-not-call', { phone: calls[3]!.phone }));
  await server.advance(60_000);
  const ended = await Promise.all(calls.map((call) => read(desk, call)));
  assert.deepEqual(
    ended.map((call) => [call.status, call.started_at === null ? null : since(start, call.started_at)]),
    [
      ['busy', 0],
      ['completed', 1],
      ['no_answer', null],
      ['failed', null],
      ['completed', 4],
    ],
  );
  assert.match(ended[3]!.error_message!, /do-not-call/);
});

test('a queued call is not dialed if its agent became INACTIVE or its number was released', async () => {
  const desk = await newDesk(server);
  dataOf(await desk.client.patch(`/phone-numbers/${desk.numberId}`, { max_cps: 1 }));
  for (let one = 0; one < 3; one += 1) await place(desk, aPhone('00'));
  dataOf(await desk.client.put(`/agents/${desk.agentId}`, { status: 'INACTIVE' }));
  await server.advance(1000);
  dataOf(await desk.client.put(`/agents/${desk.agentId}`, { status: 'ACTIVE' }));
  dataOf(await desk.client.del(`/phone-numbers/${desk.phone}/release/`));
  await server.advance(60_000);
  const [first, second, third] = await desk.calls();
  assert.equal(first!.status, 'completed', 'live calls end normally');
  assert.deepEqual([second!.status, second!.disconnect_reason], ['failed', 'error']);
  assert.match(second!.error_message!, /ACTIVE/);
  assert.match(third!.error_message!, /released/);
  const number = await aNumber(desk.client, { phone: desk.phone });
  assert.equal((await post(desk.client, { agent_id: desk.agentId, to: aPhone(), from: number.phone })).status, 200);
});

/** Five single calls at two a second, then a stop of the server; the calls as they are a minute after the next start. */
async function queuedWhileStopped(t: TestContext, nextStart: string): Promise<Call[]> {
  const data = mkdtempSync(join(tmpdir(), 'parley-queued-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const first = await startTestServer({ data, testClock: '2026-03-02T09:00:00Z' });
  const before = await aDesk(first);
  dataOf(await first.patch(`/phone-numbers/${before.numberId}`, { max_cps: 2 }));
  const body = { agent_id: before.agentId, to: aPhone('02'), from: before.phone };
  for (let one = 0; one < 5; one += 1) dataOf(await first.post('/calls', body));
  await first.stop();
  const second = await startTestServer({ data, testClock: nextStart });
  t.after(() => second.stop());
  await second.advance(60_000);
  return dataOf(await second.get<Call[]>('/calls')).toReversed();
}

test('queued calls that fell due while the server was stopped are dialed at the normal pace, not all at once', async (t) => {
  const calls = await queuedWhileStopped(t, '2026-03-02T09:00:30Z');
  assert.deepEqual(
    calls.map((call) => call.started_at),
    [
      '2026-03-02T09:00:00.000Z',
      '2026-03-02T09:00:30.000Z',
      '2026-03-02T09:00:30.500Z',
      '2026-03-02T09:00:31.000Z',
      '2026-03-02T09:00:31.500Z',
    ],
  );
});

test('queued calls whose turn was a minute ago are not dialed any more', async (t) => {
  const [dialed, ...waited] = await queuedWhileStopped(t, '2026-03-02T10:00:00Z');
  assert.equal(dialed!.status, 'busy');
  for (const { status, started_at, error_message } of waited) {
    assert.deepEqual([status, started_at], ['failed', null]);
    assert.match(error_message!, /could not be handed to the carrier within 60 s of its turn/);
  }
});

test('metadata comes back in the call and in its event, byte for byte', async (t) => {
  const receiver = await aReceiver(t);
  const desk = await newDesk(server, { agent: { webhook_url: receiver.url } });
  const contact = await aContact(desk.client, { first_name: 'Ada', email: 'ada@example.com' });
  const metadata = { crmId: 7, nested_Key: { 'Ünïcode key': [1, null, 'x'] }, __proto: true, empty: {}, n: 1.5 };
  const call = await place(desk, aPhone('00'), { metadata, contact_id: contact.id });
  assert.deepEqual(call.metadata, metadata);
  await server.advance(60_000);
  assert.deepEqual((await read(desk, call)).metadata, metadata);
  const [event] = receiver.events;
  assert.deepEqual(event!.data.metadata, metadata);
  assert.deepEqual(
    [event!.data.contact_id, event!.data['caller_name'], event!.data['caller_email'], event!.data.campaign_id],
    [contact.id, 'Ada', 'ada@example.com', null],
  );
});

// Hanging up.

test('hanging up before the answer ends a call as no_answer', async (t) => {
  const receiver = await aReceiver(t);
  const desk = await newDesk(server, { agent: { webhook_url: receiver.url } });
  const start = nowOf(server);
  const call = await place(desk, aPhone('00'));
  await server.advance(3000);
  const ended = dataOf(await hangUp(desk, call));
  assert.deepEqual(
    [ended.state, ended.status, ended.disconnect_reason, ended.duration_sec, ended.answered_at],
    ['ended', 'no_answer', null, 0, null],
  );
  assert.equal(since(start, ended.ended_at), 3);
  await server.advance(60_000);
  assert.deepEqual(await read(desk, call), ended, 'what the carrier says later changes nothing');
  assert.deepEqual(
    receiver.events.map(({ data }) => data.status),
    ['no_answer'],
  );
});

test('hanging up an answered call completes it with disconnect_reason agent_hangup', async () => {
  const desk = await newDesk(server);
  const call = await place(desk, aPhone('00'));
  await server.advance(17_000);
  const ended = dataOf(await hangUp(desk, call));
  assert.deepEqual(
    [ended.state, ended.status, ended.disconnect_reason, ended.duration_sec],
    ['ended', 'completed', 'agent_hangup', 12],
  );
  await server.advance(60_000);
  assert.deepEqual(await read(desk, call), ended);
  const { callStats } = dataOf(await desk.client.get(`/agents/${desk.agentId}`));
  assert.deepEqual(callStats, { totalCalls: 1, completedCalls: 1 });
});

test('a call that has ended cannot be hung up', async () => {
  const desk = await newDesk(server);
  const call = await place(desk, aPhone('02'));
  await server.advance(5000);
  assert.match(conflictOf(await hangUp(desk, call)), /ended/);
  const second = await place(desk, aPhone('00'));
  dataOf(await hangUp(desk, second));
  conflictOf(await hangUp(desk, second));
  assert.equal((await desk.client.post(`/calls/${nobody}/hangup`)).status, 404);
  assert.equal((await desk.client.post('/calls/nonsense/hangup')).status, 404);
});

test('a call hung up after its answer has what was said until then, also in its event', async (t) => {
  const receiver = await aReceiver(t);
  const desk = await newDesk(server, { agent: { webhook_url: receiver.url } });
  const call = await place(desk, aPhone('00'));
  await server.advance(5000 + 13_000); // it rings for 5 s, and of its five lines, one each 6 s, three are said
  const ended = dataOf(await hangUp(desk, call));
  await server.advance(0);
  assert.equal(receiver.events.length, 1);
  for (const data of [ended, receiver.events[0]!.data]) {
    assert.equal(data.transcripts.length, 3);
    assert.match(String(data['summary']), /hung up before/);
    assert.equal(data['cost_total'], 0.0195);
    assert.equal(typeof data['call_latency_ms'], 'number');
    assert.deepEqual([data.status, data.disconnect_reason, data.duration_sec], ['completed', 'agent_hangup', 13]);
  }
});

test('hanging up releases capacity at once', async () => {
  const desk = await newDesk(server);
  dataOf(await desk.client.patch(`/phone-numbers/${desk.numberId}`, { max_concurrent: 1 }));
  const call = await place(desk, aPhone('08'));
  const body = { agent_id: desk.agentId, to: aPhone('00'), from: desk.phone };
  conflictOf(await post(desk.client, body));
  dataOf(await hangUp(desk, call));
  assert.equal((await post(desk.client, body)).status, 200);
});

test('hanging up a campaign’s call sets its contact’s outcome and lets the next contact be called', async () => {
  const desk = await newDesk(server);
  const { id } = await desk.run([aPhone('00'), aPhone('00')], { schedule: { maxConcurrent: 1 } });
  await server.advance(20_000);
  const [call] = await desk.calls();
  dataOf(await hangUp(desk, call!));
  await server.advance(0);
  const [first, second] = await desk.contacts(id);
  assert.deepEqual([first!.status, first!.call_duration_sec, second!.status], ['completed', 15, 'in_progress']);
  assert.deepEqual((await desk.stats(id)).contacted, 1);
});

// Reading.

test('calls are listed newest first, by agent, campaign, contact and status, alone and together', async () => {
  const desk = await newDesk(server);
  const second = await anAgent(desk.client);
  const contact = await aContact(desk.client, { phone: aPhone('02') });
  const { id: campaignId } = await desk.campaign();
  dataOf(await desk.client.post(`/campaigns/${campaignId}/contacts`, { contact_ids: [contact.id] }));
  await desk.patch(campaignId, { status: 'active' });
  const [inCampaign] = await desk.calls();
  const single = await place(desk, aPhone('00'));
  const toContact = await place(desk, aPhone('02'), { contact_id: contact.id, agent_id: second.id });
  await server.advance(60_000);
  const ids = async (query: string) => {
    const { body } = await desk.client.get<Call[]>(`/calls${query}`);
    assert.equal(body.meta.total, query.includes('limit') ? 3 : body.data.length);
    return body.data.map((call) => call.call_session_id);
  };
  const [a, b, c] = [inCampaign!, single, toContact].map((call) => call.call_session_id);
  assert.deepEqual(await ids(''), [c, b, a]);
  assert.deepEqual(await ids('?limit=1&offset=1'), [b]);
  assert.deepEqual(await ids(`?agent_id=${desk.agentId}`), [b, a]);
  assert.deepEqual(await ids(`?agent_id=${second.id}`), [c]);
  assert.deepEqual(await ids(`?campaign_id=${campaignId}`), [a]);
  assert.deepEqual(await ids(`?contact_id=${contact.id}`), [c, a]);
  assert.deepEqual(await ids('?status=busy'), [c, a]);
  assert.deepEqual(await ids('?status=completed'), [b]);
  assert.deepEqual(await ids(`?status=busy&contact_id=${contact.id}&agent_id=${second.id}`), [c]);
  assert.deepEqual(await ids(`?campaign_id=${nobody}`), []);
  for (const [query, path] of [
    ['status=ringing', 'status'],
    ['agent_id=x', 'agent_id'],
    ['campaign_id=', 'campaign_id'],
    ['state=ended', 'state'],
  ] as const) {
    assert.deepEqual(faultPaths(await desk.client.get(`/calls?${query}`)), [path]);
  }
});

test('a call is found by its id in upper or lower case, and by no other id', async () => {
  const desk = await newDesk(server);
  const call = await place(desk, aPhone('00'));
  assert.equal((await desk.client.get(`/calls/${call.call_session_id.toUpperCase()}`)).status, 200);
  assert.equal((await desk.client.get(`/calls/${nobody}`)).status, 404);
  assert.equal((await desk.client.get('/calls/nonsense')).status, 404);
});

test('a contact on the phone cannot be deleted, in a campaign or not', async () => {
  const desk = await newDesk(server);
  const contact = await aContact(desk.client);
  const call = await place(desk, aPhone('00'), { contact_id: contact.id });
  assert.match(conflictOf(await desk.client.del(`/contacts/${contact.id}`)), /phone/);
  await server.advance(60_000);
  dataOf(await desk.client.del(`/contacts/${contact.id}`));
  assert.equal((await read(desk, call)).contact_id, null);
});

test('the agent’s counters count ended calls by outcome', async () => {
  const desk = await newDesk(server);
  for (const suffix of ['00', '01', '02', '03', '04', '05', '09']) await place(desk, aPhone(suffix));
  const stats = async () => dataOf(await desk.client.get(`/agents/${desk.agentId}`))['callStats'];
  assert.deepEqual(await stats(), {});
  await server.advance(60_000);
  assert.deepEqual(await stats(), {
    totalCalls: 7,
    completedCalls: 2,
    failedCalls: 2,
    noAnswerCalls: 1,
    busyCalls: 1,
    voicemailCalls: 1,
  });
});
