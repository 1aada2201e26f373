// Long: it plays campaigns against runtimes that fail.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ConfigError } from '../../src/base/config/faults.ts';
import { type TestClock, nextMacrotask } from '../../src/base/clock.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { sqliteAlone } from '../support/store.ts';
import { endlessMs, timeOuts } from '../support/time-outs.ts';
import { verifies } from '../unit/webhooks/verify.ts';
import { httpBench, httpSettings, onServer } from './http-carrier-support.ts';
import { type Message, type Reply, secret, sign, voiceRuntime } from './voice-runtime.ts';
import { propertyRuns } from '../support/property-runs.ts';

const second = 1000;
const minute = 60 * second;

test('a call is sent to the runtime complete and signed, and follows its reports', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, agentId, place, call, now } = await httpBench(t, runtime);
  const id = await place({ metadata: { order: 'é-7' } });

  assert.equal(runtime.seen.length, 1);
  const { headers, text, path } = runtime.seen[0]!;
  assert.equal(path, '/calls');
  assert.equal(headers['content-type'], 'application/json');
  assert.deepEqual([headers['idempotency-key'], headers['webhook-id']], [id, id]);
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 120);
  assert.ok(await verifies(secret, headers, text));
  const { agent, ...message } = JSON.parse(text) as Message & { agent: Record<string, unknown> };
  assert.deepEqual(message, {
    type: 'call.dial',
    call_session_id: id,
    from: '+493090182000',
    to: '+493090182123',
    contact: { name: null, email: null },
    contact_id: null,
    campaign_id: null,
    attempt: 1,
    metadata: { order: 'é-7' },
    callback_url: `${server.url}/api/v1/calls/${id}/events`,
    tools: [],
  });
  assert.deepEqual([agent['id'], agent['name'], agent['prompt']], [agentId, 'Robin', 'Be brief.']);
  assert.deepEqual([agent['first_message'], agent['max_call_duration_ms']], ['Hello!', 600_000]);
  assert.deepEqual([agent['knowledge_base_ids'], agent['emergency_fallback']], [[], null]);

  const dialedAt = now();
  assert.equal((await call(id)).state, 'dialing');
  assert.equal(await runtime.report(id, now(), { type: 'ringing' }), 'ringing');
  await server.advance(5 * second);
  assert.equal(await runtime.report(id, now(), { type: 'answered' }), 'in_progress');
  await server.advance(2 * second);
  const entry = { timestamp_ms: 1500, role: 'agent', content: 'Hello!' };
  await runtime.report(id, now(), { type: 'transcript', entries: [entry] });
  await server.advance(28 * second);
  const post_call_analysis = { sentiment: 'positive', disposition: 'booked', goals_met: true, next_steps: 'Call.' };
  const summary = 'They will meet.';
  const recording_url = 'https://recordings.example/1.mp3';
  const measured = { cost_total: 0.07, call_latency_ms: 612.4 };
  const disconnect_reason = 'customer_hangup';
  const end = { type: 'ended', status: 'completed', disconnect_reason, summary, recording_url, post_call_analysis };
  assert.equal(await runtime.report(id, now(), { ...end, ...measured }), 'ended');

  const ended = await call(id);
  assert.deepEqual([ended.state, ended.status, ended['duration_sec']], ['ended', 'completed', 30]);
  assert.deepEqual([ended['summary'], ended['recording_url']], [summary, recording_url]);
  assert.deepEqual([ended['cost_total'], ended['call_latency_ms']], [0.07, 612]);
  assert.deepEqual([ended['disconnect_reason'], ended['post_call_analysis']], [disconnect_reason, post_call_analysis]);
  const at = (ms: number): string =>
    Temporal.Instant.fromEpochMilliseconds(dialedAt + ms).toString({ smallestUnit: 'millisecond' });
  assert.deepEqual([ended['started_at'], ended['answered_at'], ended['ended_at']], [0, 5000, 35_000].map(at));
  const transcripts = ended['transcripts'] as Array<Record<string, unknown>>;
  assert.deepEqual(
    transcripts.map(({ id: _id, ...rest }) => rest),
    [{ timestamp_ms: 1500, role: 'agent', message: { content: 'Hello!', format: 'text' }, created_at: at(6500) }],
  );
  assert.deepEqual(runtime.hungUp, []);
});

