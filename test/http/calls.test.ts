import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import {
  createCallingOrg,
  aReceiver,
  type Call,
  conflictOf,
  type CallingOrg,
  isoAt,
  newCallingOrg,
  nowOf,
  since,
} from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const nobody = '01990000-0000-7000-8000-00000000ffff';
type CallData = Call & Data;

const post = (client: Client, body: unknown) => client.post<CallData>('/calls', body);
/** Places a call and waits until all jobs due now have run. */
async function place(org: CallingOrg, to: string, over: object = {}): Promise<Call> {
  const call = dataOf(await post(org.client, { agent_id: org.agentId, to, from: org.phone, ...over }));
  await server.advance(0);
  return call;
}
const read = async (org: CallingOrg, call: Call): Promise<Call> =>
  dataOf(await org.client.get<CallData>(`/calls/${call.call_session_id}`));
const hangUp = (org: CallingOrg, call: Call) => org.client.post<CallData>(`/calls/${call.call_session_id}/hangup`);

// Placing.

test('a call goes through its states: dialing, ringing, in_progress, ended', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const call = await place(org, aPhone('00'));
  assert.deepEqual(
    [call.state, call.status, call.campaign_id, call.contact_id, call.attempt],
    ['dialing', null, null, null, 1],
  );
  assert.deepEqual([call.started_at, call.answered_at, call.ended_at], [isoAt(start), null, null]);
  assert.deepEqual([call['caller_name'], call['caller_email'], call.metadata], [null, null, {}]);
  assert.equal((await read(org, call)).state, 'ringing');
  await server.advance(5000);
  assert.equal((await read(org, call)).state, 'in_progress');
  await server.advance(30_000);
  const ended = await read(org, call);
  assert.deepEqual([ended.state, ended.status, ended.duration_sec], ['ended', 'completed', 30]);
  assert.deepEqual([since(start, ended.answered_at), since(start, ended.ended_at)], [5, 35]);
});

test('the caller number can be given as phone, as id, or as both if they agree', async () => {
  const org = await newCallingOrg(server);
  const other = await aNumber(org.client);
  const body = { agent_id: org.agentId, to: aPhone('02') };
  for (const number of [
    { from: org.phone },
    { phone_number_id: org.numberId },
    { from: org.phone, phone_number_id: org.numberId },
  ]) {
    assert.equal(dataOf(await post(org.client, { ...body, ...number }))['caller_number'], org.phone);
  }
  const both = ['from', 'phone_number_id'];
  assert.deepEqual(faultPaths(await post(org.client, body)), both);
  assert.deepEqual(faultPaths(await post(org.client, { ...body, from: org.phone, phone_number_id: other.id })), both);
});

test('all missing fields and unknown references of a call are reported at once', async () => {
  const org = await newCallingOrg(server);
  assert.deepEqual(faultPaths(await post(org.client, {})), ['agent_id', 'to']);
  const stranger = await newCallingOrg(server);
  const theirs = await aContact(stranger.client);
  const released = await aNumber(org.client);
  dataOf(await org.client.del(`/phone-numbers/${released.phone}/release/`));
  for (const [body, paths] of [
    [{ agent_id: nobody, from: '+4930999999', contact_id: nobody }, ['agent_id', 'contact_id', 'from']],
    [
      { agent_id: stranger.agentId, phone_number_id: stranger.numberId, contact_id: theirs.id },
      ['agent_id', 'contact_id', 'phone_number_id'],
    ],
    [{ agent_id: org.agentId, from: released.phone, phone_number_id: released.id }, ['from', 'phone_number_id']],
    [{ agent_id: 'x', from: 'x', phone_number_id: nobody }, ['agent_id', 'from', 'phone_number_id']],
  ] as const) {
    assert.deepEqual(faultPaths(await post(org.client, { to: aPhone(), ...body })), paths);
  }
  const good = { agent_id: org.agentId, from: org.phone };
  for (const to of ['030 12345', '+', '+999123456789', 'anonymous', '', null, 49]) {
    assert.deepEqual(faultPaths(await post(org.client, { ...good, to })), ['to'], String(to));
  }
  for (const metadata of ['x', [], null]) {
    assert.deepEqual(faultPaths(await post(org.client, { ...good, to: aPhone(), metadata })), ['metadata']);
  }
  assert.deepEqual(faultPaths(await post(org.client, { ...good, to: aPhone(), campaign_id: nobody })), ['campaign_id']);
  assert.deepEqual(await org.calls(), []);
});

