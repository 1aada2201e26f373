import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { installation, transact } from '../../src/db/transaction.ts';
import type { App } from '../../src/kernel/app.ts';
import {
  enqueue,
  enqueueDirectly,
  externalJob,
  type Job,
  type JobDefinition,
  jobKind,
  reserveSlot,
  nothingToWrite,
} from '../../src/kernel/queue.ts';
import { createTestApp, type TestAppOptions } from '../support/app.ts';

const kind = jobKind<Record<string, never>>('test.direct');

const direct = (run: (job: Job<unknown>) => Promise<unknown>, laneConcurrency = 1): JobDefinition =>
  externalJob(kind, {
    laneConcurrency,
    leaseMs: 60_000,
    retryDelaysMs: [0],
    run: async (_app, job) => {
      await run(job);
      return nothingToWrite;
    },
    exhausted: () => Promise.resolve(),
  });

async function started(t: TestContext, job: JobDefinition, options: TestAppOptions = {}) {
  const testing = await createTestApp({ jobs: () => [job], ...options });
  t.after(() => testing.close());
  return testing;
}

/** Enqueues a job that starts directly if a slot is free, and tells whether one was. */
const put = (app: App, key: string): Promise<boolean> =>
  transact(app.db, installation, async (tx) => {
    const job = { key, lane: 'lane', dueAt: app.clock.now(), payload: {} };
    const slot = reserveSlot(app, tx, kind, job.lane);
    await (slot ? enqueueDirectly(tx, kind, job, slot) : enqueue(app, tx, kind, job));
    return slot !== undefined;
  });

const queued = async ({ db }: App): Promise<string[]> =>
  (await db.selectFrom('outbox').select('key').orderBy('id').execute()).map(({ key }) => key);

test('A job with a reserved slot starts when its transaction is on disk, as its first attempt, and then leaves the queue.', async (t) => {
  const jobs: Array<Job<unknown>> = [];
  let sync = (): Promise<void> => Promise.resolve();
  const options = { sync: (): Promise<void> => sync() };
  const { app, runner } = await started(
    t,
    direct((job) => Promise.resolve(jobs.push(job))),
    options,
  );
  const disk = Promise.withResolvers<void>();
  sync = () => disk.promise;
  const putting = put(app, 'one');
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  assert.deepEqual([await queued(app), jobs.length], [['one'], 0]);
  sync = () => Promise.resolve();
  disk.resolve();
  assert.equal(await putting, true);
  await runner.settled();
  assert.deepEqual(
    jobs.map(({ key, attempt, isDirect }) => ({ key, attempt, isDirect })),
    [{ key: 'one', attempt: 1, isDirect: true }],
  );
  assert.deepEqual([await queued(app), runner.ran().get(kind.name)], [[], 1]);
});

test('A transaction or a part of one that is undone releases the slot, and its job never runs.', async (t) => {
  const ran: string[] = [];
  const { app, runner } = await started(
    t,
    direct(({ key }) => Promise.resolve(ran.push(key))),
  );
  const failing = (key: string): Promise<void> =>
    assert.rejects(
      transact(app.db, installation, async () => {
        assert.equal(await put(app, key), true);
        throw new Error('undone');
      }),
      /undone/,
    );
  await failing('whole');
  await transact(app.db, installation, () => failing('part'));
  assert.equal(await put(app, 'last'), true);
  await runner.settled();
  assert.deepEqual(ran, ['last']);
});

test('Without a free slot, or behind jobs that wait, a job is queued and runs in its turn.', async (t) => {
  const ran: string[] = [];
  const first = Promise.withResolvers<void>();
  const { app, runner } = await started(
    t,
    direct(({ key }) => {
      ran.push(key);
      return key === 'one' ? first.promise : Promise.resolve();
    }),
  );
  const direction = [await put(app, 'one'), await put(app, 'two'), await put(app, 'three')];
  assert.deepEqual(direction, [true, false, false]);
  first.resolve();
  await runner.settled();
  assert.deepEqual(ran, ['one', 'two', 'three']);
  assert.equal(await put(app, 'four'), true);
  await runner.settled();
  assert.deepEqual(ran.at(-1), 'four');
});

test('After a crash a direct job runs again as its second attempt, and no longer counts as direct.', async (t) => {
  const began = Promise.withResolvers<void>();
  const hanging = direct(() => {
    began.resolve();
    return new Promise(() => undefined);
  });
  const before = await createTestApp({ jobs: () => [hanging] });
  assert.equal(await put(before.app, 'one'), true);
  await began.promise;
  await before.close({ keep: true });
  const jobs: Array<Job<unknown>> = [];
  const { runner } = await started(
    t,
    direct((job) => Promise.resolve(jobs.push(job))),
    { data: before.data },
  );
  await runner.settled();
  assert.deepEqual(
    jobs.map(({ key, attempt, isDirect }) => ({ key, attempt, isDirect })),
    [{ key: 'one', attempt: 2, isDirect: undefined }],
  );
});

test('A failed direct job is retried like any other.', async (t) => {
  const attempts: number[] = [];
  const { app, runner } = await started(
    t,
    direct(({ attempt }) => {
      attempts.push(attempt);
      return attempt === 1 ? Promise.reject(new Error('no')) : Promise.resolve();
    }),
  );
  await put(app, 'one');
  await runner.settled();
  assert.deepEqual([attempts, await queued(app)], [[1, 2], []]);
});
