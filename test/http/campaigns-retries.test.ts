import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { numberScript } from '../../src/features/calls/carriers/simulated/script.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { advanceTo, type CallingOrg, newCallingOrg, nowOf, since } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const hourMs = 3_600_000;

/** Status, start and end of each call, in seconds since an instant. */
const history = async (org: CallingOrg, startMs: number) =>
  (await org.calls()).map((call) => [
    call.attempt,
    call.status,
    since(startMs, call.started_at),
    since(startMs, call.ended_at),
  ]);

test('a retry comes retryGapMin minutes after the call ended, to the millisecond', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const { id } = await org.run([aPhone('02')], { schedule: { retryAttempts: 1, retryGapMin: 10 } });
  await server.advance(5000);
  const [contact] = await org.contacts(id);
  assert.deepEqual([contact!.status, since(start, contact!.next_retry_at)], ['pending', 605]);
  await server.advance(599_999);
  assert.equal((await org.calls()).length, 1);
  await server.advance(1);
  assert.equal((await org.calls()).length, 2);
  assert.deepEqual((await org.contacts(id))[0]!.next_retry_at, null);
  await server.advance(5000);
  assert.deepEqual(await history(org, start), [
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
    const org = await newCallingOrg(server);
    const { id } = await org.run([aPhone(suffix)], { schedule: { retryAttempts: 3, retryGapMin: 1 } });
    await server.advance(hourMs);
    assert.deepEqual(
      (await org.calls()).map((call) => [call.attempt, call.status]),
      [1, 2, 3, 4].map((attempt) => [attempt, status]),
    );
    const [contact] = await org.contacts(id);
    assert.deepEqual([contact!.status, contact!.attempt_count, contact!.next_retry_at], [status, 4, null]);
    assert.equal((await org.read(id)).status, 'completed');
  });
}

test('there is no retry after completed, for an invalid number, or if retryAttempts is 0', async () => {
  const org = await newCallingOrg(server);
  const retrying = { schedule: { retryAttempts: 5, retryGapMin: 1 } };
  await org.run([aPhone('00'), aPhone('01'), aPhone('06')], retrying);
  await org.run([aPhone('02'), aPhone('03'), aPhone('05')]);
  await server.advance(hourMs);
  assert.deepEqual((await org.calls()).length, 6);
  const campaigns = dataOf(await org.client.get<Array<{ status: string }>>('/campaigns/?status=completed'));
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
    const org = await newCallingOrg(server);
    const phones = ['02', '03', '04', '05', '06', '09'].map((suffix) => aPhone(suffix));
    await org.run(phones, { retryOn, maxCps: 10, schedule: { retryAttempts: 1, retryGapMin: 1 } });
    await server.advance(hourMs);
    const second = (await org.calls()).filter(({ attempt }) => attempt === 2);
    assert.deepEqual(second.map(({ status }) => String(status)).toSorted(), retried, retryOn.join());
  }
});

test('a success clears the error_message of an earlier failure, and a later failure sets it again', async () => {
  const phone = Array.from({ length: 10_000 }, (_, index) => `+493055${String(index).padStart(6, '0')}50`).find(
    (candidate) => numberScript(candidate, 1).ending === 'failed' && numberScript(candidate, 2).ending === 'completed',
  )!;
  const org = await newCallingOrg(server);
  const { id } = await org.run([phone], { schedule: { retryAttempts: 1, retryGapMin: 1 } });
  await server.advance(59_000);
  assert.match((await org.contacts(id))[0]!.error_message!, /./);
  await server.advance(hourMs);
  const [contact] = await org.contacts(id);
  assert.deepEqual([contact!.status, contact!.error_message], ['completed', null]);
  const [failed, succeeded] = await org.calls();
  assert.deepEqual([failed!.error_message === null, succeeded!.error_message], [false, null]);
});

test('a retry outside the window moves to the next opening', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-06T16:59:58Z');
  const schedule = { retryAttempts: 1, retryGapMin: 1, windowStart: '09:00', windowEnd: '17:00', windowDays: [1, 5] };
  const { id } = await org.run([aPhone('02')], { schedule });
  await server.advance(5000);
  const [contact] = await org.contacts(id);
  assert.deepEqual([contact!.status, contact!.next_retry_at], ['pending', '2026-03-09T09:00:00.000Z']);
  await advanceTo(server, '2026-03-09T08:59:59.999Z');
  assert.equal((await org.calls()).length, 1);
  await server.advance(1);
  assert.equal((await org.calls())[1]!.started_at, '2026-03-09T09:00:00.000Z');
});

test('a retry moves to the next opening in the contact’s own time zone', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-09T11:00:00Z');
  const schedule = { retryAttempts: 1, retryGapMin: 240, windowStart: '09:00', windowEnd: '13:00', timezone: 'UTC' };
  const contacts = ['UTC', 'Asia/Kolkata', 'America/Sao_Paulo'].map((timezone) => ({ phone: aPhone('02'), timezone }));
  const { id } = await org.run(contacts, { schedule });
  await server.advance(10_000);
  assert.deepEqual(
    (await org.contacts(id)).map(({ status, next_retry_at: at }) => [status, at]),
    [
      ['pending', '2026-03-10T09:00:00.000Z'],
      ['pending', null], // 16:30 in the contact's time zone: not called yet
      ['pending', null], // 08:00 in the contact's time zone
    ],
  );
  await advanceTo(server, '2026-03-09T12:01:00Z');
  const [, india, brazil] = await org.contacts(id);
  assert.deepEqual([india!.attempt_count, brazil!.next_retry_at], [0, '2026-03-10T12:00:00.000Z']);
  await advanceTo(server, '2026-03-10T03:31:00Z');
  assert.equal((await org.contacts(id))[1]!.next_retry_at, '2026-03-11T03:30:00.000Z');
});

test('a call hung up before the answer is no_answer and is retried by the rule', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const { id } = await org.run([aPhone('00')], { schedule: { retryAttempts: 1, retryGapMin: 2 } });
  await server.advance(2000);
  const [call] = await org.calls();
  dataOf(await org.client.post(`/calls/${call!.call_session_id}/hangup`));
  const [contact] = await org.contacts(id);
  assert.deepEqual([contact!.status, since(start, contact!.next_retry_at)], ['pending', 122]);
  await server.advance(hourMs);
  assert.deepEqual(await history(org, start), [
    [1, 'no_answer', 0, 2],
    [2, 'completed', 122, 157],
  ]);
});

test('each attempt is a separate, numbered call, and the contact shows the last one', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const { id } = await org.run([aPhone('03')], { schedule: { retryAttempts: 2, retryGapMin: 1 } });
  await server.advance(hourMs);
  const calls = await org.calls(`&campaign_id=${id}`);
  assert.equal(new Set(calls.map((call) => call.call_session_id)).size, 3);
  const [contact] = await org.contacts(id);
  assert.deepEqual(
    [contact!.call_session_id, since(start, contact!.last_attempted_at)],
    [calls[2]!.call_session_id, 130],
  );
});