test('a call that cannot be placed now is refused with every reason', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_concurrent: 1 }));
  await place(org, aPhone('00'));
  const to = aPhone('00');
  dataOf(await org.client.post('/do-not-call', { phone: to }));
  const agent = await anAgent(org.client, { status: 'INACTIVE' });
  const body = { agent_id: agent.id, to, from: org.phone };
  const message = conflictOf(await post(org.client, body));
  for (const reason of [/INACTIVE/, /do-not-call/, /all its 1 lines/]) assert.match(message, reason);
  const flagged = await aContact(org.client, { do_not_call: true });
  const toFlagged = { ...body, agent_id: org.agentId, to: aPhone('00'), contact_id: flagged.id };
  assert.match(conflictOf(await post(org.client, toFlagged)), /do-not-call/);
  await server.advance(60_000);
  assert.match(conflictOf(await post(org.client, { ...body, agent_id: org.agentId })), /^[^.]*do-not-call[^.]*\.$/);
  assert.equal((await org.calls()).length, 1);
});

test('a number whose contact is flagged do_not_call is refused like a listed one, whichever contact_id is given', async () => {
  const org = await newCallingOrg(server);
  const to = aPhone('00');
  const flagged = await aContact(org.client, { phone: to, do_not_call: true });
  const housemate = await aContact(org.client, { phone: to });
  const body = { agent_id: org.agentId, to, from: org.phone };
  const message = conflictOf(await post(org.client, body));
  assert.equal(conflictOf(await post(org.client, { ...body, contact_id: housemate.id })), message);
  dataOf(await org.client.patch(`/contacts/${flagged.id}`, { do_not_call: false }));
  dataOf(await org.client.post('/do-not-call', { phone: to }));
  assert.equal(conflictOf(await post(org.client, body)), message);
  assert.deepEqual(await org.calls(), []);
});

test('a queued call is not dialed if its contact is flagged do_not_call while it waits', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 1 }));
  const contact = await aContact(org.client);
  await place(org, aPhone('00'));
  const queued = await place(org, contact.phone!);
  dataOf(await org.client.patch(`/contacts/${contact.id}`, { do_not_call: true }));
  await server.advance(60_000);
  const { status, error_message: reason } = await read(org, queued);
  assert.equal(status, 'failed');
  assert.match(reason!, /do-not-call/);
});

test('the organization’s limit of concurrent calls also holds for single calls', async (t) => {
  const small = await startTestServer({ settings: { 'limits.organization.max_concurrent': '1' } });
  t.after(() => small.stop());
  const org = await newCallingOrg(small);
  const other = await aNumber(org.client);
  dataOf(await post(org.client, { agent_id: org.agentId, to: aPhone('00'), from: org.phone }));
  const second = { agent_id: org.agentId, to: aPhone('00'), from: other.phone };
  assert.match(conflictOf(await post(org.client, second)), /organization has all its 1 lines/);
  await small.advance(60_000);
  assert.equal((await post(org.client, second)).status, 200);
});

