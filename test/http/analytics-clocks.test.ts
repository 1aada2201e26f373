import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Day, todayOf } from '../../src/features/analytics/analytics.ts';
import { wrongNumbers } from '../../src/main/kept-numbers.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { advanceTo, type Call, type CallingOrg, isoAt, msOf, newCallingOrg } from './calling-support.ts';

/** Analytics around changes of clocks, against a sum over the list of all calls that knows days and hours by the wall clock alone. */

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const zones = ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
const suffixes = ['00', '01', '02', '03', '04', '05', '10', '11', '57'];

type Figures = Record<string, number> & { latency: { count: number } };
type Row = { key: string; totals: Figures; series: Figures[] };
type Answer = { id: string; from: string; to: string; timezone: string; buckets: string[]; rows: Row[] };
type Zoned = Temporal.ZonedDateTime;

const zonedAt = (ms: number, zone: string): Zoned =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
const startedOf = (call: Call): number => msOf(call.started_at ?? call.created_at);

/** The same text for all instants of one step. An hour that comes twice has two offsets. */
const stepLabels = {
  hour: (at: Zoned) => `${at.toPlainDate().toString()} ${at.hour} ${at.offset}`,
  day: (at: Zoned) => at.toPlainDate().toString(),
  week: (at: Zoned) => `${at.yearOfWeek} ${at.weekOfYear}`,
};
const keys = {
  none: () => 'all',
  hour: (at: Zoned) => String(at.hour),
  weekday: (at: Zoned) => String(at.dayOfWeek),
};
type StepName = keyof typeof stepLabels;
type Grouping = keyof typeof keys;
type Question = { zone: string; step: StepName; by: Grouping; from: Temporal.PlainDate; to: Temporal.PlainDate };

function figuresOf(calls: readonly Call[]): Record<string, number> {
  const count = (is: (call: Call) => boolean): number => calls.filter(is).length;
  const statuses = ['completed', 'voicemail', 'no_answer', 'busy', 'failed'] as const;
  return {
    calls: calls.length,
    answered: count(({ answered_at: at }) => at !== null),
    ...Object.fromEntries(statuses.map((status) => [status, count((call) => call.status === status)])),
    goals_met: count((call) => call['met'] === true),
    talk_sec: calls.reduce((sum, call) => sum + call.duration_sec, 0),
    latencies: count((call) => call['call_latency_ms'] !== null),
  };
}

const comparable = ({ latency, ...figures }: Figures): Record<string, number> => ({
  ...Object.fromEntries(Object.keys(figuresOf([])).map((name) => [name, figures[name]!])),
  latencies: latency.count,
});

/** The beginnings of the steps, found by walking through the quarters of an hour. */
function stepsOf({ zone, step, from, to }: Question): number[] {
  const end = to.toZonedDateTime(zone).epochMilliseconds;
  const starts: number[] = [];
  let last: string | undefined;
  for (let at = from.toZonedDateTime(zone).epochMilliseconds; at < end; at += quarterMs) {
    const label = stepLabels[step](zonedAt(at, zone));
    if (label !== last) starts.push(at);
    last = label;
  }
  return starts;
}

/** For each key the figures of each step, added up over the calls. */
function summed(question: Question, calls: readonly Call[]): object {
  const { zone, step, by, to } = question;
  const starts = stepsOf(question);
  const end = to.toZonedDateTime(zone).epochMilliseconds;
  const labels = starts.map((at) => stepLabels[step](zonedAt(at, zone)));
  const inSpan = calls.filter((call) => startedOf(call) >= starts[0]! && startedOf(call) < end);
  const byKey = Map.groupBy(inSpan, (call) => keys[by](zonedAt(startedOf(call), zone)));
  const rows = [...byKey].map(([key, own]) => {
    const inStep = Map.groupBy(own, (call) => stepLabels[step](zonedAt(startedOf(call), zone)));
    return [key, { totals: figuresOf(own), series: labels.map((label) => figuresOf(inStep.get(label) ?? [])) }];
  });
  return { buckets: starts.map(isoAt), rows: Object.fromEntries(rows) as object };
}

/** `zoneQuery` is left out where the zone is that of the organization. */
async function answered({ client }: CallingOrg, question: Question, zoneQuery = ''): Promise<object> {
  const { zone, step, by, from, to } = question;
  const query = `?step=${step}&by=${by}&from=${from.toString()}&to=${to.toString()}${zoneQuery}`;
  const { timezone, buckets, rows } = dataOf(await client.get<Answer>(`/analytics${query}`));
  assert.equal(timezone, zone);
  const entries = rows.map(({ key, totals, series }) => [
    key,
    { totals: comparable(totals), series: series.map(comparable) },
  ]);
  return { buckets, rows: Object.fromEntries(entries) as object };
}

