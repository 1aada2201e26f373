import { monotonicMs } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { StorageRefusal } from '../db/storage.ts';
import { transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Job } from '../kernel/queue.ts';
import type { Defined } from './defined.ts';
import { dueTransactional, postpone, take } from './store.ts';

/** Jobs that one transaction takes, and how long (real time) it goes on: enough share its commit, and no request waits for long. */
const batchSize = 256;
const batchMs = 25;
const never = Number.POSITIVE_INFINITY;

/** A transactional job that throws is a defect: it is tried again, later and later. */
const postponeMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 3_600_000);

/** The jobs that only change the store. */
export type TransactionalJobs = {
  /** Such work was enqueued for an instant. */
  wanted(dueAt: number): void;
  /** Whether a look at the queue may find something. */
  mayBeDue(now: number): boolean;
  /** The instant of the last look: what fell due after it was not seen yet. */
  lookedAt(): number;
  /**
   * Runs what is due in the caller's transaction, up to a batch: what one of it throws is the whole transaction's fault. Answers what
   * ran, to be counted once that is committed.
   */
  runIn(tx: Tx): Promise<Array<Job<never>>>;
  /** The same, each in a commit of its own, so that one that throws hurts no other. How many were due. */
  runOneByOne(): Promise<number>;
};

export function createTransactionalJobs(app: App, defined: Defined): TransactionalJobs {
  /** The earliest instant at which a look may find something. */
  let lookAt = 0;
  let lookedAt = 0;
  const wanted = (dueAt: number): void => {
    lookAt = Math.min(lookAt, dueAt);
  };

  async function dueNow(db: App['db']): Promise<Array<Job<never>>> {
    const now = app.clock.now();
    lookAt = never; // before the look at the queue: what is enqueued meanwhile counts
    lookedAt = now;
    const jobs = await dueTransactional(db, now, batchSize);
    if (jobs.length === batchSize) wanted(now);
    return jobs;
  }

  return {
    wanted,
    mayBeDue: (now) => now >= lookAt,
    lookedAt: () => lookedAt,
    async runIn(tx) {
      const ran: Array<Job<never>> = [];
      const until = monotonicMs() + batchMs;
      for (const [index, job] of (await dueNow(tx)).entries()) {
        // One at least, however long the look took: a pass that did nothing would count as having nothing to do.
        if (index > 0 && monotonicMs() >= until) {
          wanted(job.dueAt);
          lookedAt = job.dueAt - 1;
          break;
        }
        if (await runOne(app, defined, tx, job)) ran.push(job);
      }
      return ran;
    },
    async runOneByOne() {
      try {
        const jobs = await dueNow(app.db);
        for (const job of jobs) await runAlone(app, defined, job);
        return jobs.length;
      } catch (error) {
        wanted(0); // what was not run is due still
        throw error;
      }
    },
  };
}

/** False when the job was cancelled or moved by an earlier one of the batch. */
async function runOne(app: App, defined: Defined, tx: Tx, job: Job<never>): Promise<boolean> {
  // Taken first, so that the job itself may enqueue its kind and key again.
  if (!(await take(tx, job))) return false;
  const definition = defined.definitionOf(job);
  if (definition.mode !== 'transactional') throw new Error(`${job.kind} needs a lane`);
  await definition.run(app, tx, job);
  return true;
}

async function runAlone(app: App, defined: Defined, job: Job<never>): Promise<void> {
  try {
    if (await transact(app.db, (tx) => runOne(app, defined, tx, job))) defined.ran(job);
  } catch (error) {
    if (error instanceof StorageRefusal) throw error; // no fault of the job's: it stays due, and all is tried again in a second
    const { kind, key, attempt } = job;
    app.log.error({ err: error, kind, key, attempt }, 'a job failed; it is tried again');
    await postpone(app.db, job, app.clock.now() + postponeMs(attempt), messageOf(error));
  }
}
