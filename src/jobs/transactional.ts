import { monotonicMs } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { StorageRefusal } from '../db/storage.ts';
import { type Scope, transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import { type Job, watchChanges } from '../kernel/queue.ts';
import { watchdogOf } from '../kernel/watchdog.ts';
import type { Definitions } from './definitions.ts';
import { type DueTransactional, dueTransactional, nextTransactional, postpone, removeDue, take } from './store.ts';

/** Limit on the jobs of one commit: high enough to share its cost, low enough that no request waits long for the lock. */
const batchSize = 256;

/** A transactional job that throws is a defect in parley; it is retried with growing delays. */
const retryDelayMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 3_600_000);

/** Jobs that only change the database. */
export type TransactionalJobs = {
  /**
   * Runs a scope's due jobs in the caller's transaction: at most one batch, and none after `until` (monotonic ms) except the first. Returns
   * the jobs that ran; count them after the commit. When a job throws, the caller must roll the transaction back.
   */
  run(tx: Tx, scope: Scope, until: number): Promise<Array<Job<never>>>;
  /** When a commit that begins now should run no more jobs, in monotonic ms. */
  deadline(): number;
  /**
   * Runs the scope's due jobs with one commit per job, so that a failing job affects no other. Returns how many were due.
   * @throws when the database cannot be read or written; the jobs that did not run stay due
   */
  runOneByOne(scope: Scope): Promise<number>;
};

export type TransactionalOptions = {
  /** Longest real time (ms) before a commit. */
  maxBatchMs: number;
  /** Called with the instant at which the scope's next job falls due; it may have passed. */
  onNext: (scope: Scope, dueAt: number) => void;
};

export function createTransactionalJobs(
  app: App,
  definitions: Definitions,
  { maxBatchMs, onNext }: TransactionalOptions,
): TransactionalJobs {
  const due = (db: App['db'], scope: Scope): Promise<DueTransactional> =>
    dueTransactional(db, { scope, now: app.clock.now(), limit: batchSize });

  async function lookAgain(db: App['db'], scope: Scope): Promise<void> {
    const next = await nextTransactional(db, scope);
    if (next !== null) onNext(scope, next);
  }

  return {
    deadline: () => monotonicMs() + maxBatchMs,
    async run(tx, scope, until) {
      const isChanged = watchChanges(tx);
      const { jobs, nextAt } = await due(tx, scope);
      const ran: Array<Job<never>> = [];
      let isCut = jobs.length === batchSize;
      for (const [index, job] of jobs.entries()) {
        // The first job always runs, however long the query took: a pass that did nothing would look like an empty queue.
        if (index > 0 && monotonicMs() >= until) {
          isCut = true;
          break;
        }
        // An earlier job of the batch may have cancelled or moved it.
        if (!isChanged(job)) await removeDue(tx, job);
        else if (!(await take(tx, job))) continue;
        await run(app, definitions, tx, job);
        ran.push(job);
      }
      // Jobs that were enqueued by the jobs that ran are not considered here, because enqueueing a job wakes the runner.
      if (isCut) onNext(scope, app.clock.now());
      else if (nextAt === undefined) await lookAgain(tx, scope);
      else if (nextAt !== null) onNext(scope, nextAt);
      return ran;
    },
    async runOneByOne(scope) {
      try {
        const { jobs } = await due(app.db, scope);
        for (const job of jobs) await runAlone(app, definitions, job);
        await lookAgain(app.db, scope);
        return jobs.length;
      } catch (error) {
        onNext(scope, app.clock.now()); // jobs that did not run are still due
        throw error;
      }
    },
  };
}

/** Returns false when the job was cancelled or moved since it was read. */
async function runOne(app: App, definitions: Definitions, tx: Tx, job: Job<never>): Promise<boolean> {
  if (!(await take(tx, job))) return false;
  await run(app, definitions, tx, job);
  return true;
}

/** Runs a job that has been removed, so that it may enqueue its own kind and key again. */
async function run(app: App, definitions: Definitions, tx: Tx, job: Job<never>): Promise<void> {
  const definition = definitions.of(job.kind);
  if (definition.mode !== 'transactional') throw new Error(`${job.kind} needs a lane`);
  watchdogOf(app).mark({ kind: 'job', name: job.kind, size: 1 });
  await definition.run(app, tx, job);
}

async function runAlone(app: App, definitions: Definitions, job: Job<never>): Promise<void> {
  try {
    if (await transact(app.db, job.scope, (tx) => runOne(app, definitions, tx, job))) definitions.countRun(job);
  } catch (error) {
    if (error instanceof StorageRefusal) throw error; // not the job's fault: it stays due, and the runner tries again in a second
    const { kind, key, attempt } = job;
    app.log.error({ err: error, kind, key, attempt }, 'a job failed; it is tried again');
    await postpone(app.db, job, app.clock.now() + retryDelayMs(attempt), messageOf(error));
  }
}