test('reports in any order and number lead to the same call', async (t) => {
  const runtime = await voiceRuntime(t);
  const { place, call, now } = await httpBench(t, runtime);
  const spoken = (timestamp_ms: number, content: string) => ({
    type: 'transcript',
    entries: [{ timestamp_ms, role: 'user', content }],
  });
  const reports = [
    { type: 'ringing' },
    { type: 'answered' },
    spoken(1000, 'Yes?'),
    spoken(4000, 'Goodbye.'),
    { type: 'ended', status: 'completed', duration_sec: 41.6, disconnect_reason: 'customer_hangup' },
  ];
  const orders = fc
    .shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
    .chain((order) => fc.tuple(fc.constant(order), fc.array(fc.nat({ max: 4 }), { maxLength: 4 })));
  await fc.assert(
    fc.asyncProperty(orders, async ([order, repeated]) => {
      const id = await place();
      for (const index of [...order, ...repeated]) await runtime.report(id, now(), reports[index]!);
      const { state, status, duration_sec, disconnect_reason, answered_at, ended_at, transcripts } = await call(id);
      assert.deepEqual([state, status, duration_sec, disconnect_reason], ['ended', 'completed', 42, 'customer_hangup']);
      assert.ok(answered_at !== null && ended_at !== null);
      const said = (transcripts as Array<{ message: { content: string } }>).map(({ message }) => message.content);
      assert.deepEqual(said, ['Yes?', 'Goodbye.']);
    }),
    { numRuns: propertyRuns({ few: 6, all: 20 }) },
  );
});

test('a late ringing does not undo an answer, and impossible instants in reports are clamped', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, place, call, now } = await httpBench(t, runtime);
  const iso = (ms: number): string =>
    Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'millisecond' });
  const id = await place();
  const dialedAt = now();
  await server.advance(10 * second);
  await runtime.report(id, now(), { type: 'answered', at: iso(dialedAt + 7000) });
  assert.equal(await runtime.report(id, now(), { type: 'ringing' }), 'in_progress');
  await server.advance(10 * second);
  await runtime.report(id, now(), { type: 'ended', status: 'completed', at: iso(dialedAt + 17_000) });
  const ended = await call(id);
  assert.deepEqual([ended['answered_at'], ended['ended_at']], [iso(dialedAt + 7000), iso(dialedAt + 17_000)]);
  assert.equal(ended['duration_sec'], 10);

  const other = await place();
  const otherDialedAt = now();
  await runtime.report(other, now(), { type: 'answered', at: iso(otherDialedAt - minute) });
  await runtime.report(other, now(), { type: 'ended', status: 'completed', at: iso(otherDialedAt + minute) });
  const bounded = await call(other);
  assert.deepEqual([bounded['answered_at'], bounded['ended_at']], [iso(otherDialedAt), iso(otherDialedAt)]);
});

test('a silent call fails one minute after its maximum duration, counted from the answer, however late that is reported', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, place, call, now } = await httpBench(t, runtime);
  const iso = (ms: number): string =>
    Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'millisecond' });
  const leaseMs = 11 * minute;
  const toldAfterMs = leaseMs - 1;
  for (const answeredAfterMs of [toldAfterMs, 5 * second]) {
    const id = await place();
    const dialedAt = now();
    await server.advance(toldAfterMs);
    await runtime.report(id, now(), { type: 'answered', at: iso(dialedAt + answeredAfterMs) });
    await server.advance(dialedAt + answeredAfterMs + leaseMs - 1 - now());
    assert.equal((await call(id)).state, 'in_progress');
    await server.advance(leaseMs);
    const { status, ended_at } = await call(id);
    assert.deepEqual([status, ended_at], ['failed', iso(dialedAt + answeredAfterMs + leaseMs)]);
    assert.equal(runtime.hungUp.at(-1), id);
  }
});

test('unanswered calls have no disconnect_reason and no duration; failed ones have an error_message', async (t) => {
  const runtime = await voiceRuntime(t);
  const { place, call, now } = await httpBench(t, runtime);
  const endOf = async (event: Record<string, unknown>) => {
    const id = await place();
    await runtime.report(id, now(), { type: 'ended', ...event });
    const { status, disconnect_reason, duration_sec, answered_at, error_message } = await call(id);
    return [status, disconnect_reason, duration_sec, answered_at === null, error_message];
  };
  assert.deepEqual(await endOf({ status: 'busy', disconnect_reason: 'customer_hangup' }), [
    'busy',
    null,
    0,
    true,
    null,
  ]);
  assert.deepEqual(await endOf({ status: 'no_answer', summary: null, at: undefined }), [
    'no_answer',
    null,
    0,
    true,
    null,
  ]);
  assert.deepEqual(await endOf({ status: 'voicemail', duration_sec: 9 }), ['voicemail', null, 9, false, null]);
  const failed = { status: 'failed', error_message: '503 from the trunk' };
  assert.deepEqual(await endOf(failed), ['failed', 'error', 0, true, '503 from the trunk']);
  const wordless = await endOf({ status: 'failed' });
  assert.equal(wordless[4], 'The carrier gave no reason for the failure.');
});

