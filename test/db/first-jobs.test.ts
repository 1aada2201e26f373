import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { firstJobs } from '../../src/jobs/store.ts';
import { createTestApp } from '../support/app.ts';
import { planOf, recordStatements } from '../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());

type Waiting = { scope: string; lane: string | null; due: number; isLeased: boolean };

const waiting = fc.record<Waiting>({
  scope: fc.constantFrom('a', 'b', 'c'),
  lane: fc.constantFrom(null, 'one', 'two', 'three'),
  due: fc.nat(5),
  isLeased: fc.boolean(),
});

const nameOf = ({ scope, lane }: Pick<Waiting, 'scope' | 'lane'>): string => JSON.stringify([scope, lane]);

async function fill(jobs: readonly Waiting[]): Promise<void> {
  await sql`DELETE FROM outbox`.execute(app.db);
  for (const [id, { scope, lane, due, isLeased }] of jobs.entries()) {
    await sql`INSERT INTO outbox (id, kind, key, scope, lane, due_at, lease_until, payload)
      VALUES (${id + 1}, 'test', ${String(id)}, ${scope}, ${lane}, ${due}, ${isLeased && lane !== null ? 9 : null}, '{}')`.execute(
      app.db,
    );
  }
}

test('a start finds the first unclaimed job of each lane, and of the jobs without a lane of each scope', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(waiting, { maxLength: 30 }), async (jobs) => {
      await fill(jobs);
      const free = jobs.filter(({ lane, isLeased }) => lane === null || !isLeased);
      const groups = Map.groupBy(free, nameOf);
      const expected = [...groups].map(([key, group]) => [key, Math.min(...group.map(({ due }) => due))] as const);
      const found = (await firstJobs(app.db)).map((first) => [nameOf(first), first.dueAt] as const);
      assert.deepEqual(new Map(found), new Map(expected));
    }),
  );
});

test('a start jumps in the index from each lane to the next, and reads no lane twice', async (t) => {
  const statements = await recordStatements(t, app.db);
  await firstJobs(app.db);
  const plan = await planOf(app.db, statements.at(-1)!);
  const jumps = plan.filter((step) => step.startsWith('SEARCH next'));
  assert.deepEqual(jumps, [
    'SEARCH next USING INDEX outbox_lanes (scope=? AND lane>?)',
    'SEARCH next USING INDEX outbox_lanes (scope>?)',
    'SEARCH next USING INDEX outbox_transactional (scope>?)',
  ]);
});
