import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nextMacrotask } from '../../src/base/clock.ts';
import { StorageRefusal } from '../../src/db/storage.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { type Completion, enqueue, externalJob, jobKind, transactionalJob } from '../../src/kernel/queue.ts';
import { createRunner } from '../../src/jobs/runner.ts';
import { sql } from 'kysely';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { createTestApp } from '../support/app.ts';

const slow = jobKind<Record<string, never>>('test.slow');
const other = jobKind<Record<string, never>>('test.other');

test('a job that falls due while others run is started without any other event', async (t) => {
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

/** The number of jobs that one process claims with `webhooks.max_in_flight: 1`. */
const claimable = 64;

test(
  'jobs whose writes the storage refused run once it takes writes again, without any other event',
  { timeout: 30_000 },
  async (t) => {
    let refusals = 2; // the storage refuses the batch, and then the job on its own
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
    await hanging.promise; // all slots are taken, so the runner has no other reason to look at the queue
    await transact(app.db, installation, (tx) => enqueue(app, tx, slow, { key: 'one', dueAt: now, payload: {} }));
    await ran.promise;
    release.resolve({ write: () => Promise.resolve() });
  },
);

test(
  'when the clock is set back, waiting jobs still run after the time that they had left to wait',
  { timeout: 30_000 },
  async (t) => {
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
  },
);

test(
  'a job whose kind is not defined stays in the queue, is logged, and does not stop other jobs',
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

test(
  'a job of an undefined kind behind another job of its lane does not stop any job',
  { timeout: 30_000 },
  async (t) => {
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
  },
);

test('an outside job that threw runs again after its delay, with no other event', { timeout: 30_000 }, async (t) => {
  const attempts: number[] = [];
  const delaysMs = [0, 1000];
  const { app, clock, runner, close } = await createTestApp({
    jobs: () => [
      externalJob(other, {
        laneConcurrency: 1,
        leaseMs: 60_000,
        retryDelaysMs: delaysMs,
        run(_app, job) {
          attempts.push(clock.now());
          if (job.attempt <= delaysMs.length) throw new Error('not yet');
          return Promise.resolve({ write: () => Promise.resolve() });
        },
        exhausted: () => Promise.reject(new Error('it has attempts left')),
      }),
    ],
  });
  t.after(() => close());
  const now = clock.now();
  await transact(app.db, installation, (tx) =>
    enqueue(app, tx, other, { key: 'one', lane: 'one', dueAt: now, payload: {} }),
  );
  assert.equal(await runner.settled(), now + 1000);
  clock.set(now + 1000);
  assert.equal(await runner.settled(), undefined);
  assert.deepEqual(attempts, [now, now, now + 1000]);
});

test('a job of an undefined kind at the head of a lane does not hide the others after a restart', async (t) => {
  const definitions = [
    externalJob(other, {
      laneConcurrency: 1,
      leaseMs: 60_000,
      retryDelaysMs: [],
      run: () => Promise.resolve({ write: () => Promise.resolve() }),
      exhausted: () => Promise.resolve(),
    }),
  ];
  const before = await createTestApp();
  const retired = jobKind<Record<string, never>>('test.retired');
  await before.runner.stop(0);
  await transact(before.app.db, installation, async (tx) => {
    for (const kind of [retired, other]) {
      await enqueue(before.app, tx, kind, { key: 'one', lane: 'lane', dueAt: before.clock.now(), payload: {} });
    }
  });
  await before.close({ keep: true });
  const { runner, close } = await createTestApp({ data: before.data, jobs: () => definitions });
  t.after(() => close());
  await runner.settled();
  assert.deepEqual(Object.fromEntries(runner.ran()), { 'test.other': 1 });
});

/** A runner without a loop, whose clock can be set back; `runOnce` makes its passes. */
async function aRunnerWithSteps(t: TestContext, onSetBack: (ms: number) => Promise<void> = () => Promise.resolve()) {
  const { app, clock, runner: unused, close } = await createTestApp();
  t.after(() => close());
  await unused.stop(0);
  let [offsetMs, setBackMs] = [0, 0];
  const now = (): number => clock.now() - offsetMs;
  const runner = createRunner({ ...app, clock: { ...clock, now } }, [], {
    setBackMs() {
      const once = setBackMs;
      setBackMs = 0;
      return once;
    },
    onSetBack,
  });
  return {
    app,
    now,
    runner,
    forward: (ms: number) => clock.set(clock.now() + ms),
    setBack(ms: number) {
      offsetMs += ms;
      setBackMs = ms;
    },
  };
}

test('what the storage refused to move after a step of the clock is moved later', async (t) => {
  const movedBy: number[] = [];
  let refusals = 2;
  const { runner, setBack } = await aRunnerWithSteps(t, (ms) => {
    if (refusals-- > 0) return Promise.reject(new StorageRefusal('disk full', 'FULL'));
    return Promise.resolve(void movedBy.push(ms));
  });
  setBack(3_600_000);
  await assert.rejects(runner.runOnce());
  await assert.rejects(runner.runOnce());
  await runner.runOnce();
  assert.deepEqual(movedBy, [3_600_000]);
});

test('many waiting jobs move in small transactions, each once, also when the storage refuses one of them', async (t) => {
  const { app, now, runner, setBack } = await aRunnerWithSteps(t);
  const [day, hour, count] = [86_400_000, 3_600_000, 1234];
  await app.db.deleteFrom('outbox').execute();
  await sql`INSERT INTO outbox (kind, key, due_at, payload)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT 'test.other', i, ${now() + day} + i, '{}' FROM n`.execute(app.db);
  await sql`CREATE TEMP TABLE updates (id INTEGER)`.execute(app.db);
  await sql`CREATE TEMP TRIGGER refuses BEFORE UPDATE ON outbox WHEN old.id > 350 AND NOT EXISTS (SELECT 1 FROM updates)
    BEGIN SELECT raise(FAIL, 'refused'); END`.execute(app.db);
  const dueAts = async () =>
    (await app.db.selectFrom('outbox').select('due_at').orderBy('id').execute()).map((job) => job.due_at);
  const before = await dueAts();
  setBack(hour);
  await assert.rejects(runner.runOnce(), /refused/);
  const moved = (await dueAts()).filter((dueAt, index) => dueAt !== before[index]).length;
  assert.equal(moved, 3 * maxBatchRows); // the fourth transaction was undone
  await sql`INSERT INTO updates VALUES (1)`.execute(app.db);
  await runner.runOnce();
  assert.deepEqual(
    await dueAts(),
    before.map((dueAt) => dueAt - hour),
  );
});

test('a lease that runs out is noticed within half a minute, also after the clock was set back', async (t) => {
  const { app, now, runner, forward, setBack } = await aRunnerWithSteps(t);
  await runner.runOnce();
  setBack(3_600_000);
  await runner.runOnce();
  await transact(app.db, installation, async (tx) => {
    await enqueue(app, tx, slow, { key: 'one', lane: 'gone', dueAt: now(), payload: {} });
    await tx.updateTable('outbox').set({ lease_until: now() }).execute();
  });
  forward(30_000);
  await runner.runOnce();
  const { lease_until } = await app.db.selectFrom('outbox').select('lease_until').executeTakeFirstOrThrow();
  assert.equal(lease_until, null);
});

test('outside work starts only when its claim is on disk', { timeout: 30_000 }, async (t) => {
  let held = Promise.resolve();
  const started: string[] = [];
  const testing = await createTestApp({
    sync: () => held,
    jobs: () => [
      externalJob(other, {
        laneConcurrency: 1,
        leaseMs: 60_000,
        retryDelaysMs: [],
        run: (_app, job) => {
          started.push(job.key);
          return Promise.resolve({ write: () => Promise.resolve() });
        },
        exhausted: () => Promise.resolve(),
      }),
    ],
  });
  t.after(() => testing.close());
  const { app, clock, runner } = testing;
  await transact(app.db, 'one', (tx) =>
    enqueue(app, tx, other, { key: 'one', lane: 'one', dueAt: clock.now() + 1000, payload: {} }),
  );
  await runner.settled();
  const sync = Promise.withResolvers<void>();
  held = sync.promise;
  clock.set(clock.now() + 1000);
  const claimed = app.db.selectFrom('outbox').select('id').where('lease_until', 'is not', null);
  while ((await claimed.execute()).length === 0) await nextMacrotask();
  await nextMacrotask();
  assert.deepEqual(started, []);
  sync.resolve();
  await runner.settled();
  assert.deepEqual(started, ['one']);
});