test('only a current signature with the secret is accepted; anything else is a 401 without code and changes nothing', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, place, call, now } = await httpBench(t, runtime);
  const id = await place();
  const nowSec = Math.floor(now() / 1000);
  const body = JSON.stringify({ type: 'ringing', call_session_id: id });
  const send = async (text: string, headers: Record<string, string>, to = id) => {
    const answer = await server.request('POST', `/calls/${to}/events`, { body: text, headers, key: null });
    return [answer.status, answer.body.code, answer.headers.has('www-authenticate')];
  };
  const refused = [401, undefined, true];
  const signed = sign(body, { timestampSec: nowSec });
  const { 'webhook-id': _, ...anonymous } = signed;
  for (const headers of [
    {},
    anonymous,
    sign(body, { timestampSec: nowSec, secret: 'whsec_b3RoZXI=' }),
    sign(body, { timestampSec: nowSec, secret: '' }),
    sign(`${body} `, { timestampSec: nowSec }),
    sign(body, { timestampSec: nowSec - 301 }),
    sign(body, { timestampSec: nowSec + 301 }),
    { ...signed, 'webhook-timestamp': String(nowSec - 1) },
    { ...signed, 'webhook-timestamp': 'now' },
    { ...signed, 'webhook-id': 'evt_2' },
    { ...signed, 'webhook-signature': signed['webhook-signature'].replace('v1,', 'v1a,') },
    { ...signed, 'webhook-signature': 'v1,' },
    { 'x-api-key': server.apiKey },
  ]) {
    assert.deepEqual(await send(body, headers), refused, JSON.stringify(headers));
  }
  assert.deepEqual(await send('{', signed), refused);
  assert.deepEqual(await send(body, { 'content-type': 'text/plain' }), refused);
  assert.equal((await call(id)).state, 'dialing');

  const several = { ...signed, 'webhook-signature': `v1,AAAA v2,x ${signed['webhook-signature']}` };
  assert.deepEqual(await send(body, several), [200, undefined, false]);
  assert.equal((await call(id)).state, 'ringing');
});

test('a signed report is validated like any request, and must name the call in its path', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, place, call, now } = await httpBench(t, runtime);
  const [id, other] = [await place(), await place()];
  const unknown = '01990000-0000-7000-8000-000000000001';
  const send = async (text: string, to = id) => {
    const headers = sign(text, { timestampSec: Math.floor(now() / 1000) });
    const answer = await server.request('POST', `/calls/${to}/events`, { body: text, headers, key: null });
    return [answer.status, (answer.body.details ?? []).map(({ path }) => path)];
  };
  const event = (fields: Record<string, unknown>, to = id): string =>
    JSON.stringify({ call_session_id: to, ...fields });
  assert.deepEqual(await send('{'), [400, ['']]);
  assert.deepEqual(await send(event({ type: 'rung' })), [400, ['type']]);
  assert.deepEqual(await send(event({ type: 'ended' })), [400, ['status']]);
  assert.deepEqual(await send(event({ type: 'transcript' })), [400, ['entries']]);
  assert.deepEqual(await send(event({ type: 'ringing', volume: 11 })), [400, ['volume']]);
  for (const recording_url of ['javascript:alert(1)', 'file:///etc/passwd', 'recordings/1.mp3'])
    assert.deepEqual(await send(event({ type: 'ended', status: 'completed', recording_url })), [
      400,
      ['recording_url'],
    ]);
  assert.deepEqual(await send('{"type":"ringing"}'), [400, ['call_session_id']]);
  assert.deepEqual(await send(event({ type: 'ringing' }), other), [400, ['call_session_id']]);
  assert.deepEqual(await send(event({ type: 'ringing' }, unknown), unknown), [404, []]);
  assert.deepEqual(await send(event({ type: 'ringing' }), 'x'), [404, []]);
  assert.deepEqual([(await call(id)).state, (await call(other)).state], ['dialing', 'dialing']);
});

