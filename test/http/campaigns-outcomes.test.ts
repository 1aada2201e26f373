import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { aReceiver, type Call, isoAt, newCallingOrg, nowOf, since, type Stats } from './calling-support.ts';

/** The outcome of each suffix (docs/api/calls.md, "Simulated carrier"), to the second: a call rings for 5 s and lasts for 30 s. */

const server = await startTestServer();
after(() => server.stop());

/** The agent's `maxCallDurationMs` in these tests; outcome 08 ends one minute after it. */
const maxCallSec = 60;

type Outcome = {
  suffix: string;
  status: string;
  /** Seconds from dialing to the answer; null if unanswered. */
  answeredAt: number | null;
  /** Seconds from dialing to the end. */
  endedAt: number;
  disconnectReason: string | null;
  error: RegExp | null;
  stats: Partial<Stats>;
  goalsMet: boolean | null;
};

const completed = { status: 'completed', answeredAt: 5, endedAt: 35, error: null } as const;
const unanswered = { answeredAt: null, endedAt: 5, disconnectReason: null, error: null, goalsMet: null } as const;
const failed = { status: 'failed', disconnectReason: 'error', stats: { failed: 1 }, goalsMet: null } as const;

const outcomes: readonly Outcome[] = [
  {
    suffix: '00',
    ...completed,
    disconnectReason: 'agent_hangup',
    stats: { contacted: 1, successful: 1 },
    goalsMet: true,
  },
  { suffix: '01', ...completed, disconnectReason: 'customer_hangup', stats: { contacted: 1 }, goalsMet: false },
  { suffix: '02', status: 'busy', ...unanswered, stats: { noAnswer: 1 } },
  { suffix: '03', status: 'no_answer', ...unanswered, stats: { noAnswer: 1 } },
  { suffix: '04', status: 'voicemail', ...unanswered, stats: { noAnswer: 1 } },
  { suffix: '05', ...failed, answeredAt: null, endedAt: 5, error: /./ },
  { suffix: '06', ...failed, answeredAt: null, endedAt: 5, error: /not in service/ },
  { suffix: '07', status: 'no_answer', ...unanswered, stats: { noAnswer: 1 } },
  { suffix: '08', ...failed, answeredAt: 5, endedAt: 5 + maxCallSec + 60, error: /did not report/ },
  { suffix: '09', ...failed, answeredAt: null, endedAt: 0, error: /refused/ },
];

const noStats: Stats = { total: 1, contacted: 0, successful: 0, failed: 0, noAnswer: 0, pending: 0, inProgress: 0 };

/** Fields that the interface's payload has for every outcome. */
const payloadFields = [
  'campaign_id',
  'contact_id',
  'phone',
  'status',
  'duration_sec',
  'call_session_id',
  'attempt',
  'summary',
  'recording_url',
  'caller_number',
  'callee_number',
  'caller_name',
  'caller_email',
  'agent_name',
  'channel',
  'disconnect_reason',
  'cost_total',
  'call_latency_ms',
  'started_at',
  'ended_at',
  'created_at',
  'post_call_analysis',
  'transcripts',
];

for (const outcome of outcomes) {
  test(`a number that ends in ${outcome.suffix}: ${outcome.status} after ${outcome.endedAt} s`, async (t) => {
    const receiver = await aReceiver(t);
    const agent = { webhook_url: receiver.url, maxCallDurationMs: maxCallSec * 1000 };
    const org = await newCallingOrg(server, { agent });
    const phone = aPhone(outcome.suffix);
    const start = nowOf(server);
    const { id } = await org.run([{ phone, first_name: 'Ada', last_name: 'King', email: 'ada@example.com' }]);
    const [contact] = await org.contacts(id);
    const [dialed] = await org.calls();
    const onlyCall = async (): Promise<Call> => (await org.calls())[0]!;
    const passTo = (seconds: number) => server.advance(start + seconds * 1000 - nowOf(server));

    if (outcome.endedAt > 0) {
      assert.deepEqual([dialed!.state, dialed!.status, contact!.status], ['ringing', null, 'in_progress']);
      assert.deepEqual(await org.stats(id), { ...noStats, inProgress: 1 });
      await passTo(4.999);
      assert.equal((await onlyCall()).state, 'ringing');
      await passTo(5);
    }
    if (outcome.answeredAt !== null) {
      const { state, answered_at: answeredAt } = await onlyCall();
      assert.deepEqual([state, since(start, answeredAt)], ['in_progress', outcome.answeredAt]);
      await passTo(outcome.endedAt - 0.001);
      assert.equal((await onlyCall()).state, 'in_progress');
      assert.deepEqual(receiver.events, []);
      await passTo(outcome.endedAt);
    }

    const call = await onlyCall();
    const durationSec = outcome.answeredAt === null ? 0 : outcome.endedAt - outcome.answeredAt;
    assert.deepEqual(
      [call.state, call.status, call.disconnect_reason, call.duration_sec, call.attempt],
      ['ended', outcome.status, outcome.disconnectReason, durationSec, 1],
    );
    assert.deepEqual([since(start, call.started_at), since(start, call.ended_at)], [0, outcome.endedAt]);
    assert.equal(call.answered_at === null ? null : since(start, call.answered_at), outcome.answeredAt);
    if (outcome.error) assert.match(call.error_message!, outcome.error);
    else assert.equal(call.error_message, null);
    checkContents(call, outcome);

    const [moved] = await org.contacts(id);
    assert.deepEqual(moved, {
      ...contact,
      status: outcome.status,
      attempt_count: 1,
      last_attempted_at: isoAt(start),
      next_retry_at: null,
      call_duration_sec: durationSec,
      error_message: call.error_message,
      call_session_id: call.call_session_id,
    });
    const campaign = await org.read(id);
    assert.deepEqual(campaign.contactStats, { ...noStats, ...outcome.stats });
    assert.deepEqual([campaign.status, since(start, campaign.completedAt)], ['completed', outcome.endedAt]);

    assert.equal(receiver.events.length, 1);
    const { event, org_id: orgId, data } = receiver.events[0]!;
    assert.deepEqual([event, orgId], ['call.completed', org.client.orgId]);
    for (const field of payloadFields) assert.ok(field in data, field);
    const one: Record<string, unknown> = dataOf(await org.client.get(`/calls/${call.call_session_id}`));
    assert.deepEqual(one, call, 'one call is what the list shows');
    for (const [field, value] of Object.entries(data)) assert.deepEqual(call[field], value, field);
    assert.deepEqual(
      [data['call_id'], data.campaign_id, data.contact_id, data.phone, data['callee_number'], data['caller_number']],
      [call.call_session_id, id, contact!.contact_id, phone, phone, org.phone],
    );
    assert.deepEqual(
      [data['caller_name'], data['caller_email'], data['agent_name'], data['channel']],
      ['Ada King', 'ada@example.com', 'Robin', 'voice'],
    );
    const stats = dataOf(await org.client.get(`/agents/${org.agentId}`))['callStats'];
    const counter = { no_answer: 'noAnswerCalls' }[outcome.status] ?? `${outcome.status}Calls`;
    assert.deepEqual(stats, { totalCalls: 1, [counter]: 1 });
  });
}

