import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installation, transact } from '../../src/db/transaction.ts';
import { type Completion, enqueue, externalJob, type Job, jobKind } from '../../src/kernel/queue.ts';
import { createTestApp } from '../support/app.ts';

const kind = jobKind<Record<string, never>>('test.outside');
const done: Completion = { write: () => Promise.resolve() };

type Run = (job: Job<unknown>) => Promise<Completion>;
const outside = (laneConcurrency: number, run: Run) =>
  externalJob(kind, {
    laneConcurrency,
    leaseMs: 60_000,
    retryDelaysMs: [],
    run: (_app, job) => run(job),
    exhausted: () => Promise.resolve(),
  });

test(
  'the jobs of one contact that must wait for each other hold up no other job of their lane, and keep their order',
  { timeout: 20_000 },
  async (t) => {
    const first = Promise.withResolvers<Completion>();
    const others = Promise.withResolvers<void>();
    const order: string[] = [];
    let left = 10;
    const testing = await createTestApp({
      jobs: () => [
        outside(4, ({ key, exclusive }) => {
          if (exclusive === 'busy') order.push(key);
          else if ((left -= 1) === 0) others.resolve();
          return key === 'busy 000' ? first.promise : Promise.resolve(done);
        }),
      ],
    });
    t.after(() => testing.close());
    const { app, clock, runner } = testing;
    const put = (key: string, exclusive: string | null) =>
      transact(app.db, installation, (tx) =>
        enqueue(app, tx, kind, { key, lane: 'one', exclusive, dueAt: clock.now(), payload: {} }),
      );
    const busy = Array.from({ length: 200 }, (_, index) => `busy ${String(index).padStart(3, '0')}`);
    await transact(app.db, installation, async (tx) => {
      const rows = [
        ...busy.map((key) => [key, 'busy']),
        ...Array.from({ length: 8 }, (_, index) => [`other ${index}`, `text ${index % 3}`]),
      ];
      for (const [key, exclusive] of rows)
        await enqueue(app, tx, kind, {
          key: key!,
          lane: 'one',
          exclusive: exclusive!,
          dueAt: clock.now(),
          payload: {},
        });
    });
    await put('free', null);
    await put('late', 'text 9');
    await others.promise;
    assert.deepEqual(order, ['busy 000']);
    const claimed = await app.db.selectFrom('outbox').select('id').where('lease_until', 'is not', null).execute();
    assert.ok(claimed.length < 100, `${claimed.length} jobs are claimed, although most must wait`);
    first.resolve(done);
    await runner.settled();
    assert.deepEqual(order, busy);
  },
);

test('a lane without room in memory claims only the jobs that it starts', async (t) => {
  let maxClaimed = 0;
  const testing = await createTestApp({
    runner: { maxInHand: 20 },
    jobs: () => [
      outside(1, async () => {
        const { db } = testing.app;
        const { claimed } = await db
          .selectFrom('outbox')
          .select((eb) => eb.fn.countAll<number>().as('claimed'))
          .where('lease_until', 'is not', null)
          .executeTakeFirstOrThrow();
        maxClaimed = Math.max(maxClaimed, claimed);
        return done;
      }),
    ],
  });
  t.after(() => testing.close());
  const { app, clock, runner } = testing;
  const lanes = 40;
  await transact(app.db, installation, async (tx) => {
    for (let index = 0; index < lanes * 10; index += 1)
      await enqueue(app, tx, kind, { key: `${index}`, lane: `lane ${index % lanes}`, dueAt: clock.now(), payload: {} });
  });
  await runner.settled();
  assert.deepEqual(Object.fromEntries(runner.ran()), { 'test.outside': 400 });
  // At most `maxInHand` (20) jobs, and one for each lane's slot in the pool.
  assert.ok(maxClaimed <= 20 + lanes, `${maxClaimed} jobs were claimed at a time`);
});

test('between two jobs that take long, the event loop handles other events', { timeout: 20_000 }, async (t) => {
  let ticks = 0;
  let counting = setImmediate(function count() {
    ticks += 1;
    counting = setImmediate(count);
  });
  t.after(() => clearImmediate(counting));
  /** The tick in which each job started. */
  const startedIn: number[] = [];
  const testing = await createTestApp({
    jobs: () => [
      outside(64, () => {
        const until = performance.now() + 5;
        let now = 0;
        while (now < until) now = performance.now(); // computes longer than a tick should take
        startedIn.push(ticks);
        return Promise.resolve(done);
      }),
    ],
  });
  t.after(() => testing.close());
  const { app, clock, runner } = testing;
  await transact(app.db, installation, async (tx) => {
    for (let index = 0; index < 40; index += 1)
      await enqueue(app, tx, kind, { key: `${index}`, lane: 'one', dueAt: clock.now(), payload: {} });
  });
  await runner.settled();
  assert.equal(startedIn.length, 40);
  assert.equal(new Set(startedIn.slice(-20)).size, 20, startedIn.join(' '));
});