test('the secret can be plain text', async (t) => {
  const runtime = await voiceRuntime(t);
  const plain = 'correct horse battery staple';
  const { server, placeOnly, call, now } = await httpBench(t, runtime, { settings: { 'carrier.http.secret': plain } });
  const id = await placeOnly();
  await runtime.until(() => runtime.seen.length === 1);
  const { headers, text } = runtime.seen[0]!;
  const made = sign(text, { secret: plain, id, timestampSec: Number(headers['webhook-timestamp']) });
  assert.equal(headers['webhook-signature'], made['webhook-signature']);

  await server.running.runner.settled();
  // The runtime has another secret and refused the call; callbacks are still checked with ours.
  assert.deepEqual([(await call(id)).status, (await call(id))['error_message']], ['failed', 'the signature is wrong']);
  const body = JSON.stringify({ type: 'ringing', call_session_id: id });
  const answer = await server.request('POST', `/calls/${id}/events`, {
    body,
    headers: sign(body, { secret: plain, timestampSec: Math.floor(now() / 1000) }),
    key: null,
  });
  assert.equal(answer.status, 200);
});

test('a number may name this carrier while the others use another one; callbacks about calls of the others are a 404', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, numberId, place, call, now } = await httpBench(t, runtime, {
    settings: { 'carrier.driver': 'simulated' },
  });
  const simulated = await place({ to: '+493090182108' });
  dataOf(await server.patch(`/phone-numbers/${numberId}`, { carrier: 'http' }));
  const id = await place();
  assert.deepEqual(
    runtime.seen.map(({ text }) => (JSON.parse(text) as Message)['call_session_id']),
    [id],
  );
  assert.equal(await runtime.report(id, now(), { type: 'ringing' }), 'ringing');
  const text = JSON.stringify({ type: 'ended', status: 'busy', call_session_id: simulated });
  const headers = sign(text, { timestampSec: Math.floor(now() / 1000) });
  const refused = await server.request('POST', `/calls/${simulated}/events`, { body: text, headers, key: null });
  assert.deepEqual([refused.status, refused.body.code], [404, 'NOT_FOUND']);
  assert.notEqual((await call(simulated)).state, 'ended');
  const asked = JSON.stringify({ query: 'Returns?', call_session_id: simulated });
  const answer = await server.request('POST', `/calls/${simulated}/knowledge`, {
    body: asked,
    headers: sign(asked, { timestampSec: Math.floor(now() / 1000) }),
    key: null,
  });
  assert.equal(answer.status, 404);
});

test('callbacks are refused without the settings of this carrier', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const body = '{"type":"ringing","call_session_id":"01990000-0000-7000-8000-000000000001"}';
  const path = '/calls/01990000-0000-7000-8000-000000000001/events';
  for (const headers of [{}, sign(body, { timestampSec: server.running.app.clock.now() / 1000 })]) {
    assert.equal((await server.request('POST', path, { body, headers, key: null })).status, 404);
  }
});

test('the runtime’s answer to a dial decides the call', async (t) => {
  const runtime = await voiceRuntime(t);
  const { place, call } = await httpBench(t, runtime);
  const dialed = async (reply: Reply) => {
    runtime.onDial(() => ({ reply, takes: true }));
    const { state, status, error_message } = await call(await place());
    return [state, status, error_message];
  };
  const taken = ['dialing', null, null];
  assert.deepEqual(await dialed({ status: 204 }), taken);
  assert.deepEqual(await dialed({ status: 200, body: '{"accepted":true,"position":3}' }), taken);
  assert.deepEqual(await dialed({ status: 409, body: '{"message":"known"}' }), taken);
  const refusal = JSON.stringify({ accepted: false, reason: 'No trunk for +49.' });
  assert.deepEqual(await dialed({ status: 200, body: refusal }), ['ended', 'failed', 'No trunk for +49.']);
  assert.deepEqual(await dialed({ status: 422, body: '<html>' }), [
    'ended',
    'failed',
    'The voice runtime refused the call with status 422.',
  ]);
  assert.deepEqual(runtime.asked, []);
});

/**
 * Places a call whose dial gets this answer. With `takes` the runtime has accepted the call all the same, and confirms that when it is
 * asked.
 */
