import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../src/db/transaction.ts';
import { enqueue, jobKind, transactionalJob } from '../../src/kernel/queue.ts';
import { createTestApp } from '../support/app.ts';

const slow = jobKind<Record<string, never>>('test.slow');
const other = jobKind<Record<string, never>>('test.other');

test('a job that falls due while others run is run, though nothing else happens', async (t) => {
  const testing = await createTestApp({
    jobs: () => [
      transactionalJob(slow, () => {
        testing.clock.set(testing.clock.now() + 10);
        return Promise.resolve();
      }),
      transactionalJob(other, () => Promise.resolve()),
    ],
  });
  t.after(() => testing.close());
  const { app, clock, runner } = testing;
  const now = clock.now();
  await transact(app.db, async (tx) => {
    await enqueue(app, tx, slow, { key: 'one', dueAt: now, payload: {} });
    await enqueue(app, tx, other, { key: 'one', dueAt: now + 5, payload: {} });
  });
  assert.equal(await runner.settled(), undefined);
  assert.deepEqual(Object.fromEntries(runner.ran()), { 'test.slow': 1, 'test.other': 1 });
});

test('jobs that the storage refused are run when it takes writes again', { timeout: 60_000 }, async (t) => {
  let refusals = 2; // of the batch, and of the job alone
  const ran = Promise.withResolvers<void>();
  const { app, clock, close } = await createTestApp({
    jobs: () => [
      transactionalJob(slow, () => {
        if (refusals-- > 0) return Promise.reject(Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' }));
        ran.resolve();
        return Promise.resolve();
      }),
    ],
  });
  t.after(() => close());
  await transact(app.db, (tx) => enqueue(app, tx, slow, { key: 'one', dueAt: clock.now(), payload: {} }));
  await ran.promise;
});
