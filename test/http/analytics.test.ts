import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { wrongNumbers } from '../../src/main/kept-numbers.ts';
import { anAgent, aPhone } from '../support/fixtures.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { type CallingOrg, msOf, newCallingOrg, nowOf } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Figures = Record<string, number> & {
  latency: { count: number; p50_ms: number | null; p95_ms: number | null; buckets: number[] };
};
type Analytics = {
  id: string;
  from: string;
  to: string;
  timezone: string;
  buckets: string[];
  rows: Array<{ key: string; name: string | null; totals: Figures; series: Figures[] }>;
};

const analytics = async ({ client }: CallingOrg, query = ''): Promise<Analytics> =>
  dataOf(await client.get<Analytics>(`/analytics${query}`));

test('figures of seven days are told by default, and rows by agent, campaign, edition, number and direction', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00'), aPhone('01'), aPhone('02'), aPhone('04')]);
  dataOf(await org.client.put(`/agents/${org.agentId}`, { prompt: 'Be brief.' }));
  const single = { agent_id: org.agentId, phone_number_id: org.numberId, to: aPhone('00') };
  dataOf(await org.client.post('/calls', single));
  await server.advance(120_000);
  const whole = await analytics(org);
  assert.equal(whole.buckets.length, 7);
  assert.equal(whole.timezone, 'UTC');
  assert.equal(
    whole.buckets[6]!.slice(0, 10),
    dataOf(await org.client.get<{ now: string }>('/test-clock')).now.slice(0, 10),
  );
  const [all] = whole.rows;
  assert.equal(all?.key, 'all');
  const {
    calls,
    answered,
    completed,
    voicemail,
    busy,
    goals_met: met,
    goals_judged: judged,
    talk_sec: talk,
  } = all.totals;
  assert.deepEqual([calls, answered, completed, voicemail, busy, met, judged, talk], [5, 3, 3, 1, 1, 2, 3, 90]);
  assert.equal(all.totals.latency.count, 3);
  assert.equal(all.series[6]!['calls'], 5);
  const keysOf = async (query: string) =>
    (await analytics(org, query)).rows.map(({ key, name, totals }) => [key, name, totals['calls']]);
  assert.deepEqual(await keysOf('?by=agent'), [[org.agentId, 'Robin', 5]]);
  assert.deepEqual(await keysOf('?by=campaign'), [
    [id, 'Spring', 4],
    ['none', 'No campaign', 1],
  ]);
  assert.deepEqual(await keysOf(`?by=edition&agent_id=${org.agentId}`), [
    ['2', 'Robin 2', 4],
    ['1', 'Robin 1', 1],
  ]);
  assert.deepEqual(await keysOf('?by=number'), [[org.numberId, org.phone, 5]]);
  assert.deepEqual(await keysOf('?by=direction'), [['outbound', 'outbound', 5]]);
  assert.deepEqual(await keysOf(`?edition=2`), [['all', 'All calls', 4]]);
  assert.deepEqual(await keysOf(`?campaign_id=${id}&by=weekday`), [['1', '1', 4]]);
  const csv = await org.client.get('/analytics?by=agent', { headers: { accept: 'text/csv' } });
  assert.match(csv.headers.get('content-type')!, /^text\/csv/);
  assert.match(csv.text, /^key,name,from,calls,answered/);
  assert.equal(csv.text.trim().split('\r\n').length, 2);
});

test('spans are whole steps in the zone, and at most 400', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch('/organization', { timezone: 'Asia/Kathmandu' }));
  const day = await analytics(org, '?from=2026-03-02T00:00:00&to=2026-03-03T00:00:00&step=hour');
  assert.deepEqual(
    [day.from, day.to, day.buckets.length],
    ['2026-03-01T18:15:00.000Z', '2026-03-02T18:15:00.000Z', 24],
  );
  const byDates = await analytics(org, '?from=2026-03-02&to=2026-03-03&step=hour');
  assert.deepEqual([byDates.from, byDates.to], [day.from, day.to]);
  for (const query of [
    '?from=2026-02-30&to=2026-03-02',
    '?from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z',
    '?from=2026-03-02T00:00:00&to=2026-03-01T00:00:00',
    '?from=2024-03-02T00:00:00&to=2026-03-02T00:00:00',
    '?step=minute',
    '?by=mood',
    '?timezone=Mars/Olympus',
    '?from=yesterday',
  ])
    assert.equal((await org.client.get(`/analytics${query}`)).status, 400, query);
  assert.equal((await org.client.patch('/organization', { timezone: 'Mars/Olympus' })).status, 400);
});

