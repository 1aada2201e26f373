import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { advanceTo, type CallingOrg, isoAt, newCallingOrg, nowOf } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Plan = Data & {
  openings: Array<{ opens_at: string; closes_at: string; capacity: number }>;
  eligible: number;
  skipped: Array<{ reason: string; code: string; count: number }>;
  finishes_at: string | null;
};
const planOf = async (org: CallingOrg, id: string) => dataOf(await org.client.get<Plan>(`/campaigns/${id}/plan`));
const phones = (count: number, suffix = '00') => Array.from({ length: count }, () => aPhone(suffix));

test('openings say how many calls are likely and how many contacts are left, with retries as earlier calls ended', async () => {
  const org = await newCallingOrg(server);
  type Drawn = { id: string; finishes_at: string | null; openings: Array<{ expected: number; left: number }> };
  const drawn = async (id: string): Promise<[number[][], string | null]> => {
    const plan = dataOf(await org.client.get<Drawn>(`/campaigns/${id}/plan`));
    return [plan.openings.map(({ expected, left }) => [expected, left]), plan.finishes_at];
  };
  const midnight = Math.ceil(nowOf(server) / 86_400_000) * 86_400_000;
  await advanceTo(server, isoAt(midnight));
  const hours = { windowStart: '09:00', windowEnd: '09:10', timezone: 'UTC', maxConcurrent: 1 };
  const schedule = { ...hours, retryAttempts: 2, retryGapMin: 60 };
  const { id } = await org.campaign({ schedule });
  await org.add(id, phones(25));
  assert.deepEqual((await drawn(id))[0], [
    [10, 15],
    [10, 5],
    [5, 0],
  ]);
  // Half of them are busy, always.
  const { id: past } = await org.run([...phones(10, '02'), ...phones(10, '00')], {
    schedule: { retryAttempts: 2, retryGapMin: 1, maxConcurrent: 1 },
  });
  await server.advance(3_600_000);
  assert.equal((await org.read(past)).status, 'completed');
  const [openings] = await drawn(id);
  const total = openings.reduce((sum, [expected]) => sum + expected!, 0);
  assert.ok(Math.abs(total - 25 * (1 + 0.5 + 0.5)) <= 1, JSON.stringify(openings));
  assert.equal(openings.at(-1)![1], 0);
});

test('a campaign that does not exist yet can be planned, by viewers too', async () => {
  const org = await newCallingOrg(server);
  const key = await org.client.keyWithRole('viewer');
  const ask = (body: object) => org.client.post<Plan & { ready: unknown }>('/plan', body, { key });
  const midnight = Math.ceil(nowOf(server) / 86_400_000) * 86_400_000;
  await advanceTo(server, isoAt(midnight));
  const schedule = { windowStart: '09:00', windowEnd: '09:10', maxConcurrent: 1 };
  const { agentId, numberId: phoneNumberId } = org;
  const planned = dataOf(await ask({ schedule, maxCps: 1, agentId, phoneNumberId, contacts: 25 }));
  assert.deepEqual(
    [planned.eligible, planned.openings.length, planned.finishes_at],
    [25, 3, isoAt(midnight + 2 * 86_400_000 + (9 * 60 + 5) * 60_000)],
  );
  assert.deepEqual(planned.ready, { ok: true, missing: [] });
  const fast = dataOf(await ask({ schedule: { maxConcurrent: 1000 }, max_cps: 10, contacts: 5 }));
  assert.equal(fast.openings[0]!.capacity, 14 * 86_400 * 10);
  const { ok, missing } = fast.ready as { ok: boolean; missing: Array<{ code: string }> };
  assert.deepEqual([ok, missing.map(({ code }) => code)], [false, ['no_agent', 'no_number']]);
  assert.deepEqual(faultPaths(await ask({})), ['contacts', 'maxCps', 'schedule']);
  const wrong = await ask({ schedule: { windowEnd: '10:00' }, maxCps: 1, contacts: -1, agentId: 'nonsense' });
  assert.deepEqual(faultPaths(wrong), ['agentId', 'contacts', 'schedule.windowEnd', 'schedule.windowStart']);
});