test('calls placed faster than the calls-per-second limit wait as queued', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 1 }));
  const start = nowOf(server);
  const calls: Call[] = [];
  for (const suffix of ['02', '00', '00', '00', '00']) calls.push(await place(org, aPhone(suffix)));
  assert.deepEqual(
    calls.map(({ state, started_at: startedAt }) => [state, startedAt]),
    [['dialing', isoAt(start)], ...calls.slice(1).map(() => ['queued', null])],
  );
  dataOf(await hangUp(org, calls[2]!));
  dataOf(await org.client.post('/do-not-call', { phone: calls[3]!.phone }));
  await server.advance(60_000);
  const ended = await Promise.all(calls.map((call) => read(org, call)));
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
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 1 }));
  for (let one = 0; one < 3; one += 1) await place(org, aPhone('00'));
  dataOf(await org.client.put(`/agents/${org.agentId}`, { status: 'INACTIVE' }));
  await server.advance(1000);
  dataOf(await org.client.put(`/agents/${org.agentId}`, { status: 'ACTIVE' }));
  dataOf(await org.client.del(`/phone-numbers/${org.phone}/release/`));
  await server.advance(60_000);
  const [first, second, third] = await org.calls();
  assert.equal(first!.status, 'completed', 'live calls end normally');
  assert.deepEqual([second!.status, second!.disconnect_reason], ['failed', 'error']);
  assert.match(second!.error_message!, /ACTIVE/);
  assert.match(third!.error_message!, /released/);
  const number = await aNumber(org.client, { phone: org.phone });
  assert.equal((await post(org.client, { agent_id: org.agentId, to: aPhone(), from: number.phone })).status, 200);
});

/** Five single calls at two a second, then a stop of the server; the calls as they are a minute after the next start. */
async function queuedWhileStopped(t: TestContext, nextStart: string): Promise<Call[]> {
  const data = mkdtempSync(join(tmpdir(), 'parley-queued-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const first = await startTestServer({ data, testClock: '2026-03-02T09:00:00Z' });
  const before = await createCallingOrg(first);
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
  const org = await newCallingOrg(server, { agent: { webhook_url: receiver.url } });
  const contact = await aContact(org.client, { first_name: 'Ada', email: 'ada@example.com' });
  const metadata = { crmId: 7, nested_Key: { 'Ünïcode key': [1, null, 'x'] }, __proto: true, empty: {}, n: 1.5 };
  const call = await place(org, aPhone('00'), { metadata, contact_id: contact.id });
  assert.deepEqual(call.metadata, metadata);
  await server.advance(60_000);
  assert.deepEqual((await read(org, call)).metadata, metadata);
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
  const org = await newCallingOrg(server, { agent: { webhook_url: receiver.url } });
  const start = nowOf(server);
  const call = await place(org, aPhone('00'));
  await server.advance(3000);
  const ended = dataOf(await hangUp(org, call));
  assert.deepEqual(
    [ended.state, ended.status, ended.disconnect_reason, ended.duration_sec, ended.answered_at],
    ['ended', 'no_answer', null, 0, null],
  );
  assert.equal(since(start, ended.ended_at), 3);
  await server.advance(60_000);
  assert.deepEqual(await read(org, call), ended, 'what the carrier says later changes nothing');
  assert.deepEqual(
    receiver.events.map(({ data }) => data.status),
    ['no_answer'],
  );
});

test('hanging up an answered call completes it with disconnect_reason agent_hangup', async () => {
  const org = await newCallingOrg(server);
  const call = await place(org, aPhone('00'));
  await server.advance(17_000);
  const ended = dataOf(await hangUp(org, call));
  assert.deepEqual(
    [ended.state, ended.status, ended.disconnect_reason, ended.duration_sec],
    ['ended', 'completed', 'agent_hangup', 12],
  );
  await server.advance(60_000);
  assert.deepEqual(await read(org, call), ended);
  const { callStats } = dataOf(await org.client.get(`/agents/${org.agentId}`));
  assert.deepEqual(callStats, { totalCalls: 1, completedCalls: 1 });
});

test('a call that has ended cannot be hung up', async () => {
  const org = await newCallingOrg(server);
  const call = await place(org, aPhone('02'));
  await server.advance(5000);
  assert.match(conflictOf(await hangUp(org, call)), /ended/);
  const second = await place(org, aPhone('00'));
  dataOf(await hangUp(org, second));
  conflictOf(await hangUp(org, second));
  assert.equal((await org.client.post(`/calls/${nobody}/hangup`)).status, 404);
  assert.equal((await org.client.post('/calls/nonsense/hangup')).status, 404);
});

test('a call hung up after its answer has what was said until then, also in its event', async (t) => {
  const receiver = await aReceiver(t);
  const org = await newCallingOrg(server, { agent: { webhook_url: receiver.url } });
  const call = await place(org, aPhone('00'));
  await server.advance(5000 + 13_000); // it rings for 5 s and has five lines, one every 6 s, so three lines are said
  const ended = dataOf(await hangUp(org, call));
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
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_concurrent: 1 }));
  const call = await place(org, aPhone('08'));
  const body = { agent_id: org.agentId, to: aPhone('00'), from: org.phone };
  conflictOf(await post(org.client, body));
  dataOf(await hangUp(org, call));
  assert.equal((await post(org.client, body)).status, 200);
});

