import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { advance } from '../../src/jobs/advance.ts';
import { enqueue, externalJob, jobKind, transactionalJob } from '../../src/kernel/queue.ts';
import { createTestApp } from '../support/app.ts';

const testJob = jobKind<Record<string, never>>('test.job');

test('an advance that waits for a job logs which job, gives up after a while, and goes on once the job has ended', async (t) => {
  const returns = Promise.withResolvers<void>();
  const { app, clock, runner, close } = await createTestApp({
    jobs: () => [
      externalJob(testJob, {
        laneConcurrency: 1,
        leaseMs: 60_000,
        retryDelaysMs: [],
        async run() {
          await returns.promise;
          return { write: () => Promise.resolve() };
        },
        exhausted: () => Promise.resolve(),
      }),
    ],
  });
  t.after(() => close());
  const dueAt = clock.now() + 1000;
  await transact(app.db, installation, (tx) =>
    enqueue(app, tx, testJob, { key: 'parcel', lane: 'lane', dueAt, payload: {} }),
  );
  const told: unknown[] = [];
  const log = createLog('silent');
  log.warn = (what: unknown) => void told.push(what);
  const limits = { tellAfterMs: 1, giveUpAfterMs: 1000 };
  await assert.rejects(advance({ clock, runner, log }, dueAt + 1000, limits), {
    kind: 'unavailable',
    message: 'The clock stands at 2026-03-02T09:00:01.000Z and waits for test.job parcel.',
  });
  assert.deepEqual(told.at(-1), { clock: '2026-03-02T09:00:01.000Z', waitsFor: ['test.job parcel'] });
  assert.equal(clock.now(), dueAt);

  returns.resolve();
  assert.deepEqual(await advance({ clock, runner, log: app.log }, dueAt + 1000), { 'test.job': 1 });
  assert.equal(clock.now(), dueAt + 1000);
});

test('however slow the machine is, each job runs at its own instant of the clock', async (t) => {
  const ranAt: number[] = [];
  const { app, clock, runner, close } = await createTestApp({
    jobs: () => [
      transactionalJob(testJob, (one) => {
        ranAt.push(one.clock.now());
        return Promise.resolve();
      }),
    ],
  });
  t.after(() => close());
  // Each reading of the real time is later than the one before it by more than a batch of work may take.
  let realMs = performance.now();
  t.mock.method(performance, 'now', () => (realMs += 30));
  const dueAt = [1000, 1000, 1000, 1001, 5000].map((ms) => clock.now() + ms);
  await transact(app.db, installation, async (tx) => {
    for (const [index, at] of dueAt.entries())
      await enqueue(app, tx, testJob, { key: String(index), dueAt: at, payload: {} });
  });
  assert.deepEqual(await advance({ clock, runner, log: app.log }, clock.now() + 10_000), { 'test.job': 5 });
  assert.deepEqual(ranAt, dueAt);
});
