import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { advance } from '../../src/jobs/advance.ts';
import { enqueue, externalJob, jobKind, transactionalJob } from '../../src/kernel/queue.ts';
import { createTestApp } from '../support/app.ts';

const errand = jobKind<Record<string, never>>('test.errand');

test('an advance that waits for a job says which, gives up in the end, and goes on when the job has ended', async (t) => {
  const returns = Promise.withResolvers<void>();
  const { app, clock, runner, close } = await createTestApp({
    jobs: () => [
      externalJob(errand, {
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
    enqueue(app, tx, errand, { key: 'parcel', lane: 'errands', dueAt, payload: {} }),
  );
  const told: unknown[] = [];
  const log = createLog('silent');
  log.warn = (what: unknown) => void told.push(what);
  const limits = { tellAfterMs: 1, giveUpAfterMs: 5 };
  await assert.rejects(advance({ clock, runner, log }, dueAt + 1000, limits), {
    kind: 'unavailable',
    message: 'The clock stands at 2026-03-02T09:00:01.000Z and waits for test.errand parcel.',
  });
  assert.deepEqual(told[0], { clock: '2026-03-02T09:00:01.000Z', waitsFor: ['test.errand parcel'] });
  assert.equal(clock.now(), dueAt);

  returns.resolve();
  assert.deepEqual(await advance({ clock, runner, log: app.log }, dueAt + 1000), { 'test.errand': 1 });
  assert.equal(clock.now(), dueAt + 1000);
});

test('on a machine that is ever so slow each job still runs at its own instant', async (t) => {
  const ranAt: number[] = [];
  const { app, clock, runner, close } = await createTestApp({
    jobs: () => [
      transactionalJob(errand, (one) => {
        ranAt.push(one.clock.now());
        return Promise.resolve();
      }),
    ],
  });
  t.after(() => close());
  // Between any two looks at it real time has passed beyond what a batch of work may take.
  let realMs = performance.now();
  t.mock.method(performance, 'now', () => (realMs += 30));
  const dueAt = [1000, 1000, 1000, 1001, 5000].map((ms) => clock.now() + ms);
  await transact(app.db, installation, async (tx) => {
    for (const [index, at] of dueAt.entries())
      await enqueue(app, tx, errand, { key: String(index), dueAt: at, payload: {} });
  });
  assert.deepEqual(await advance({ clock, runner, log: app.log }, clock.now() + 10_000), { 'test.errand': 5 });
  assert.deepEqual(ranAt, dueAt);
});