const setZone = async ({ client }: CallingOrg, timezone: string): Promise<void> =>
  void dataOf(await client.patch('/organization', { timezone }));

/**
 * A call every seventeen minutes from four hours before a change to four hours after it, one in the last second before it and one at it.
 * Meanwhile the organization moves from zone to zone.
 */
async function callAround(server: TestServer, org: CallingOrg, change: string): Promise<void> {
  const at = msOf(change);
  const even = Array.from({ length: 29 }, (_, n) => at - 240 * minuteMs + n * 17 * minuteMs);
  for (const [n, instant] of [...even, at - 1000, at].toSorted((a, b) => a - b).entries()) {
    await advanceTo(server, isoAt(instant));
    if (n % 8 === 0) await setZone(org, zones[n / 8]!);
    const to = aPhone(suffixes[n % suffixes.length]);
    dataOf(await org.client.post('/calls', { agent_id: org.agentId, phone_number_id: org.numberId, to }));
  }
}

/** Compares the present day of the organization in a zone, and the same weekday a week before, with the calls by their hours. */
async function compareToday({ running: { app } }: TestServer, org: CallingOrg, zone: string): Promise<void> {
  await setZone(org, zone);
  const { weekBefore, agents, ...day } = await todayOf(app, org.client.orgId);
  const calls = (await org.calls()).map((call) => zonedAt(startedOf(call), zone));
  const today = zonedAt(app.clock.now(), zone).toPlainDate();
  const expect = (found: Day, date: Temporal.PlainDate): number[] => {
    const ofDay = calls.filter((at) => at.toPlainDate().equals(date));
    const hours = Array.from({ length: 24 }, (_, hour) => ofDay.filter((at) => at.hour === hour).length);
    assert.deepEqual([found.date, found.totals.calls], [date.toString(), ofDay.length], zone);
    assert.deepEqual(
      found.hours.map(({ calls: count }) => count),
      hours,
      zone,
    );
    return hours;
  };
  expect(weekBefore, today.subtract({ weeks: 1 }));
  assert.deepEqual(agents[0]!.calls, expect(day, today), zone);
}

/** Calls around each change, and compares analytics in each zone with the sums. */
async function compare(t: TestContext, changes: readonly string[]): Promise<void> {
  const server = await startTestServer({ testClock: isoAt(msOf(changes[0]!) - 300 * minuteMs) });
  t.after(() => server.stop());
  const org = await newCallingOrg(server);
  for (const change of changes) {
    await callAround(server, org, change);
    await server.advance(10 * minuteMs);
    for (const zone of zones) await compareToday(server, org, zone);
  }
  const met = new Set((await org.calls('&goals_met=true')).map(({ call_session_id: id }) => id));
  const calls = (await org.calls()).map((call) => ({ ...call, met: met.has(call.call_session_id) }));
  assert.ok(met.size > 0);
  assert.equal(calls.length, changes.length * 31);
  for (const zone of zones) {
    const dates = calls.map((call) => zonedAt(startedOf(call), zone).toPlainDate());
    for (const question of questionsOf(zone, dates)) {
      const found = await answered(org, question, `&timezone=${zone}`);
      assert.deepEqual(found, summed(question, calls), JSON.stringify(question));
    }
    await setZone(org, zone);
    const [first] = questionsOf(zone, dates);
    assert.deepEqual(await answered(org, first!), summed(first!, calls), `${zone} of the organization`);
  }
  assert.deepEqual(await wrongNumbers(server.running.app.db), []);
}

/** The whole time by day and by week, and each day with calls by hour. */
function questionsOf(zone: string, dates: readonly Temporal.PlainDate[]): Question[] {
  const [first, last] = [dates[0]!, dates.at(-1)!];
  const monday = (date: Temporal.PlainDate): Temporal.PlainDate => date.subtract({ days: date.dayOfWeek - 1 });
  const days = [...new Set(dates.map(String))].map((date) => Temporal.PlainDate.from(date));
  return [
    { zone, by: 'hour', step: 'day', from: first, to: last.add({ days: 1 }) },
    { zone, by: 'weekday', step: 'week', from: monday(first), to: monday(last).add({ weeks: 1 }) },
    ...days.map((day): Question => ({ zone, by: 'none', step: 'hour', from: day, to: day.add({ days: 1 }) })),
  ];
}

test('analytics are the sum over all calls where clocks go forward in Berlin and half an hour back on Lord Howe', (t) =>
  compare(t, ['2026-03-29T01:00:00Z', '2026-04-04T15:00:00Z']));

test('analytics are the sum over all calls where clocks go half an hour forward on Lord Howe and back in Berlin', (t) =>
  compare(t, ['2026-10-03T15:30:00Z', '2026-10-25T01:00:00Z']));
