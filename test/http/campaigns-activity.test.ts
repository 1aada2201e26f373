import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { type Call, type CallingOrg, isoAt, msOf, newCallingOrg, nowOf } from './calling-support.ts';

/** The test clock starts on Monday, 2 March 2026, at 09:00 UTC. */
const server = await startTestServer();
after(() => server.stop());

type Step = Data &
  Record<'started' | 'completed' | 'no_answer' | 'busy' | 'voicemail' | 'failed', number> & { at: string };
type Hour = Data & { weekday: number; hour: number; calls: number; answered: number };

const ask = (org: CallingOrg, id: string, query: Record<string, string> = {}) =>
  org.client.get<Step[] & Data>(`/campaigns/${id}/activity?${new URLSearchParams(query).toString()}`);
const stepsOf = async (org: CallingOrg, id: string, query?: Record<string, string>): Promise<Step[]> =>
  dataOf(await ask(org, id, query));
const hoursOf = async (org: CallingOrg, id: string): Promise<Hour[]> =>
  dataOf(await org.client.get<Hour[] & Data>(`/campaigns/${id}/hours`));

/** The steps that the answer must have, computed from the list of calls. */
function expected(calls: readonly Call[], from: number, stepMs: number, count: number): object[] {
  const within = (iso: string | null, step: number) => iso !== null && Math.floor((msOf(iso) - from) / stepMs) === step;
  return Array.from({ length: count }, (_, step) => {
    const ended = (status: string) =>
      calls.filter((call) => call.status === status && within(call.ended_at, step)).length;
    return {
      at: isoAt(from + step * stepMs),
      started: calls.filter((call) => within(call.started_at, step)).length,
      completed: ended('completed'),
      no_answer: ended('no_answer'),
      busy: ended('busy'),
      voicemail: ended('voicemail'),
      failed: ended('failed'),
    };
  });
}

test('activity counts calls by their start, and outcomes by their end, in any steps', async () => {
  const org = await newCallingOrg(server);
  await server.advance(12_345);
  const from = nowOf(server);
  const contacts = ['00', '02', '03', '04', '05', '00', '02', '00'].map((suffix) => aPhone(suffix));
  const { id } = await org.run(contacts, { schedule: { maxConcurrent: 2, retryAttempts: 1, retryGapMin: 5 } });
  for (const ms of [7_000, 61_000, 400_000]) {
    await server.advance(ms);
    const calls = await org.calls(`&campaign_id=${id}`);
    const to = nowOf(server);
    for (const step of [7, 60, 3600]) {
      const count = Math.ceil((to - from) / (step * 1000));
      if (count > 500) continue;
      const query = { from: isoAt(from), to: isoAt(to), step: String(step) };
      assert.deepEqual(await stepsOf(org, id, query), expected(calls, from, step * 1000, count), `${ms} ${step}`);
    }
  }
});

test('by default activity has steps of an hour from the first call to the last', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  assert.deepEqual(await stepsOf(org, id), [], 'without calls there is nothing to count');
  await org.add(id, [aPhone('02'), aPhone('00')]);
  await org.patch(id, { status: 'active', schedule: { retryAttempts: 1, retryGapMin: 150, maxConcurrent: 1 } });
  const from = nowOf(server);
  await server.advance(1_000);
  assert.deepEqual(
    (await stepsOf(org, id)).map(({ at, started }) => [at, started]),
    [[isoAt(from), 1]],
    'a live call has started',
  );
  await server.advance(3 * 3_600_000);
  const steps = await stepsOf(org, id);
  assert.deepEqual(
    steps.map(({ at, started, busy, completed }) => [at, started, busy, completed]),
    [
      [isoAt(from), 2, 1, 1],
      [isoAt(from + 3_600_000), 0, 0, 0],
      [isoAt(from + 7_200_000), 1, 1, 0],
    ],
  );
});

test('more than 500 steps are refused, and without a step a long range has longer ones', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const [from, to] = ['2026-03-02T09:00:00Z', '2026-03-30T09:00:00Z'];
  assert.deepEqual(faultPaths(await ask(org, id, { from, to, step: '4838' })), ['step']);
  assert.equal((await stepsOf(org, id, { from, to, step: '4839' })).length, 500);
  const steps = await stepsOf(org, id, { from, to });
  assert.deepEqual([steps.length, msOf(steps[1]!.at) - msOf(steps[0]!.at)], [336, 7_200_000]);
  assert.deepEqual(faultPaths(await ask(org, id, { from: to, to: from })), ['from', 'to']);
  const other = await server.newOrganization();
  for (const path of ['activity', 'hours']) assert.equal((await other.get(`/campaigns/${id}/${path}`)).status, 404);
});

test('hours count calls by weekday and hour on the wall clock of the campaign', async () => {
  const org = await newCallingOrg(server);
  const now = nowOf(server);
  const midnight = now - (now % 86_400_000) + 86_400_000;
  const schedule = {
    start: isoAt(midnight + 20 * 3_600_000 + 20 * 60_000),
    timezone: 'Asia/Kathmandu',
    maxConcurrent: 1,
    retryAttempts: 1,
    retryGapMin: 60,
  };
  const { id } = await org.run([aPhone('00'), aPhone('02')], { schedule });
  await server.advance(3 * 86_400_000);
  const hours = await hoursOf(org, id);
  assert.deepEqual([hours.length, hours[0]!.weekday, hours[0]!.hour, hours[167]!.weekday], [168, 1, 0, 7]);
  const called = hours.filter(({ calls }) => calls > 0);
  const weekday = Temporal.Instant.fromEpochMilliseconds(midnight).toZonedDateTimeISO('UTC').dayOfWeek;
  // 20:20 UTC is 02:05 on the next day in Kathmandu.
  const next = (weekday % 7) + 1;
  assert.deepEqual(called, [
    { weekday: next, hour: 2, calls: 2, answered: 1 },
    { weekday: next, hour: 3, calls: 1, answered: 0 },
  ]);
});
