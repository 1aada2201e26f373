import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { scriptOf } from '../../src/features/calls/carriers/simulated/script.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { advanceTo, type Desk, newDesk, nowOf, since } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const hourMs = 3_600_000;

/** Status, start and end of each call, in seconds since an instant. */
const history = async (desk: Desk, startMs: number) =>
  (await desk.calls()).map((call) => [
    call.attempt,
    call.status,
    since(startMs, call.started_at),
    since(startMs, call.ended_at),
  ]);

test('a retry comes retryGapMin minutes after the call ended, to the millisecond', async () => {
  const desk = await newDesk(server);
  const start = nowOf(server);
  const { id } = await desk.run([aPhone('02')], { schedule: { retryAttempts: 1, retryGapMin: 10 } });
  await server.advance(5000);
  const [contact] = await desk.contacts(id);
  assert.deepEqual([contact!.status, since(start, contact!.next_retry_at)], ['pending', 605]);
  await server.advance(599_999);
  assert.equal((await desk.calls()).length, 1);
  await server.advance(1);
  assert.equal((await desk.calls()).length, 2);
  assert.deepEqual((await desk.contacts(id))[0]!.next_retry_at, null);
  await server.advance(5000);
  assert.deepEqual(await history(desk, start), [
    [1, 'busy', 0, 5],
    [2, 'busy', 605, 610],
  ]);
});

for (const [suffix, status] of [
  ['02', 'busy'],
  ['03', 'no_answer'],
  ['04', 'voicemail'],
  ['05', 'failed'],
  ['09', 'failed'],
] as const) {
  test(`${status} (${suffix}) is retried up to retryAttempts times and then becomes the outcome`, async () => {
    const desk = await newDesk(server);
    const { id } = await desk.run([aPhone(suffix)], { schedule: { retryAttempts: 3, retryGapMin: 1 } });
    await server.advance(hourMs);
    assert.deepEqual(
      (await desk.calls()).map((call) => [call.attempt, call.status]),
      [1, 2, 3, 4].map((attempt) => [attempt, status]),
    );
    const [contact] = await desk.contacts(id);
    assert.deepEqual([contact!.status, contact!.attempt_count, contact!.next_retry_at], [status, 4, null]);
    assert.equal((await desk.read(id)).status, 'completed');
  });
}

test('there is no retry after completed, for an invalid number, or if retryAttempts is 0', async () => {
  const desk = await newDesk(server);
  const retrying = { schedule: { retryAttempts: 5, retryGapMin: 1 } };
  await desk.run([aPhone('00'), aPhone('01'), aPhone('06')], retrying);
  await desk.run([aPhone('02'), aPhone('03'), aPhone('05')]);
  await server.advance(hourMs);
  assert.deepEqual((await desk.calls()).length, 6);
  const campaigns = dataOf(await desk.client.get<Array<{ status: string }>>('/campaigns/?status=completed'));
  assert.equal(campaigns.length, 2);
});

test('only the outcomes in retryOn are retried', async () => {
  for (const [retryOn, retried] of [
    [['busy'], ['busy']],
    [
      ['no_answer', 'voicemail'],
      ['no_answer', 'voicemail'],
    ],
    [['failed'], ['failed', 'failed']],
    [[], []],
  ] as const) {
    const desk = await newDesk(server);
    const phones = ['02', '03', '04', '05', '06', '09'].map((suffix) => aPhone(suffix));
    await desk.run(phones, { retryOn, maxCps: 10, schedule: { retryAttempts: 1, retryGapMin: 1 } });
    await server.advance(hourMs);
    const second = (await desk.calls()).filter(({ attempt }) => attempt === 2);
    assert.deepEqual(second.map(({ status }) => String(status)).toSorted(), retried, retryOn.join());
  }
});