test('guard hours count in the time zone of the country of a number, also in the plan', async () => {
  const org = await newCallingOrg(server);
  const midnight = Math.ceil(nowOf(server) / 86_400_000) * 86_400_000;
  await advanceTo(server, isoAt(midnight));
  dataOf(await org.client.patch('/organization', { guard_hours: { start: '09:00', end: '17:00' } }));
  const { id } = await org.campaign({ schedule: { timezone: 'UTC', maxConcurrent: 1 } });
  await org.add(id, ['+819012345601', '+819012345602']);
  const plan = await planOf(org, id);
  assert.equal(plan.openings[0]!.opens_at, isoAt(midnight), 'nine o’clock in Tokyo');
  assert.equal(plan.finishes_at, isoAt(midnight + 120_000));
});

test('contacts that a limit holds back are planned for when it ends', async () => {
  const org = await newCallingOrg(server);
  const midnight = Math.ceil(nowOf(server) / 86_400_000) * 86_400_000;
  await advanceTo(server, isoAt(midnight));
  dataOf(await org.client.patch('/organization', { contact_limits: { max_per_day: 1 } }));
  const people = phones(3).map((phone) => ({ phone, timezone: 'UTC' }));
  await org.run(people);
  await server.advance(600_000);
  const { id } = await org.campaign({ schedule: { windowStart: '09:00', windowEnd: '17:00', timezone: 'UTC' } });
  await org.add(id, people);
  const plan = await planOf(org, id);
  assert.equal(plan.eligible, 0);
  assert.deepEqual(
    plan.skipped.map(({ code, count }) => [code, count]),
    [['capped_day', 3]],
  );
  assert.equal(plan.finishes_at, isoAt(midnight + (24 + 9) * 3_600_000 + 3000));
});

test('the outlook of several campaigns tells when their windows open and close, and when those that run finish', async () => {
  const org = await newCallingOrg(server);
  const midnight = Math.ceil(nowOf(server) / 86_400_000) * 86_400_000;
  await advanceTo(server, isoAt(midnight + 10 * 3_600_000));
  const at = (hours: number) => isoAt(midnight + hours * 3_600_000);
  const hours = { timezone: 'UTC', maxConcurrent: 1 };
  const { id: runs } = await org.run(phones(30), { schedule: { ...hours, windowStart: '09:00', windowEnd: '17:00' } });
  const { id: waits } = await org.run(phones(1), { schedule: { ...hours, windowStart: '12:00', windowEnd: '13:00' } });
  const { id: draft } = await org.campaign({ schedule: hours });
  const other = await newCallingOrg(server);
  const { id: foreign } = await other.campaign({});
  const ask = (ids: readonly string[]) =>
    org.client.get<Data[]>(`/campaigns/outlook?${ids.map((id) => `campaign_id=${id}`).join('&')}`);
  const agent = String(dataOf(await org.client.get(`/agents/${org.agentId}`))['agentName']);
  const found = dataOf(await ask([waits, foreign, runs, draft]));
  const { finishes_at: finish } = await planOf(org, runs);
  assert.ok(finish !== null && finish > at(10) && finish < at(11));
  const common = { agent_name: agent };
  assert.deepEqual(found, [
    {
      ...common,
      campaign_id: waits,
      open: false,
      opens_at: at(12),
      closes_at: null,
      finishes_at: (await planOf(org, waits)).finishes_at,
    },
    { ...common, campaign_id: runs, open: true, opens_at: at(24 + 9), closes_at: at(17), finishes_at: finish },
    { ...common, campaign_id: draft, open: true, opens_at: null, closes_at: null, finishes_at: null },
  ]);
  assert.deepEqual(faultPaths(await ask([])), ['campaign_id']);
  assert.deepEqual(faultPaths(await ask(['nonsense'])), ['campaign_id']);
});