test('hanging up a campaign’s call sets its contact’s outcome and lets the next contact be called', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00'), aPhone('00')], { schedule: { maxConcurrent: 1 } });
  await server.advance(20_000);
  const [call] = await org.calls();
  dataOf(await hangUp(org, call!));
  await server.advance(0);
  const [first, second] = await org.contacts(id);
  assert.deepEqual([first!.status, first!.call_duration_sec, second!.status], ['completed', 15, 'in_progress']);
  assert.deepEqual((await org.stats(id)).contacted, 1);
});

// Reading.

test('calls are listed newest first, by agent, campaign, contact and status, alone and together', async () => {
  const org = await newCallingOrg(server);
  const second = await anAgent(org.client);
  const contact = await aContact(org.client, { phone: aPhone('02') });
  const { id: campaignId } = await org.campaign();
  dataOf(await org.client.post(`/campaigns/${campaignId}/contacts`, { contact_ids: [contact.id] }));
  await org.patch(campaignId, { status: 'active' });
  const [inCampaign] = await org.calls();
  const single = await place(org, aPhone('00'));
  const toContact = await place(org, aPhone('02'), { contact_id: contact.id, agent_id: second.id });
  await server.advance(60_000);
  const ids = async (query: string) => {
    const { body } = await org.client.get<Call[]>(`/calls${query}`);
    assert.equal(body.meta.total, query.includes('limit') ? 3 : body.data.length);
    return body.data.map((call) => call.call_session_id);
  };
  const [a, b, c] = [inCampaign!, single, toContact].map((call) => call.call_session_id);
  assert.deepEqual(await ids(''), [c, b, a]);
  assert.deepEqual(await ids('?limit=1&offset=1'), [b]);
  assert.deepEqual(await ids(`?agent_id=${org.agentId}`), [b, a]);
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
    ['status=busy&status=ringing', 'status[1]'],
    ['state=over', 'state'],
  ] as const) {
    assert.deepEqual(faultPaths(await org.client.get(`/calls?${query}`)), [path]);
  }
});

test('a call is found by its id in upper or lower case, and by no other id', async () => {
  const org = await newCallingOrg(server);
  const call = await place(org, aPhone('00'));
  assert.equal((await org.client.get(`/calls/${call.call_session_id.toUpperCase()}`)).status, 200);
  assert.equal((await org.client.get(`/calls/${nobody}`)).status, 404);
  assert.equal((await org.client.get('/calls/nonsense')).status, 404);
});

test('a contact on the phone cannot be deleted, in a campaign or not', async () => {
  const org = await newCallingOrg(server);
  const contact = await aContact(org.client);
  const call = await place(org, aPhone('00'), { contact_id: contact.id });
  assert.match(conflictOf(await org.client.del(`/contacts/${contact.id}`)), /phone/);
  await server.advance(60_000);
  dataOf(await org.client.del(`/contacts/${contact.id}`));
  assert.equal((await read(org, call)).contact_id, null);
});

test('the agent’s counters count ended calls by outcome', async () => {
  const org = await newCallingOrg(server);
  for (const suffix of ['00', '01', '02', '03', '04', '05', '09']) await place(org, aPhone(suffix));
  const stats = async () => dataOf(await org.client.get(`/agents/${org.agentId}`))['callStats'];
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