async function afterDoubt(t: TestContext, reply: Reply, takes: boolean) {
  const runtime = await voiceRuntime(t);
  const bench = await httpBench(t, runtime);
  runtime.onDial(() => ({ reply, takes }));
  const id = await bench.place();
  assert.deepEqual(runtime.asked, []);
  await bench.server.advance(second);
  assert.deepEqual([runtime.asked, runtime.dials().length], [[id], 1]);
  const { state, status, error_message } = await bench.call(id);
  return { id, runtime, ...bench, told: [state, status], words: String(error_message) };
}

test('after a 5xx, nonsense, a redirect or a cut connection the runtime is asked about the call; an unknown call waits', async (t) => {
  const fate = async (reply: Reply): Promise<string> => {
    const { told, server, runtime, call, id } = await afterDoubt(t, reply, false);
    assert.deepEqual(told, ['dialing', null]);
    await server.advance(minute);
    assert.ok(runtime.dials().length > 2, 'it is dialed again once the runtime has said that it does not have it');
    const { status, error_message } = await call(id);
    assert.equal(status, 'failed');
    return String(error_message);
  };
  assert.equal(
    await fate({ status: 503, body: '{"reason":"no capacity"}' }),
    'The voice runtime answered 503: no capacity',
  );
  assert.match(
    await fate({ status: 200, body: '<h1>It works!</h1>' }),
    /answered 200 with a body that is neither empty nor/,
  );
  assert.match(await fate({ status: 302 }), /answered 302\.$/);
  assert.match(await fate('cut'), /broke before the response was complete/);
});

test('a call continues if the runtime accepted it but its answer was lost', async (t) => {
  for (const reply of [{ status: 500 }, 'cut'] as const) {
    const { id, runtime, told, call, now } = await afterDoubt(t, reply, true);
    assert.deepEqual(told, ['dialing', null]);
    await runtime.report(id, now(), { type: 'ended', status: 'completed', duration_sec: 12 });
    assert.deepEqual([(await call(id)).status, (await call(id))['duration_sec']], ['completed', 12]);
  }
});

test('a transcript is cut at 512 KiB, sent at once or in parts', async (t) => {
  const runtime = await voiceRuntime(t);
  const { place, call, now } = await httpBench(t, runtime);
  const part = (from: number) =>
    Array.from({ length: 40 }, (_, index) => ({
      timestamp_ms: from + index,
      role: 'agent',
      content: `${from + index} ${'é'.repeat(9000)}`,
    }));
  const kept = async (id: string): Promise<number> => {
    const { transcripts } = await call(id);
    const bytes = Buffer.byteLength(JSON.stringify(transcripts));
    assert.ok(bytes <= 524_288 && bytes > 500_000, `${bytes} bytes`);
    return (transcripts as unknown[]).length;
  };
  const id = await place();
  await runtime.report(id, now(), { type: 'answered' });
  await runtime.report(id, now(), { type: 'transcript', entries: part(0).slice(0, 20) });
  await runtime.report(id, now(), { type: 'transcript', entries: part(0) });
  assert.equal(await kept(id), 28);
  await runtime.report(id, now(), { type: 'transcript', entries: part(0) });
  await runtime.report(id, now(), { type: 'ended', status: 'completed', entries: part(100) });
  assert.equal(await kept(id), 28);
});

test('a runtime that does not answer in time is asked about the call', async (t) => {
  const { runOut } = timeOuts(t);
  const runtime = await voiceRuntime(t);
  const settings = { 'carrier.http.timeout_ms': String(endlessMs) };
  const { server, placeOnly, call, settled } = await httpBench(t, runtime, { settings });
  runtime.onDial(() => ({ reply: 'hang', takes: true }));
  const id = await placeOnly();
  await runtime.until(() => runtime.dials().length === 1);
  runOut();
  await settled();
  await server.advance(second);
  assert.deepEqual([runtime.asked, runtime.dials().length], [[id], 1]);
  const { state, status } = await call(id);
  assert.deepEqual([state, status], ['dialing', null]);
});

test('if the runtime cannot be asked either, the call fails and the runtime is told to hang up', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, place, call } = await httpBench(t, runtime);
  runtime.onDial(() => ({ reply: { status: 500 }, takes: true }));
  runtime.onOther(() => ({ status: 500 }));
  const id = await place();
  await server.advance(minute - 1);
  assert.deepEqual([(await call(id)).state, runtime.dials().length], ['dialing', 1]);
  await server.advance(1);
  assert.ok(runtime.asked.length > 3);
  const { status, error_message } = await call(id);
  assert.equal(status, 'failed');
  assert.match(String(error_message), /^The carrier could not be reached: The voice runtime answered 500/);
  runtime.onOther(() => undefined);
  await server.advance(second);
  assert.deepEqual([...new Set(runtime.hungUp)], [id]);
});