test('figures are the sum over all calls, whatever the zone and the step, and outlive the calls', async () => {
  const zones = ['UTC', 'Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York'];
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.constantFrom('00', '01', '02', '03', '04', '05', '10', '11', '57'),
          fc.integer({ min: 0, max: 40 * 60 }),
        ),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
      fc.constantFrom(...zones),
      fc.constantFrom('hour', 'day', 'week'),
      async (planned, timezone, step) => {
        const org = await newCallingOrg(server);
        dataOf(await org.client.patch('/organization', { timezone }));
        for (const [suffix, minutes] of planned) {
          const body = { agent_id: org.agentId, phone_number_id: org.numberId, to: aPhone(suffix) };
          dataOf(await org.client.post('/calls', body));
          await server.advance(minutes * 60_000);
        }
        await server.advance(600_000);
        const calls = await org.calls();
        const { buckets, rows, to } = await analytics(org, `?step=${step}&by=hour`);
        const began = calls.filter(({ started_at: at }) => msOf(at) >= msOf(buckets[0]!) && msOf(at) < msOf(to));
        const sum = (name: string): number => rows.reduce((total, { totals }) => total + totals[name]!, 0);
        assert.equal(sum('calls'), began.length);
        assert.equal(sum('answered'), began.filter(({ answered_at: at }) => at !== null).length);
        assert.equal(
          sum('talk_sec'),
          began.reduce((total, { duration_sec: sec }) => total + sec, 0),
        );
        const cost = began.reduce((total, call) => total + Number(call['cost_total']), 0);
        assert.ok(Math.abs(sum('cost') - cost) < 0.001);
        for (const [index, bucket] of buckets.entries()) {
          const end = buckets[index + 1] ?? to;
          const inBucket = began.filter(({ started_at: at }) => msOf(at) >= msOf(bucket) && msOf(at) < msOf(end));
          const counted = rows.reduce((total, { series }) => total + series[index]!['calls']!, 0);
          assert.equal(counted, inBucket.length, bucket);
        }
      },
    ),
    { numRuns: propertyRuns({ few: 3, all: 200 }) },
  );
  assert.deepEqual(await wrongNumbers(server.running.app.db), []);
});

test('the fifty agents that called most of all are told apart, and the others are one, also where clocks change', async () => {
  const own = await startTestServer({ testClock: '2026-03-28T12:00:00Z' });
  after(() => own.stop());
  const org = await newCallingOrg(own);
  dataOf(await org.client.patch('/organization', { timezone: 'Europe/Berlin' }));
  const agents = await Promise.all(Array.from({ length: 55 }, () => anAgent(org.client)));
  const call = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      const body = { agent_id: id, phone_number_id: org.numberId, to: aPhone('00') };
      dataOf(await org.client.post('/calls', body));
    }
    await own.advance(86_400_000);
  };
  const ids = agents.map(({ id }) => id);
  const [first, second] = [ids.slice(0, 52), [...ids.slice(2), ...ids.slice(50)]];
  await call(first);
  await call(second);
  const { rows } = await analytics(org, '?by=agent&step=day&from=2026-03-28&to=2026-03-31');
  const callsOf = (days: readonly string[][], id: string) =>
    days.map((day) => day.filter((each) => each === id).length);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const expected = ids
    .map((id) => ({ key: id, calls: callsOf([first, second, []], id) }))
    .toSorted((a, b) => sum(b.calls) - sum(a.calls) || (a.key < b.key ? -1 : 1));
  const others = expected.splice(50).map(({ calls }) => calls);
  const other = { key: 'other', calls: [0, 1, 2].map((day) => sum(others.map((calls) => calls[day]!))) };
  assert.equal(sum(other.calls), 2 + 3 * 2);
  assert.deepEqual(
    rows.map(({ key, series }) => ({ key, calls: series.map((day) => day['calls']) })),
    [...expected, other],
  );
  assert.deepEqual(
    rows.map(({ totals }) => totals['calls']),
    [...expected, other].map(({ calls }) => sum(calls)),
  );
  assert.equal(rows[50]!.name, 'Other');
});

test('figures stay when calls are deleted', async () => {
  const own = await startTestServer({ settings: { 'calls.retention_days': '1' } });
  after(() => own.stop());
  const org = await newCallingOrg(own);
  await org.run([aPhone('00')]);
  await own.advance(60_000);
  await own.advance(3 * 86_400_000);
  assert.deepEqual(await org.calls(), []);
  assert.equal((await analytics(org)).rows[0]?.totals['calls'], 1);
  assert.ok(nowOf(own) > 0);
});
