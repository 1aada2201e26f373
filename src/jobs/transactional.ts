import { monotonicMs } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { isStorageRefusal } from '../db/storage.ts';
import { transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Job, JobDefinition } from '../kernel/queue.ts';
import { dueTransactional, postpone, take } from './store.ts';

/** Jobs that one transaction takes, and how long (real time) it goes on: enough share its commit, and no request waits for long. */
const batchSize = 256;
const batchMs = 25;

/** A transactional job that throws is a defect: it is tried again, later and later. */
const postponeMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 3_600_000);

export type Defined = { definitionOf(job: Job<never>): JobDefinition; ran(job: Job<never>): void };

/**
 * Runs transactional jobs that are due, the whole batch in one commit; when one of it throws, each in a commit of its own, so that
 * it hurts no other. How many were due, up to a batch.
 */
export async function runTransactional(app: App, defined: Defined): Promise<number> {
  const jobs = await dueTransactional(app.db, app.clock.now(), batchSize);
  if (jobs.length === 0) return 0;
  try {
    const done = await transact(app.db, async (tx) => {
      const ran: Array<Job<never>> = [];
      const until = monotonicMs() + batchMs;
      for (const job of jobs) {
        if (await runIn(app, defined, tx, job)) ran.push(job);
        if (monotonicMs() >= until) break;
      }
      return ran;
    });
    done.forEach((job) => defined.ran(job));
  } catch (error) {
    app.log.warn({ error: messageOf(error), jobs: jobs.length }, 'a batch failed; running its jobs one by one');
    for (const job of jobs) await runAlone(app, defined, job);
  }
  return jobs.length;
}

/** False when the job was cancelled or moved by an earlier one of the batch. */
async function runIn(app: App, defined: Defined, tx: Tx, job: Job<never>): Promise<boolean> {
  // Taken first, so that the job itself may enqueue its kind and key again.
  if (!(await take(tx, job))) return false;
  const definition = defined.definitionOf(job);
  if (definition.mode !== 'transactional') throw new Error(`${job.kind} needs a lane`);
  await definition.run(app, tx, job);
  return true;
}

async function runAlone(app: App, defined: Defined, job: Job<never>): Promise<void> {
  try {
    if (await transact(app.db, (tx) => runIn(app, defined, tx, job))) defined.ran(job);
  } catch (error) {
    if (isStorageRefusal(error)) throw error; // no fault of the job's: it stays due, and all is tried again in a second
    const { kind, key, attempt } = job;
    app.log.error({ err: error, kind, key, attempt }, 'a job failed; it is tried again');
    await postpone(app.db, job, app.clock.now() + postponeMs(attempt), messageOf(error));
  }
}