test('a call is dialed again if the connection was refused, because nothing was sent', async (t) => {
  const gone = await voiceRuntime(t);
  const { server, place, call } = await httpBench(t, gone);
  await gone.close();
  const [first, other] = [await place(), await place()];
  assert.deepEqual([(await call(first)).state, (await call(other)).state], ['dialing', 'dialing']);
  assert.equal((await server.post(`/calls/${other}/hangup`)).status, 200);

  const back = await voiceRuntime(t, { port: gone.port });
  await server.advance(5 * second);
  assert.deepEqual([[...back.known.keys()], back.asked], [[first], []]);
  assert.equal((await call(first)).state, 'dialing');
  assert.deepEqual([back.dials().length, back.hungUp], [1, []]);
});

test('a call fails with the reason if the runtime stays out of reach for a minute', async (t) => {
  const gone = await voiceRuntime(t);
  const { server, place, call } = await httpBench(t, gone);
  await gone.close();
  const id = await place();
  await server.advance(minute - 1);
  assert.equal((await call(id)).state, 'dialing');
  await server.advance(1);
  const { status, disconnect_reason, error_message } = await call(id);
  assert.deepEqual([status, disconnect_reason], ['failed', 'error']);
  assert.match(
    String(error_message),
    /^The carrier could not be reached: Could not connect to 127\.0\.0\.1:\d+: .*ECONNREFUSED/,
  );
});

test('a call is dialed again if the runtime is busy, and fails with its reason if it stays busy', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, place, call } = await httpBench(t, runtime);
  const reply: Reply = { status: 429, body: '{"reason":"All lines are in use."}' };
  runtime.onDial(() => (runtime.dials().length < 2 ? { reply, takes: false } : undefined));
  const id = await place();
  await server.advance(5 * second);
  assert.deepEqual([runtime.dials().length, runtime.known.has(id), (await call(id)).state], [2, true, 'dialing']);

  runtime.onDial(() => ({ reply, takes: false }));
  const other = await place();
  await server.advance(minute);
  assert.deepEqual(
    [(await call(other)).status, (await call(other))['error_message']],
    ['failed', 'All lines are in use.'],
  );
  assert.deepEqual(runtime.asked, []);
});