test('a success clears the error_message of an earlier failure, and a later failure sets it again', async () => {
  const phone = Array.from({ length: 10_000 }, (_, index) => `+493055${String(index).padStart(6, '0')}50`).find(
    (candidate) => scriptOf(candidate, 1).ending === 'failed' && scriptOf(candidate, 2).ending === 'completed',
  )!;
  const desk = await newDesk(server);
  const { id } = await desk.run([phone], { schedule: { retryAttempts: 1, retryGapMin: 1 } });
  await server.advance(59_000);
  assert.match((await desk.contacts(id))[0]!.error_message!, /./);
  await server.advance(hourMs);
  const [contact] = await desk.contacts(id);
  assert.deepEqual([contact!.status, contact!.error_message], ['completed', null]);
  const [failed, succeeded] = await desk.calls();
  assert.deepEqual([failed!.error_message === null, succeeded!.error_message], [false, null]);
});

test('a retry outside the window moves to the next opening', async () => {
  const desk = await newDesk(server);
  await advanceTo(server, '2026-03-06T16:59:58Z');
  const schedule = { retryAttempts: 1, retryGapMin: 1, windowStart: '09:00', windowEnd: '17:00', windowDays: [1, 5] };
  const { id } = await desk.run([aPhone('02')], { schedule });
  await server.advance(5000);
  const [contact] = await desk.contacts(id);
  assert.deepEqual([contact!.status, contact!.next_retry_at], ['pending', '2026-03-09T09:00:00.000Z']);
  await advanceTo(server, '2026-03-09T08:59:59.999Z');
  assert.equal((await desk.calls()).length, 1);
  await server.advance(1);
  assert.equal((await desk.calls())[1]!.started_at, '2026-03-09T09:00:00.000Z');
});

test('a retry moves to the next opening in the contact’s own time zone', async () => {
  const desk = await newDesk(server);
  await advanceTo(server, '2026-03-09T11:00:00Z');
  const schedule = { retryAttempts: 1, retryGapMin: 240, windowStart: '09:00', windowEnd: '13:00', timezone: 'UTC' };
  const contacts = ['UTC', 'Asia/Kolkata', 'America/Sao_Paulo'].map((timezone) => ({ phone: aPhone('02'), timezone }));
  const { id } = await desk.run(contacts, { schedule });
  await server.advance(10_000);
  assert.deepEqual(
    (await desk.contacts(id)).map(({ status, next_retry_at: at }) => [status, at]),
    [
      ['pending', '2026-03-10T09:00:00.000Z'],
      ['pending', null], // 16:30 there: not called yet
      ['pending', null], // 08:00 there
    ],
  );
  await advanceTo(server, '2026-03-09T12:01:00Z');
  const [, india, brazil] = await desk.contacts(id);
  assert.deepEqual([india!.attempt_count, brazil!.next_retry_at], [0, '2026-03-10T12:00:00.000Z']);
  await advanceTo(server, '2026-03-10T03:31:00Z');
  assert.equal((await desk.contacts(id))[1]!.next_retry_at, '2026-03-11T03:30:00.000Z');
});

test('a call hung up before the answer is no_answer and is retried by the rule', async () => {
  const desk = await newDesk(server);
  const start = nowOf(server);
  const { id } = await desk.run([aPhone('00')], { schedule: { retryAttempts: 1, retryGapMin: 2 } });
  await server.advance(2000);
  const [call] = await desk.calls();
  dataOf(await desk.client.post(`/calls/${call!.call_session_id}/hangup`));
  const [contact] = await desk.contacts(id);
  assert.deepEqual([contact!.status, since(start, contact!.next_retry_at)], ['pending', 122]);
  await server.advance(hourMs);
  assert.deepEqual(await history(desk, start), [
    [1, 'no_answer', 0, 2],
    [2, 'completed', 122, 157],
  ]);
});

test('each attempt is a separate, numbered call, and the contact shows the last one', async () => {
  const desk = await newDesk(server);
  const start = nowOf(server);
  const { id } = await desk.run([aPhone('03')], { schedule: { retryAttempts: 2, retryGapMin: 1 } });
  await server.advance(hourMs);
  const calls = await desk.calls(`&campaign_id=${id}`);
  assert.equal(new Set(calls.map((call) => call.call_session_id)).size, 3);
  const [contact] = await desk.contacts(id);
  assert.deepEqual(
    [contact!.call_session_id, since(start, contact!.last_attempted_at)],
    [calls[2]!.call_session_id, 130],
  );
});
