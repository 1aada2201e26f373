import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nextMacrotask } from '../../src/base/clock.ts';
import { installation, scopeOf, transact } from '../../src/db/transaction.ts';
import {
  type Completion,
  enqueue,
  externalJob,
  type Job,
  jobKind,
  nothingToWrite,
  transactionalJob,
} from '../../src/kernel/queue.ts';
import { currentOwner } from '../../src/base/on-behalf-of.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { countStatements } from '../support/statements.ts';

const fetchPage = jobKind<Record<string, never>>('test.fetch');
const callPhone = jobKind<Record<string, never>>('test.call');

type Running = { job: Job<unknown>; finish(completion?: Completion): void };

/** A test app with two kinds of jobs, each of which runs until the test calls its `finish`. */
async function aRunner(t: TestContext, { lane = 8, pool = 12, resultCost = 1 } = {}) {
  const running = new Map<string, Running>();
  const started: string[] = [];
  let onStart = (): void => undefined;
  const run = (_app: unknown, job: Job<unknown>): Promise<Completion> => {
    const { promise, resolve } = Promise.withResolvers<Completion>();
    running.set(job.key, {
      job,
      finish(completion = nothingToWrite) {
        running.delete(job.key);
        resolve(completion);
      },
    });
    started.push(job.key);
    onStart();
    return promise;
  };
  const definition = {
    laneConcurrency: lane,
    resultCost,
    leaseMs: 60_000,
    retryDelaysMs: [],
    run,
    exhausted: () => Promise.resolve(),
  };
  const testing: TestApp = await createTestApp({
    jobs: () => [
      externalJob(fetchPage, { ...definition, pool: { name: 'pages', maxRunning: pool } }),
      externalJob(callPhone, { ...definition, pool: { name: 'phones', maxRunning: pool } }),
    ],
  });
  t.after(() => testing.close());
  const { app } = testing;
  return {
    ...testing,
    running,
    started,
    /** Enqueues jobs in one commit. */
    add: (scope: string, jobs: ReadonlyArray<{ key: string; lane: string; exclusive?: string }>, kind = fetchPage) =>
      transact(app.db, scope, async (tx) => {
        for (const job of jobs) await enqueue(app, tx, kind, { ...job, dueAt: app.clock.now(), payload: {} });
      }),
    /** Resolves when at least `count` jobs are running. */
    async untilRunning(count: number) {
      while (running.size < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onStart = resolve;
        await promise;
      }
    },
    /** Resolves when the jobs have started. */
    async until(...keys: string[]) {
      while (!keys.every((key) => started.includes(key))) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onStart = resolve;
        await promise;
      }
    },
  };
}

const many = (prefix: string, count: number, laneOf = (index: number) => `${prefix}:${index}`) =>
  Array.from({ length: count }, (_, index) => ({ key: `${prefix}${index}`, lane: laneOf(index) }));

test('a backlog of jobs that never end keeps no other organization waiting', { timeout: 30_000 }, async (t) => {
  const runner = await aRunner(t);
  await runner.add('hog', many('hog', 500));
  await runner.until('hog0');
  await runner.add('guest', [{ key: 'guest', lane: 'guest' }]);
  await runner.until('guest');
  assert.ok(runner.running.size < 12);
  for (const { finish } of runner.running.values()) finish();
});

test('a job runs on behalf of its organization', { timeout: 30_000 }, async (t) => {
  const owners: string[] = [];
  const { app, runner, close } = await createTestApp({
    jobs: () => [
      externalJob(fetchPage, {
        laneConcurrency: 8,
        leaseMs: 60_000,
        retryDelaysMs: [],
        async run() {
          await nextMacrotask();
          owners.push(currentOwner());
          return nothingToWrite;
        },
        exhausted: () => Promise.resolve(),
      }),
    ],
  });
  t.after(() => close());
  for (const [key, scope] of ['acme', 'other', 'acme'].entries())
    await transact(app.db, scope, (tx) =>
      enqueue(app, tx, fetchPage, { key: String(key), lane: scope, dueAt: 0, payload: {} }),
    );
  await runner.settled();
  assert.deepEqual(owners.toSorted(), ['acme', 'acme', 'other']);
});

test('a commit writes few results of a kind that takes long to write', { timeout: 30_000 }, async (t) => {
  const count = 44;
  const runner = await aRunner(t, { pool: 4 * count, resultCost: 32 });
  for (const scope of ['acme', 'other']) await runner.add(scope, many(scope, count));
  await runner.untilRunning(2 * count);
  const written = new Map<object, string[]>();
  for (const { job, finish } of runner.running.values()) {
    finish({
      write(tx) {
        written.set(tx, [...(written.get(tx) ?? []), job.scope]);
        return Promise.resolve();
      },
    });
  }
  await runner.runner.settled();
  const commits = [...written.values()];
  assert.equal(commits.flat().length, 2 * count);
  for (const scopes of commits) {
    assert.ok(scopes.length <= 8, `${scopes.length} results in one commit`);
    assert.ok(scopes.filter((scope) => scope === 'acme').length <= 4, scopes.join(' '));
  }
});

