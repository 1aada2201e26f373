import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installation, transact } from '../../src/db/transaction.ts';
import { enqueue, externalJob, jobKind } from '../../src/kernel/queue.ts';
import { createTestApp } from '../support/app.ts';

const testJob = jobKind<Record<string, never>>('test.job');
const done = { write: () => Promise.resolve() };

test('a job that was claimed but not started when the process stopped has its first attempt in the next process', async () => {
  const began = Promise.withResolvers<void>();
  const first = await createTestApp({
    jobs: () => [
      externalJob(testJob, {
        laneConcurrency: 1,
        leaseMs: 60_000,
        retryDelaysMs: [0],
        run(_app, _job, signal) {
          began.resolve();
          return new Promise((_, failed) => signal.addEventListener('abort', () => failed(new Error('stopped'))));
        },
        exhausted: () => Promise.resolve(),
      }),
    ],
  });
  await transact(first.app.db, installation, async (tx) => {
    for (const key of ['one', 'two', 'three']) {
      await enqueue(first.app, tx, testJob, { key, lane: 'lane', dueAt: first.clock.now(), payload: {} });
    }
  });
  await began.promise;
  await first.close({ keep: true });

  const attempts: string[] = [];
  const second = await createTestApp({
    data: first.data,
    jobs: () => [
      externalJob(testJob, {
        laneConcurrency: 1,
        leaseMs: 60_000,
        retryDelaysMs: [],
        run(_app, { key, attempt }) {
          attempts.push(`${key}: ${attempt}`);
          return Promise.resolve(done);
        },
        exhausted: () => Promise.resolve(),
      }),
    ],
  });
  await second.runner.settled();
  await second.close();
  assert.deepEqual(attempts.toSorted(), ['one: 2', 'three: 1', 'two: 1']);
});