test('an agent with a live call is not deleted', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, agentId, place, now } = await httpBench(t, runtime);
  const id = await place();
  const refused = await server.del(`/agents/${agentId}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  await runtime.report(id, now(), { type: 'ended', status: 'busy' });
  assert.equal((await server.del(`/agents/${agentId}`)).status, 200);
});

test('a hang-up is sent to the runtime, and its later reports on the call are stored', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, place, call, now, settled } = await httpBench(t, runtime);
  const id = await place();
  await runtime.report(id, now(), { type: 'answered' });
  await server.advance(20 * second);
  assert.equal((await server.post(`/calls/${id}/hangup`)).status, 200);
  await settled();
  assert.deepEqual(runtime.hungUp, [id]);
  const { headers, text } = runtime.seen.at(-1)!;
  assert.deepEqual(JSON.parse(text), { type: 'call.hangup', call_session_id: id });
  assert.equal(headers['webhook-id'], `${id}-hangup`);

  await server.advance(3 * second);
  const report = {
    type: 'ended',
    status: 'failed',
    disconnect_reason: 'agent_hangup',
    duration_sec: 99,
    recording_url: 'https://recordings.example/2.mp3',
    cost_total: 0.02,
    entries: [{ id: 'a', timestamp_ms: 0, role: 'agent', content: 'Hello!' }],
  };
  assert.equal(await runtime.report(id, now(), report), 'ended');
  const again = { ...report, recording_url: 'https://recordings.example/3.mp3', cost_total: 5 };
  assert.equal(await runtime.report(id, now(), again), 'ended');
  const { status, duration_sec, disconnect_reason, error_message, recording_url, cost_total, transcripts } =
    await call(id);
  assert.deepEqual([status, duration_sec, disconnect_reason, error_message], ['completed', 20, 'agent_hangup', null]);
  assert.deepEqual([recording_url, cost_total], ['https://recordings.example/2.mp3', 0.02]);
  assert.equal((transcripts as unknown[]).length, 1);
});

test('a hang-up during dialing is sent once the runtime has the call', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, placeOnly, call, settled } = await httpBench(t, runtime);
  runtime.onDial(() => ({ reply: 'hang', takes: true }));
  const id = await placeOnly();
  await runtime.until(() => runtime.dials().length === 1);
  assert.equal((await server.post(`/calls/${id}/hangup`)).status, 200);
  assert.deepEqual([(await call(id)).state, (await call(id)).status, runtime.hungUp], ['ended', 'no_answer', []]);
  runtime.release(202);
  await settled();
  assert.deepEqual([runtime.hungUp, (await call(id)).state, runtime.dials().length], [[id], 'ended', 1]);
});

test('a call without further reports fails, and the runtime is told to hang up', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, place, call, now } = await httpBench(t, runtime);
  const id = await place();
  await runtime.report(id, now(), { type: 'answered' });
  await server.advance(10 * minute + 59 * second);
  assert.deepEqual([(await call(id)).state, runtime.hungUp], ['in_progress', []]);
  await server.advance(second);
  const { status, disconnect_reason } = await call(id);
  assert.deepEqual([status, disconnect_reason, runtime.hungUp], ['failed', 'error', [id]]);
});

/** Dials, and copies the data directory while the runtime's answer is pending, as a crash at that moment would leave it. */
async function crashedWhileDialing(t: TestContext, takes: boolean) {
  const runtime = await voiceRuntime(t);
  const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'parley-crash-')));
  t.after(() => directories.forEach((path) => rmSync(path, { recursive: true, force: true })));
  const [data, left] = directories as [string, string];
  const first = await httpBench(t, runtime, { data });
  runtime.onDial(() => ({ reply: 'hang', takes }));
  const id = await first.placeOnly();
  await runtime.until(() => runtime.dials().length === 1);
  cpSync(data, left, { recursive: true });
  const server = await startTestServer({ data: left, settings: httpSettings(runtime.url) });
  t.after(() => server.stop());
  runtime.reportTo(server.url);
  const bench = onServer(server, first.agentId, first.numberId);
  await bench.settled();
  return { runtime, id, ...bench };
}

test(
  'after a crash during dialing the runtime is asked, and a call that it knows continues',
  { skip: sqliteAlone('it copies the files as a crash leaves them') },
  async (t) => {
    const { runtime, id, call, now } = await crashedWhileDialing(t, true);
    assert.deepEqual([runtime.asked, runtime.dials().length, (await call(id)).state], [[id], 1, 'dialing']);
    await runtime.report(id, now(), { type: 'answered' });
    await runtime.report(id, now(), { type: 'ended', status: 'completed', duration_sec: 7 });
    assert.deepEqual([(await call(id)).status, (await call(id))['duration_sec']], ['completed', 7]);
  },
);

test(
  'after a crash during dialing a call that the runtime does not know fails and is not dialed again',
  { skip: sqliteAlone('it copies the files as a crash leaves them') },
  async (t) => {
    const { runtime, id, call } = await crashedWhileDialing(t, false);
    assert.deepEqual([runtime.asked, runtime.dials().length], [[id], 1]);
    const { status, error_message } = await call(id);
    assert.equal(status, 'failed');
    assert.equal(error_message, 'The server stopped while dialing and the carrier does not know the call.');
  },
);

test('a campaign runs through the runtime, including retries and refusals', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, agentId, numberId, now } = await httpBench(t, runtime);
  runtime.onDial(({ to }) => {
    const refusal = { accepted: false, reason: 'Not a number.', invalid_number: true };
    return to === '+493090182003' ? { reply: { status: 200, body: JSON.stringify(refusal) }, takes: false } : undefined;
  });
  const created = await server.post('/campaigns', {
    name: 'Spring',
    agentId,
    phoneNumberId: numberId,
    maxCps: 10,
    schedule: { retryAttempts: 1, retryGapMin: 10 },
  });
  const contacts = [1, 2, 3].map((number) => ({ first_name: `No ${number}`, phone: `+49309018200${number}` }));
  const path = `/campaigns/${created.body.data.id}`;
  assert.equal((await server.post(`${path}/contacts`, { contacts })).status, 200);
  assert.equal((await server.patch(path, { status: 'active' })).status, 200);
  await server.advance(second);

  const dialed = (to: string): Message[] => [...runtime.known.values()].filter((message) => message['to'] === to);
  const end = (message: Message, event: Record<string, unknown>): Promise<string> =>
    runtime.report(message.call_session_id, now(), { type: 'ended', ...event });
  assert.equal(runtime.dials().length, 3);
  const [one, two] = ['+493090182001', '+493090182002'].map((to) => dialed(to)[0]!) as [Message, Message];
  assert.deepEqual(
    [one['campaign_id'], one['contact'], one['attempt']],
    [created.body.data.id, { name: 'No 1', email: null }, 1],
  );
  const goalsMet = { sentiment: 'positive', disposition: 'booked', goals_met: true, next_steps: '' };
  await end(one, { status: 'completed', duration_sec: 30, post_call_analysis: goalsMet });
  await end(two, { status: 'busy' });
  await end(two, { status: 'busy' });

  await server.advance(10 * minute);
  const again = dialed('+493090182002')[1]!;
  assert.deepEqual([again['attempt'], runtime.dials().length], [2, 4]);
  await end(again, { status: 'failed', error_message: 'Line cut.' });

  const joined = await server.get<Array<Record<string, unknown>>>(`${path}/contacts`);
  assert.deepEqual(
    joined.body.data.map((contact) => [contact['status'], contact['error_message']]),
    [
      ['completed', null],
      ['failed', 'Line cut.'],
      ['failed', 'Not a number.'],
    ],
  );
  const { status, contactStats } = (await server.get(path)).body.data as Record<string, unknown>;
  assert.equal(status, 'completed');
  assert.deepEqual(contactStats, {
    total: 3,
    contacted: 1,
    successful: 1,
    failed: 2,
    noAnswer: 0,
    pending: 0,
    inProgress: 0,
  });
});

test('the server does not start without the settings that the driver needs, and names them', async () => {
  const faultsOf = async (settings: Record<string, string>): Promise<string[]> => {
    const error = await startTestServer({ settings: { 'carrier.driver': 'http', ...settings } }).then(
      () => assert.fail('it started'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ConfigError, String(error));
    assert.equal(error.exitCode, 78);
    return error.faults.map(({ setting, message }) => (message.includes(setting) ? setting : message));
  };
  assert.deepEqual(await faultsOf({}), ['carrier.http.url', 'carrier.http.secret']);
  const complete = httpSettings('http://127.0.0.1:9/');
  assert.deepEqual(await faultsOf({ ...complete, 'carrier.http.url': 'null' }), ['carrier.http.url']);
  for (const host of ['0.0.0.0', '"::"']) {
    assert.deepEqual(await faultsOf({ ...complete, 'http.host': host }), ['http.public_url']);
  }
  for (const bad of ['whsec_', 'whsec_not base64', 'whsec_A']) {
    assert.deepEqual(await faultsOf({ ...complete, 'carrier.http.secret': bad }), ['carrier.http.secret']);
  }
});

test(
  'a campaign whose dials hang keeps no other campaign of the organization waiting',
  { timeout: 240_000 },
  async (t) => {
    const runtime = await voiceRuntime(t);
    const settings = { 'carrier.http.timeout_ms': '240000' };
    const { server, agentId, numberId } = await httpBench(t, runtime, { settings });
    runtime.onDial(({ to }) => (to === '+493090182999' ? undefined : { reply: 'hang', takes: true }));
    const campaign = async (phones: readonly string[]): Promise<void> => {
      const schedule = { maxConcurrent: 1000 };
      const { id } = dataOf(
        await server.post('/campaigns/', { name: 'One', agentId, phoneNumberId: numberId, maxCps: 100, schedule }),
      );
      dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts: phones.map((phone) => ({ phone })) }));
      dataOf(await server.patch(`/campaigns/${id}`, { status: 'active' }));
    };
    dataOf(await server.patch(`/phone-numbers/${numberId}`, { max_concurrent: 1000, max_cps: 100 }));
    const clock = server.running.app.clock as TestClock;
    await campaign(Array.from({ length: 90 }, () => aPhone()));
    // The dials hang, so the clock is moved without waiting for them.
    const goOn = async (): Promise<void> => {
      clock.set(clock.now() + 10);
      for (let tick = 0; tick < 20; tick += 1) await nextMacrotask();
    };
    for (let slot = 0; slot < 95; slot += 1) await goOn();
    await campaign(['+493090182999']);
    while (!runtime.dials().some(({ text }) => text.includes('+493090182999'))) await goOn();
    assert.ok(runtime.dials().length < 90, 'the first campaign takes all slots');
  },
);
