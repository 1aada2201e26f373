import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageRefusal } from '../../src/db/storage.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { type Completion, enqueue, externalJob, jobKind, transactionalJob } from '../../src/kernel/queue.ts';
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
  await transact(app.db, installation, async (tx) => {
    await enqueue(app, tx, slow, { key: 'one', dueAt: now, payload: {} });
    await enqueue(app, tx, other, { key: 'one', dueAt: now + 5, payload: {} });
  });
  assert.equal(await runner.settled(), undefined);
  assert.deepEqual(Object.fromEntries(runner.ran()), { 'test.slow': 1, 'test.other': 1 });
});

/** As many jobs as one process claims with `webhooks.max_in_flight: 1`. */
const claimable = 64;

test(
  'jobs that the storage refused are run when it takes writes again, though nothing else happens',
  { timeout: 30_000 },
  async (t) => {
    let refusals = 2; // of the batch, and of the job alone
    const ran = Promise.withResolvers<void>();
    const [hanging, release] = [Promise.withResolvers<void>(), Promise.withResolvers<Completion>()];
    const { app, clock, close } = await createTestApp({
      settings: { 'webhooks.max_in_flight': '1' },
      jobs: () => [
        transactionalJob(slow, () => {
          if (refusals-- > 0) return Promise.reject(new StorageRefusal('disk full', 'FULL'));
          ran.resolve();
          return Promise.resolve();
        }),
        externalJob(other, {
          laneConcurrency: claimable,
          leaseMs: 60_000,
          retryDelaysMs: [],
          run: () => {
            hanging.resolve();
            return release.promise;
          },
          exhausted: () => Promise.resolve(),
        }),
      ],
    });
    t.after(() => close());
    const now = clock.now();
    await transact(app.db, installation, async (tx) => {
      for (let key = 0; key < claimable; key += 1) {
        await enqueue(app, tx, other, { key: String(key), lane: 'one', dueAt: now, payload: {} });
      }
    });
    await hanging.promise; // with no room for more, the runner has no other reason to look at the queue
    await transact(app.db, installation, (tx) => enqueue(app, tx, slow, { key: 'one', dueAt: now, payload: {} }));
    await ran.promise;
    release.resolve({ write: () => Promise.resolve() });
  },
);

test('jobs that wait keep the time that they had left when the clock is set back', { timeout: 30_000 }, async (t) => {
  const ran = Promise.withResolvers<void>();
  let setBackMs = 0;
  const movedBy: number[] = [];
  const { app, clock, runner, close } = await createTestApp({
    jobs: () => [
      transactionalJob(slow, () => Promise.resolve(ran.resolve())),
      transactionalJob(other, () => Promise.resolve()),
    ],
    runner: {
      setBackMs() {
        const once = setBackMs;
        setBackMs = 0;
        return once;
      },
      onSetBack: (ms) => Promise.resolve(void movedBy.push(ms)),
    },
  });
  t.after(() => close());
  const hour = 3_600_000;
  const now = clock.now();
  await transact(app.db, installation, async (tx) => {
    await enqueue(app, tx, slow, { key: 'one', dueAt: now + hour, payload: {} });
    await enqueue(app, tx, other, { key: 'one', dueAt: now + hour + 5000, payload: {} });
  });
  assert.equal(await runner.settled(), now + hour);
  setBackMs = hour;
  assert.equal(await runner.settled(), now + 5000);
  await ran.promise;
  assert.deepEqual([movedBy, Object.fromEntries(runner.ran())], [[hour], { 'test.slow': 1 }]);
});

test(
  'a job whose kind is not defined stays in the queue, is logged, and keeps no other from running',
  { timeout: 30_000 },
  async (t) => {
    const { app, clock, runner, close } = await createTestApp({
      jobs: () => [transactionalJob(other, () => Promise.resolve())],
    });
    t.after(() => close());
    const logged: unknown[] = [];
    t.mock.method(app.log, 'error', (what: unknown) => void logged.push(what));
    const retired = jobKind<Record<string, never>>('test.retired');
    await transact(app.db, installation, async (tx) => {
      await enqueue(app, tx, retired, { key: 'one', lane: 'lane', dueAt: clock.now(), payload: {} });
      await enqueue(app, tx, other, { key: 'one', dueAt: clock.now(), payload: {} });
    });
    await runner.settled();
    assert.deepEqual([Object.fromEntries(runner.ran()), logged], [{ 'test.other': 1 }, [{ kind: 'test.retired' }]]);
  },
);

test('a job of an undefined kind behind another one of its lane harms nobody', { timeout: 30_000 }, async (t) => {
  const { app, clock, runner, close } = await createTestApp({
    jobs: () => [
      externalJob(other, {
        laneConcurrency: 1,
        leaseMs: 60_000,
        retryDelaysMs: [],
        run: () => Promise.resolve({ write: () => Promise.resolve() }),
        exhausted: () => Promise.resolve(),
      }),
    ],
  });
  t.after(() => close());
  const retired = jobKind<Record<string, never>>('test.retired');
  await transact(app.db, installation, async (tx) => {
    for (const [key, kind] of [
      ['one', other],
      ['two', retired],
      ['three', other],
    ] as const) {
      await enqueue(app, tx, kind, { key, lane: 'lane', dueAt: clock.now(), payload: {} });
    }
  });
  await runner.settled();
  assert.deepEqual(Object.fromEntries(runner.ran()), { 'test.other': 2 });
});