test('jobs of one pool that never end keep no other pool waiting', { timeout: 30_000 }, async (t) => {
  const runner = await aRunner(t, { pool: 1 });
  await runner.add('acme', many('page', 20));
  await runner.until('page0');
  await runner.add('acme', [{ key: 'phone', lane: 'phone' }], callPhone);
  await runner.until('phone');
  assert.deepEqual([...runner.running.keys()], ['page0', 'phone']);
  for (const { finish } of runner.running.values()) finish();
});

test(
  'jobs of one lane with the same `exclusive` run one after the other, and the others at the same time as they',
  { timeout: 30_000 },
  async (t) => {
    const runner = await aRunner(t);
    await runner.add('acme', [
      { key: 'ada 1', lane: 'url', exclusive: 'ada' },
      { key: 'ada 2', lane: 'url', exclusive: 'ada' },
      { key: 'bob 1', lane: 'url', exclusive: 'bob' },
      { key: 'ada 3', lane: 'url', exclusive: 'ada' },
    ]);
    await runner.until('ada 1', 'bob 1');
    assert.deepEqual(runner.started, ['ada 1', 'bob 1']);
    runner.running.get('ada 1')!.finish();
    await runner.until('ada 2');
    assert.deepEqual([...runner.running.keys()], ['bob 1', 'ada 2']);
    runner.running.get('ada 2')!.finish();
    await runner.until('ada 3');
    for (const { finish } of runner.running.values()) finish();
  },
);

test('a lane with more jobs than fit into one claim starts them all, in order', { timeout: 30_000 }, async (t) => {
  const runner = await aRunner(t, { lane: 1 });
  const jobs = many('job', 200, () => 'lane');
  await runner.add('acme', jobs);
  for (const { key } of jobs) {
    await runner.until(key);
    runner.running.get(key)!.finish();
  }
  assert.equal(await runner.runner.settled(), undefined);
  assert.deepEqual(
    runner.started,
    jobs.map(({ key }) => key),
  );
});

test(
  'after a result with `barrier`, a lane starts its next job only when the result is committed',
  { timeout: 30_000 },
  async (t) => {
    const runner = await aRunner(t);
    await runner.add('acme', [
      { key: 'first', lane: 'url', exclusive: 'x' },
      { key: 'second', lane: 'url', exclusive: 'x' },
    ]);
    await runner.until('first');
    let startedAtCommit: string[] = [];
    runner.running.get('first')!.finish({
      barrier: true,
      write() {
        startedAtCommit = [...runner.started];
        return Promise.resolve();
      },
    });
    await runner.until('second');
    assert.deepEqual(startedAtCommit, ['first']);
    runner.running.get('second')!.finish();
  },
);

test(
  'the first job of a lane starts as soon as it is claimed, before all other lanes have claimed',
  { timeout: 30_000 },
  async (t) => {
    const runner = await aRunner(t, { lane: 1, pool: 3 });
    await runner.add('acme', many('job', 300));
    await runner.untilRunning(2);
    const { leased } = await runner.app.db
      .selectFrom('outbox')
      .select((eb) => eb.fn.countAll<number>().as('leased'))
      .where('lease_until', 'is not', null)
      .executeTakeFirstOrThrow();
    assert.ok(leased < 100, `${leased} jobs are claimed`);
    for (const { finish } of runner.running.values()) finish();
  },
);

test('organizations with one due job each share commits', { timeout: 60_000 }, async (t) => {
  const done = jobKind<Record<string, never>>('test.done');
  const noted = jobKind<Record<string, never>>('test.noted');
  const scopes = new Set<string>();
  const testing = await createTestApp({
    jobs: () => [
      externalJob(done, {
        laneConcurrency: 1,
        leaseMs: 60_000,
        retryDelaysMs: [],
        run: () => Promise.resolve({ write: (tx) => Promise.resolve(void scopes.add(scopeOf(tx))) }),
        exhausted: () => Promise.resolve(),
      }),
      transactionalJob(noted, (_app, tx, { scope }) => Promise.resolve(assert.equal(scopeOf(tx), scope))),
    ],
  });
  t.after(() => testing.close());
  const { app, runner } = testing;
  const statements = countStatements();
  t.after(() => statements.stop());
  const organizations = 500;
  await transact(app.db, installation, async (tx) => {
    for (let index = 0; index < organizations; index += 1) {
      const job = { key: String(index), scope: `organization ${index}`, dueAt: app.clock.now(), payload: {} };
      await enqueue(app, tx, done, { ...job, lane: `lane ${index}` });
      await enqueue(app, tx, noted, job);
    }
  });
  await runner.settled();
  assert.deepEqual(Object.fromEntries(runner.ran()), { 'test.done': organizations, 'test.noted': organizations });
  assert.equal(scopes.size, organizations);
  const commits = statements.count(/^COMMIT/);
  // How many share one depends on how many start in a tick, which takes 2 ms of real time.
  assert.ok(commits <= organizations / 3, `${commits} commits`);
});
