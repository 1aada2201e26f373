// Long: it plays histories of many campaigns.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { TestClock } from '../../src/base/clock.ts';
import { transact } from '../../src/db/transaction.ts';
import { plainOutcome } from '../../src/features/calls/call.ts';
import { endCallById, findCall } from '../../src/features/calls/service.ts';
import { campaignCalls } from '../../src/features/campaigns/dialing/last-look.ts';
import { deleteCampaign } from '../../src/features/campaigns/removal.ts';
import { tick } from '../../src/features/campaigns/dialing/dialer.ts';
import { updateCampaign } from '../../src/features/campaigns/service.ts';
import { updateNumber } from '../../src/features/numbers/service.ts';
import { aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { type CallingOrg, newCallingOrg } from '../http/calling-support.ts';

const orgLines = 6;
const server = await startTestServer({
  settings: { 'limits.organization.max_concurrent': String(orgLines), 'limits.organization.max_cps': '1000000' },
});
after(() => server.stop());
// The test runs each tick itself, in any order.
await server.running.runner.stop(0);
const { app } = server.running;
const clock = app.clock as TestClock;

/** The campaigns of an organization, those with an even index on its first number, the others on its second. */
type World = { org: CallingOrg; numbers: string[]; campaigns: string[]; ticks: number; calls: number };

async function newWorld(campaigns: number, contacts: number, lines: number): Promise<World> {
  const org = await newCallingOrg(server);
  const numbers = [org.numberId, (await aNumber(org.client)).id];
  for (const id of numbers) await updateNumber(app, org.client.orgId, id, { max_cps: 100, max_concurrent: lines });
  const world: World = { org, numbers, campaigns: [], ticks: 0, calls: 0 };
  for (let index = 0; index < campaigns; index += 1) {
    const schedule = { maxConcurrent: 1000, retryAttempts: 1, retryGapMin: 1 };
    const { id } = await org.campaign({ maxCps: 100, phoneNumberId: numbers[index % 2], schedule });
    const body = { contacts: Array.from({ length: contacts }, () => ({ phone: aPhone() })) };
    dataOf(await org.client.post(`/campaigns/${id}/contacts`, body));
    await updateCampaign(app, org.client.orgId, id, { status: 'active' });
    world.campaigns.push(id);
  }
  return world;
}

const dueTicks = async ({ org }: World): Promise<Array<{ id: number; campaignId: string }>> =>
  (
    await sql<{ id: number; campaignId: string }>`
      SELECT id, key AS "campaignId" FROM outbox
      WHERE kind = 'campaign.tick' AND scope = ${org.client.orgId} AND due_at <= ${clock.now()}
      ORDER BY due_at, id`.execute(app.db)
  ).rows;

/** Runs one of the due ticks as the job runner does. Returns whether there was one. */
async function runTick(world: World, nth: number): Promise<boolean> {
  const due = await dueTicks(world);
  const job = due[nth % Math.max(due.length, 1)];
  if (!job) return false;
  const before = (await liveCalls(world)).length;
  await transact(app.db, world.org.client.orgId, async (tx) => {
    await sql`DELETE FROM outbox WHERE id = ${job.id}`.execute(tx);
    await tick(app, tx, job.campaignId);
  });
  world.ticks += 1;
  world.calls += (await liveCalls(world)).length - before;
  return true;
}

const liveCalls = async ({ org }: World): Promise<string[]> =>
  (
    await sql<{ id: string }>`
      SELECT id FROM calls WHERE organization_id = ${org.client.orgId} AND ended_at IS NULL ORDER BY id`.execute(app.db)
  ).rows.map(({ id }) => id);

/** Ends calls in one transaction, as calls that end in the same moment do. */
async function endCalls(world: World, many: number, status: 'completed' | 'busy'): Promise<void> {
  const ending = (await liveCalls(world)).slice(0, many);
  await transact(app.db, world.org.client.orgId, async (tx) => {
    for (const id of ending) await endCallById(app, tx, id, plainOutcome(status));
  });
}

/**
 * While campaigns wait for a number with a free line, and the organization has one too, some campaign of the organization is woken, whose
 * tick wakes further ones; and no wakeup is without its tick. A waiting campaign with a tick of its own need not be woken.
 */
async function checkWakeups({ org }: World): Promise<void> {
  const { orgId } = org.client;
  const { rows } = await sql<{ waiting: number; woken: number; withoutTick: number }>`
    SELECT count(*) FILTER (WHERE c.waiting_for IN ('number', 'organization') AND c.wake_at IS NULL AND job.id IS NULL
        AND n.in_flight < n.max_concurrent AND o.in_flight < ${orgLines}) AS waiting,
      count(c.wake_at) AS "woken",
      count(*) FILTER (WHERE c.wake_at IS NOT NULL AND (job.id IS NULL OR job.due_at > c.wake_at)) AS "withoutTick"
    FROM campaigns c JOIN phone_numbers n ON n.id = c.phone_number_id JOIN organizations o ON o.id = c.organization_id
    LEFT JOIN outbox job ON job.kind = 'campaign.tick' AND job.key = c.id
    WHERE c.organization_id = ${orgId}`.execute(app.db);
  const { waiting, woken, withoutTick } = rows[0]!;
  assert.equal(withoutTick, 0);
  assert.ok(waiting === 0 || woken > 0, `${waiting} campaigns wait for a line that is free`);
}

/** Lets all ticks run and all calls end until nothing is due any more. */
async function finish(world: World): Promise<void> {
  for (;;) {
    while (await runTick(world, 0)) await checkWakeups(world);
    await endCalls(world, 1000, 'completed');
    await checkWakeups(world);
    const { rows } = await sql<{ at: number | null }>`
      SELECT min(due_at) AS at FROM outbox WHERE kind = 'campaign.tick' AND scope = ${world.org.client.orgId}`.execute(
      app.db,
    );
    if (rows[0]!.at === null) return;
    clock.set(Math.max(clock.now(), rows[0]!.at));
  }
}

const statusesOf = async ({ org, campaigns }: World): Promise<string[]> =>
  Promise.all(campaigns.map(async (id) => (await org.read(id)).status));

const nth = fc.nat({ max: 30 });
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: fc.constant('tick' as const), nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('end' as const),
      many: fc.integer({ min: 1, max: 5 }),
      status: fc.constantFrom('completed' as const, 'busy' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 10, 500, 70_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('limits' as const), nth, lines: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('status' as const),
      nth,
      status: fc.constantFrom('paused' as const, 'active' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function act(world: World, what: Step): Promise<void> {
  const { orgId } = world.org.client;
  switch (what.type) {
    case 'tick':
      await runTick(world, what.nth);
      return;
    case 'end':
      return endCalls(world, what.many, what.status);
    case 'wait':
      clock.set(clock.now() + what.ms);
      return;
    case 'limits':
      await updateNumber(app, orgId, world.numbers[what.nth % 2]!, { max_concurrent: what.lines });
      return;
    case 'status': {
      const id = world.campaigns[what.nth % world.campaigns.length]!;
      if ((await world.org.read(id)).status !== 'completed')
        await updateCampaign(app, orgId, id, { status: what.status });
    }
  }
}

/** The histories are always the same, so only a change of the code makes the test fail. */
const seed = 20_261_124;

test('however calls end and ticks run, a campaign is woken while others wait for a free line, and all campaigns finish', async () => {
  const histories = fc.record({
    campaigns: fc.integer({ min: 2, max: 8 }),
    lines: fc.integer({ min: 1, max: 4 }),
    steps: fc.array(step, { minLength: 30, maxLength: 70 }),
  });
  await fc.assert(
    fc.asyncProperty(histories, async ({ campaigns, lines, steps }) => {
      const world = await newWorld(campaigns, 4, lines);
      for (const what of steps) {
        await act(world, what);
        await checkWakeups(world);
      }
      for (const id of world.campaigns) {
        const { status } = await world.org.read(id);
        if (status === 'paused') await updateCampaign(app, world.org.client.orgId, id, { status: 'active' });
      }
      await finish(world);
      assert.deepEqual(new Set(await statusesOf(world)), new Set(['completed']));
    }),
    { seed, numRuns: propertyRuns({ few: 6, all: 25 }), endOnFailure: true },
  );
});

test('when three calls of a crowded number end together, three waiting campaigns are woken, and each of them calls', async () => {
  const world = await newWorld(20, 10, 4);
  await sql`UPDATE phone_numbers SET max_cps = 1000000 WHERE organization_id = ${world.org.client.orgId}`.execute(
    app.db,
  );
  // Each campaign has a tick when it starts, and those that call before others wait have another one.
  for (let count = 0; count < 3; count += 1) {
    while (await runTick(world, 0));
    clock.set(clock.now() + 1000);
  }
  assert.equal((await liveCalls(world)).length, orgLines);
  [world.ticks, world.calls] = [0, 0];
  for (let round = 0; round < 25; round += 1) {
    clock.set(clock.now() + 1000);
    await endCalls(world, 3, 'completed');
    assert.equal((await dueTicks(world)).length, 3);
    while (await runTick(world, round)) await checkWakeups(world);
  }
  assert.equal(world.calls, 75);
  assert.ok(world.ticks <= 1.05 * world.calls, `${world.ticks} ticks for ${world.calls} calls`);
});

test('the line of a call whose campaign was deleted goes to a waiting campaign when the carrier is out of reach', async () => {
  const world = await newWorld(2, 3, 1);
  const { orgId } = world.org.client;
  for (const id of world.campaigns) await updateCampaign(app, orgId, id, { phoneNumberId: world.numbers[0]! });
  const runAllTicks = async (): Promise<void> => {
    while (await runTick(world, 0));
  };
  await runAllTicks();
  const [live] = await liveCalls(world);
  const call = (await findCall(app.db, live!))!;
  await updateCampaign(app, orgId, call.campaignId!, { status: 'paused' });
  await deleteCampaign(app, orgId, call.campaignId!);
  await runAllTicks();
  assert.deepEqual(await liveCalls(world), [live]);
  await transact(app.db, orgId, (tx) => campaignCalls.outOfReach(app, tx, call, 'Out of reach.'));
  await checkWakeups(world);
});
