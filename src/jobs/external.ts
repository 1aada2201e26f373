import { messageOf } from '../base/errors.ts';
import { transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Completion, ExternalJob, Job } from '../kernel/queue.ts';
import { createLanes } from './lanes.ts';
import { claimExternal, postpone, remove, voidLeases } from './store.ts';
import type { Defined } from './transactional.ts';

const claimPerLane = 64;
const claimLimit = 512;
const shortestLeaseMs = 60_000;

type Finished = { job: Job<never>; definition: ExternalJob; completion?: Completion; error?: unknown };

/** The jobs that talk to the outside: claimed, running, or finished and not yet recorded. */
export type ExternalJobs = {
  /** Records in one commit everything that finished since the last call. How many. */
  record(): Promise<number>;
  /** Claims what is due in lanes with room, and starts what its lane lets start. How many started. */
  claimAndStart(): Promise<number>;
  /** Gives back what this process lost hold of: its lease ran out and it is not in memory (a result that could not be recorded). */
  rescue(): Promise<void>;
  /** Nothing is claimed, running or unrecorded. */
  idle(): boolean;
  /** Forgets what is claimed and has not started. */
  drop(): void;
  /** Tells what runs to give up. */
  abort(): void;
};

export type ExternalOptions = { maxRunning: number; leaseMs: number; finished(): void };

export function createExternalJobs(app: App, defined: Defined, options: ExternalOptions): ExternalJobs {
  const lanes = createLanes(options.maxRunning);
  const leaseMs = Math.max(shortestLeaseMs, options.leaseMs);
  const abort = new AbortController();
  const inHand = new Set<number>();
  let finished: Finished[] = [];

  async function run(job: Job<never>): Promise<void> {
    const definition = defined.definitionOf(job) as ExternalJob;
    const result: Finished = { job, definition };
    try {
      result.completion = await definition.run(app, job, abort.signal);
    } catch (error) {
      result.error = error;
    }
    if (result.completion?.barrier) lanes.hold(job);
    lanes.finished(job);
    finished.push(result);
    options.finished();
  }

  return {
    async record() {
      const batch = finished;
      if (batch.length === 0) return 0;
      finished = [];
      await recordBatch(app, batch);
      for (const { job } of batch) {
        inHand.delete(job.id);
        defined.ran(job);
        lanes.release(job);
      }
      return batch.length;
    },
    async claimAndStart() {
      if (lanes.size() < claimLimit) {
        const now = app.clock.now();
        const limits = { perLane: claimPerLane, limit: claimLimit };
        const claim = { now, leaseUntil: now + leaseMs, busyLanes: lanes.busy(), ...limits };
        for (const job of await claimExternal(app.db, claim)) {
          inHand.add(job.id);
          lanes.add(job, defined.definitionOf(job) as ExternalJob);
        }
      }
      const starting = lanes.startable();
      for (const job of starting) void run(job);
      return starting.length;
    },
    async rescue() {
      const rescued = await voidLeases(app.db, app.clock.now(), [...inHand]);
      if (rescued > 0) app.log.warn({ jobs: rescued }, 'jobs whose lease ran out are run again');
    },
    idle: () => lanes.size() === 0 && finished.length === 0,
    drop: () => lanes.drop(),
    abort: () => abort.abort(),
  };
}

async function recordBatch(app: App, batch: readonly Finished[]): Promise<void> {
  try {
    await transact(app.db, async (tx) => {
      for (const one of batch) await recordIn(app, tx, one);
    });
  } catch (error) {
    app.log.warn({ error: messageOf(error), jobs: batch.length }, 'results could not be recorded together');
    for (const one of batch) await recordAlone(app, one);
  }
}

async function recordIn(app: App, tx: Tx, { job, definition, completion, error }: Finished): Promise<void> {
  const retryDelayMs = definition.retryDelaysMs[job.attempt - 1];
  if (completion === undefined && retryDelayMs !== undefined) {
    await postpone(tx, job, app.clock.now() + retryDelayMs, messageOf(error));
    return;
  }
  await remove(tx, job.id);
  if (completion) await completion.write(tx);
  else await definition.exhausted(app, tx, job, error);
}

/** A result that cannot be recorded (a full disk) leaves the job claimed: its lease runs out, it is rescued and run again. */
async function recordAlone(app: App, one: Finished): Promise<void> {
  try {
    await transact(app.db, (tx) => recordIn(app, tx, one));
  } catch (error) {
    app.log.error({ err: error, kind: one.job.kind, key: one.job.key }, 'a result could not be recorded');
  }
}
