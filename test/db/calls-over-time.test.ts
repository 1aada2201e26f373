import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { type CallStatus, callStatuses } from '../../src/features/calls/call.ts';
import {
  callsByQuarter,
  countCalls,
  countQuarters,
  quarterMs,
  type StepCounts,
  type Steps,
} from '../../src/features/campaigns/results/activity-store.ts';
import { wrongNumbers } from '../../src/main/kept-numbers.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase, firstAt } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';
import { propertyRuns } from '../support/property-runs.ts';

const { app, close } = await createTestApp();
after(() => close());
const { campaignId } = await fillDatabase(app.db, 200);
const start = firstAt - (firstAt % quarterMs);

type Ended = { startedAt: number; endedAt: number; outcome: CallStatus; isAnswered: boolean };

/** A call of up to an hour that starts within ten quarters. */
const call = fc
  .record({
    startMs: fc.nat({ max: 10 * quarterMs }),
    lengthMs: fc.oneof(fc.nat({ max: 120_000 }), fc.nat({ max: 4 * quarterMs })),
    outcome: fc.constantFrom(...callStatuses),
    isAnswered: fc.boolean(),
  })
  .map(({ startMs, lengthMs, ...rest }) => ({
    ...rest,
    startedAt: start + startMs,
    endedAt: start + startMs + lengthMs,
  }));

/** Gives the campaign these ended calls alone. Every second one is live at first. */
async function store(calls: readonly Ended[]): Promise<void> {
  await sql`DELETE FROM calls WHERE campaign_id = ${campaignId}`.execute(app.db);
  for (const [index, { startedAt, endedAt, outcome, isAnswered }] of calls.entries()) {
    const status = index % 2 === 0 ? null : outcome;
    const id = `quarter-${index}`;
    await sql`INSERT INTO calls (id, organization_id, agent_id, agent_name, phone_number_id, campaign_id, attempt, driver, from_phone, to_phone,
        max_duration_ms, state, status, created_at, started_at, answered_at, ended_at)
      SELECT ${id}, organization_id, agent_id, 'Agent', phone_number_id, id, 1, 'simulated', '', '', 0, ${status === null ? 'dialing' : 'ended'},
        ${status}, 0, ${startedAt}, ${isAnswered ? startedAt : null}, ${status === null ? null : endedAt}
      FROM campaigns WHERE id = ${campaignId}`.execute(app.db);
    if (status === null)
      await sql`UPDATE calls SET state = 'ended', status = ${outcome}, ended_at = ${endedAt} WHERE id = ${id}`.execute(
        app.db,
      );
  }
}

const stepOf = (at: number, { from, to, stepMs }: Steps): number | undefined =>
  at >= from && at < to ? Math.floor((at - from) / stepMs) : undefined;

/** Began and ended calls as `step outcome`, sorted. */
const expected = (calls: readonly Ended[], steps: Steps): string[] =>
  calls
    .flatMap(({ startedAt, endedAt, outcome }) => {
      const [began, ended] = [stepOf(startedAt, steps), stepOf(endedAt, steps)];
      return [
        ...(began === undefined ? [] : [`${began} ${outcome} began`]),
        ...(ended === undefined ? [] : [`${ended} ${outcome} ended`]),
      ];
    })
    .toSorted();

const written = (counts: readonly StepCounts[]): string[] =>
  counts
    .flatMap(({ step, outcome, began, ended }) => [
      ...Array<string>(began).fill(`${step} ${outcome} began`),
      ...Array<string>(ended).fill(`${step} ${outcome} ended`),
    ])
    .toSorted();

/** The counts of the calls themselves, walked `limit` at a time. */
async function walked(steps: Steps, limit: number): Promise<StepCounts[]> {
  const counts: StepCounts[] = [];
  for (let from: number | null = 0; from !== null;) {
    const part: Awaited<ReturnType<typeof countCalls>> = await countCalls(app.db, { ...steps, after: from }, limit);
    counts.push(...part.counts);
    from = part.next;
  }
  return counts;
}

test('calls are counted in steps of whole quarters from kept counters, in others from the calls, as they began and ended', async () => {
  const cases = fc.record({
    calls: fc.array(call, { maxLength: 20 }),
    offsetMs: fc.oneof(fc.constant(0), fc.integer({ min: -quarterMs, max: 3 * quarterMs })),
    stepMs: fc.oneof(fc.constantFrom(quarterMs, 2 * quarterMs), fc.integer({ min: 1000, max: 3 * quarterMs })),
    steps: fc.integer({ min: 1, max: 12 }),
    limit: fc.constantFrom(1, 3, 1000),
    deleted: fc.nat({ max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ calls, offsetMs, stepMs, steps: count, limit, deleted }) => {
      await store(calls);
      await sql`DELETE FROM calls WHERE id IN (SELECT id FROM calls WHERE id LIKE 'quarter-%' ORDER BY id LIMIT ${deleted})`.execute(
        app.db,
      );
      const ids = new Set((await sql<{ id: string }>`SELECT id FROM calls`.execute(app.db)).rows.map(({ id }) => id));
      const left = calls.filter((_, index) => ids.has(`quarter-${index}`));
      const from = start + offsetMs;
      const steps = { campaignId, from, to: from + count * stepMs, stepMs };
      assert.deepEqual(written(await walked(steps, limit)), expected(left, steps));
      const whole = { campaignId, from: start, to: start + count * quarterMs, stepMs: quarterMs };
      assert.deepEqual(written(await countQuarters(app.db, whole)), expected(left, whole));
      const sums = (await callsByQuarter(app.db, campaignId)).reduce(
        (sum, { calls: began, answered }) => ({ began: sum.began + began, answered: sum.answered + answered }),
        { began: 0, answered: 0 },
      );
      assert.deepEqual(sums, { began: left.length, answered: left.filter(({ isAnswered }) => isAnswered).length });
      assert.deepEqual(await wrongNumbers(app.db), []);
    }),
    { numRuns: propertyRuns({ few: 20, all: 60 }) },
  );
  await store([]);
  assert.ok((await callsByQuarter(app.db, campaignId)).every(({ calls }) => calls === 0));
});

test('calls that started in the same millisecond are counted, however few a read takes', async () => {
  const ended = { startedAt: start, endedAt: start + 1000, outcome: 'completed', isAnswered: true } as const;
  await store([ended, ended, ended]);
  const steps = { campaignId, from: start, to: start + quarterMs, stepMs: 1000 };
  assert.deepEqual(written(await walked(steps, 1)), expected([ended, ended, ended], steps));
  await store([]);
});

test('calls are counted over time without reading them', async (t) => {
  const statements = await recordStatements(t, app.db);
  const steps = { campaignId, from: start, to: start + quarterMs, stepMs: quarterMs };
  await countQuarters(app.db, steps);
  await countCalls(app.db, { ...steps, after: 0 });
  for (const statement of statements.splice(0)) {
    for (const step of await planOf(app.db, statement)) {
      if (/SEARCH|SCAN/.test(step))
        assert.match(step, /COVERING INDEX calls_of_campaign_by_start|call_counts_by_(start|end) USING PRIMARY KEY/);
    }
  }
});