function checkContents(call: Call, { status, goalsMet }: Outcome): void {
  const { transcripts, summary, recording_url: recording, post_call_analysis: analysis } = call;
  const { call_latency_ms: latency, cost_total: cost } = call;
  if (status !== 'completed') {
    assert.deepEqual([transcripts, summary, recording, analysis, latency, cost], [[], null, null, null, null, 0]);
    return;
  }
  assert.equal((analysis as { goals_met: boolean }).goals_met, goalsMet);
  assert.ok(typeof summary === 'string' && summary !== '');
  assert.ok(Number.isInteger(latency) && (latency as number) > 0);
  assert.ok((cost as number) > 0);
  const lines = transcripts as Array<{ id: string; timestamp_ms: number; role: string; message: { content: string } }>;
  assert.ok(lines.length > 0);
  assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length);
  const times = lines.map(({ timestamp_ms: at }) => at);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.ok(times.at(-1)! <= call.duration_sec * 1000);
}

test('07 is no_answer on the first attempt, then completed', async (t) => {
  const receiver = await aReceiver(t);
  const org = await newCallingOrg(server, { agent: { webhook_url: receiver.url } });
  const start = nowOf(server);
  const { id } = await org.run([aPhone('07')], { schedule: { retryAttempts: 2, retryGapMin: 1 } });
  await server.advance(5000);
  const [waiting] = await org.contacts(id);
  assert.deepEqual(
    [waiting!.status, waiting!.attempt_count, since(start, waiting!.next_retry_at)],
    ['pending', 1, 5 + 60],
  );
  assert.deepEqual(await org.stats(id), { ...noStats, pending: 1 });
  await server.advance(3_600_000);
  assert.deepEqual(
    (await org.calls()).map((call) => [
      call.attempt,
      call.status,
      since(start, call.started_at),
      since(start, call.ended_at),
    ]),
    [
      [1, 'no_answer', 0, 5],
      [2, 'completed', 65, 100],
    ],
  );
  assert.deepEqual(await org.stats(id), { ...noStats, contacted: 1, successful: 1 });
  assert.deepEqual(
    receiver.events.map(({ data }) => [data.attempt, data.status]),
    [
      [1, 'no_answer'],
      [2, 'completed'],
    ],
  );
});

test('no call lasts longer than the agent’s maxCallDurationMs', async () => {
  const org = await newCallingOrg(server, { agent: { maxCallDurationMs: 10_000 } });
  await org.run([aPhone('00')]);
  await server.advance(60_000);
  const [call] = await org.calls();
  assert.deepEqual([call!.status, call!.duration_sec, call!.disconnect_reason], ['completed', 10, 'agent_hangup']);
});

test('any other number rings 2 to 25 s, talks 20 to 180 s, and does the same every time', async () => {
  const phones = Array.from({ length: 40 }, (_, index) => `+4930555${String(index).padStart(3, '0')}55`);
  const histories: unknown[] = [];
  for (let round = 0; round < 2; round += 1) {
    const org = await newCallingOrg(server);
    await org.run(phones, { maxCps: 10, schedule: { maxConcurrent: 100 } });
    await server.advance(3_600_000);
    const calls = await org.calls();
    histories.push(
      calls.map((call) => [call.phone, call.status, msBetween(call.started_at, call.ended_at), call.duration_sec]),
    );
    for (const call of calls) {
      const ringMs = msBetween(call.started_at, call.answered_at ?? call.ended_at);
      assert.ok(ringMs >= 2000 && ringMs <= 25_000, `${ringMs}`);
      assert.equal(msBetween(call.started_at, call.ended_at), ringMs + call.duration_sec * 1000);
      assert.equal(call.status === 'completed', call.answered_at !== null);
      if (call.status === 'completed') assert.ok(call.duration_sec >= 20 && call.duration_sec <= 180);
    }
  }
  assert.deepEqual(histories[1], histories[0]);
  assert.ok(new Set((histories[0] as string[][]).map(([, status]) => status)).size >= 3);
});

const msBetween = (from: string | null, to: string | null): number =>
  Temporal.Instant.from(to!).epochMilliseconds - Temporal.Instant.from(from!).epochMilliseconds;
