import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { type AddedContacts, type Call, createCallingOrg, newCallingOrg, nowOf, since } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Line = { role: string; message: { content: string } };
const linesOf = (call: Call): string[][] =>
  (call.transcripts as Line[]).map(({ role, message }) => [role, message.content]);

test('a scripted call rings, talks, says and ends as its request says, whatever its number', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const transcript = [
    { role: 'agent', text: 'Hello, this is Ada.' },
    { role: 'user', text: 'Send me the offer.' },
  ];
  const simulate = { outcome: 'completed', ring_ms: 1500, talk_ms: 4000, transcript, summary: 'Wants the offer.' };
  const body = { agent_id: org.agentId, to: aPhone('02'), from: org.phone, metadata: { a: 1 }, simulate };
  const placed = dataOf(await org.client.post<Call & { id: string }>('/calls', body));
  assert.deepEqual(placed.metadata, { a: 1 });
  await server.advance(1499);
  const read = async (): Promise<Call> => (await org.calls())[0]!;
  assert.equal((await read()).state, 'ringing');
  await server.advance(1);
  assert.equal((await read()).state, 'in_progress');
  await server.advance(4000);
  const call = await read();
  assert.deepEqual([call.state, call.status, call.duration_sec], ['ended', 'completed', 4]);
  assert.equal(since(start, call.ended_at), 5.5);
  assert.equal(call['summary'], 'Wants the offer.');
  assert.deepEqual(
    linesOf(call),
    transcript.map(({ role, text }) => [role, text]),
  );
});

test('each outcome can be scripted; a mailbox is answered only if it is given a time to talk', async () => {
  const org = await newCallingOrg(server);
  for (const outcome of ['completed', 'failed', 'no_answer', 'busy', 'voicemail']) {
    const simulate = { outcome, ring_ms: 0 };
    dataOf(await org.client.post('/calls', { agent_id: org.agentId, to: aPhone('00'), from: org.phone, simulate }));
  }
  const mailbox = { outcome: 'voicemail', talk_ms: 9000, transcript: [{ role: 'agent', text: 'Call me.' }] };
  const to = { agent_id: org.agentId, to: aPhone('00'), from: org.phone };
  dataOf(await org.client.post('/calls', { ...to, simulate: mailbox }));
  await server.advance(60_000);
  const calls = await org.calls();
  assert.deepEqual(
    calls.map(({ status, duration_sec, transcripts }) => [status, duration_sec, transcripts.length]),
    [
      ['completed', 30, 5],
      ['failed', 0, 0],
      ['no_answer', 0, 0],
      ['busy', 0, 0],
      ['voicemail', 0, 0],
      ['voicemail', 9, 1],
    ],
  );
});

test('a contact of a campaign takes a script, which holds for all its attempts', async () => {
  const org = await newCallingOrg(server);
  const simulate = { outcome: 'busy', ring_ms: 2000 };
  const { id } = await org.run([{ phone: aPhone('00'), first_name: 'Ada', simulate }], {
    schedule: { retryAttempts: 1, retryGapMin: 1 },
  });
  await server.advance(10 * 60_000);
  assert.deepEqual(
    (await org.calls()).map(({ status, attempt }) => [status, attempt]),
    [
      ['busy', 1],
      ['busy', 2],
    ],
  );
  assert.equal((await org.contacts(id))[0]!.status, 'busy');
});

test('faults of a script are named', async () => {
  const org = await newCallingOrg(server);
  const place = (simulate: object) =>
    org.client.post('/calls', { agent_id: org.agentId, to: aPhone('00'), from: org.phone, simulate });
  assert.deepEqual(faultPaths(await place({})), ['simulate.outcome']);
  assert.deepEqual(faultPaths(await place({ outcome: 'silent', ring_ms: -1 })), [
    'simulate.outcome',
    'simulate.ring_ms',
  ]);
  const wrong = { outcome: 'busy', transcript: [{ role: 'nobody', text: '' }] };
  assert.deepEqual(faultPaths(await place(wrong)), ['simulate.transcript[0].role']);
});

test('another carrier takes no scripts: a fault of a single call, ignored and said for contacts', async (t) => {
  const settings = {
    'carrier.http.url': 'http://127.0.0.1:9/',
    'carrier.http.secret': 'a-secret-of-at-least-32-characters',
  };
  const other = await startTestServer({ settings });
  t.after(() => other.stop());
  const org = await createCallingOrg(other);
  const number = await aNumber(org.client, { carrier: 'http' });
  const simulate = { outcome: 'busy' };
  const answer = await org.client.post('/calls', {
    ...{ agent_id: org.agentId, to: aPhone('00'), phone_number_id: number.id, simulate },
  });
  assert.equal(answer.status, 400);
  assert.deepEqual(faultPaths(answer), ['simulate']);
  const campaign = await org.campaign({ phoneNumberId: number.id });
  const contacts = [{ phone: aPhone('00'), simulate }, { phone: aPhone('01') }];
  const added = await org.client.post<AddedContacts & { id: string }>(`/campaigns/${campaign.id}/contacts`, {
    contacts,
  });
  assert.equal(dataOf(added).added, 2);
  assert.match(added.body.message, /`simulate` was ignored for 1: only the simulated carrier/);
});
