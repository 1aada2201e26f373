import { monotonicMs, pause } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Completion, ExternalJob, Job } from '../kernel/queue.ts';
import { createLanes } from './lanes.ts';
import { claimExternal, nextDueAfter, postpone, remove, unclaim, voidLeases } from './store.ts';
import type { Defined } from './transactional.ts';

/** Jobs that one claim takes at most, of one lane and in all. */
const perLane = 64;
const limit = 512;
const never = Number.POSITIVE_INFINITY;
const forever = Number.MAX_SAFE_INTEGER;
const shortestLeaseMs = 60_000;

/** While other jobs run, a result waits so long (real time) for company: a commit costs as much for one as for a hundred. */
const gatherMs = 10;
const mostGathered = 256;

type Finished = { job: Job<never>; definition: ExternalJob; completion?: Completion; error?: unknown };

/** The jobs that talk to the outside: claimed, running, or finished and not yet recorded. */
export type ExternalJobs = {
  /**
   * In one commit: records what finished, when that is enough or has waited long enough, or `atOnce`, and claims what is due in lanes
   * with room. How many results were recorded.
   */
  recordAndClaim(atOnce?: boolean): Promise<number>;
  /** Starts of what is claimed whatever its lane lets start. How many. */
  start(): number;
  /** Work was enqueued, perhaps external, for an instant. */
  wanted(dueAt: number): void;
  /** Gives back what this process lost hold of: its lease ran out and it is not in memory (a result that could not be recorded). */
  rescue(): Promise<void>;
  /** Nothing is claimed, running or unrecorded. */
  idle(): boolean;
  /** Starts nothing any more, and forgets what is claimed and has not started. */
  drop(): void;
  /** Tells what runs to give up. */
  abort(): void;
  /** Ends all claims. What never started counts as never tried: nobody need ask what became of it. */
  giveBack(): Promise<void>;
};

export type ExternalOptions = { maxRunning: number; leaseMs: number; finished: () => void };

// oxlint-disable-next-line max-lines-per-function -- its verbs share what is claimed, running and finished
export function createExternalJobs(app: App, defined: Defined, options: ExternalOptions): ExternalJobs {
  const lanes = createLanes(options.maxRunning);
  const leaseMs = Math.max(shortestLeaseMs, options.leaseMs);
  const abort = new AbortController();
  const inHand = new Set<number>();
  let finished: Finished[] = [];
  let dropped = false;
  /** The earliest instant at which a claim may find something. */
  let claimAt = 0;
  const wanted = (dueAt: number): void => {
    claimAt = Math.min(claimAt, dueAt);
  };

  const gathering = createGathering({
    full: () => lanes.running() === 0 || finished.length >= mostGathered,
    ripe: options.finished,
  });

  /** One job after the other of a lane, without a pass between them; what they came to is recorded together. */
  async function run(first: Job<never>): Promise<void> {
    for (let job: Job<never> | undefined = first; job; job = lanes.successor(job)) {
      const result = await resultOf(app, defined.definitionOf(job) as ExternalJob, job, abort.signal);
      if (result.completion?.barrier) lanes.hold(job);
      lanes.finished(job);
      finished.push(result);
      if (!lanes.isBusy(job)) wanted(0);
      gathering.look();
    }
  }

  function takeRipe(atOnce: boolean): Finished[] {
    if (finished.length > 0 && !atOnce && !gathering.isRipe()) {
      gathering.look();
      return [];
    }
    const batch = finished;
    finished = [];
    return batch;
  }

  async function claimIn(tx: Tx, now: number): Promise<Array<Job<never>>> {
    claimAt = never; // before the look at the queue: what is enqueued meanwhile counts
    const leaseUntil = now + leaseMs;
    const claimed = await claimExternal(tx, { now, leaseUntil, busyLanes: lanes.busy(), perLane, limit });
    wanted(claimed.length === limit ? now : ((await nextDueAfter(tx, now)).external ?? never));
    return claimed;
  }

  /** Answers what was claimed. When it cannot be done in one commit, each result has its own, and the next pass claims. */
  async function commit(batch: readonly Finished[], claimsAt: number | undefined): Promise<Array<Job<never>>> {
    try {
      return await transact(app.db, async (tx) => {
        for (const one of batch) await recordIn(app, tx, one);
        return claimsAt === undefined ? [] : await claimIn(tx, claimsAt);
      });
    } catch (error) {
      if (claimsAt !== undefined) wanted(claimsAt);
      if (batch.length === 0) throw error;
      app.log.warn({ error: messageOf(error), jobs: batch.length }, 'results could not be recorded together');
      for (const one of batch) await recordAlone(app, one);
      return [];
    }
  }

  return {
    async recordAndClaim(atOnce = false) {
      const now = app.clock.now();
      const claims = !dropped && now >= claimAt && lanes.size() < options.maxRunning * perLane;
      const batch = takeRipe(atOnce);
      if (batch.length === 0 && !claims) return 0;
      const claimed = await commit(batch, claims ? now : undefined);
      if (batch.length > 0) gathering.emptied();
      for (const { job, completion } of batch) {
        inHand.delete(job.id);
        defined.ran(job);
        lanes.release(job);
        // Its lane may have room again, and what failed may be due again.
        if (completion === undefined || completion.barrier) wanted(0);
      }
      for (const job of claimed) {
        inHand.add(job.id);
        lanes.add(job, defined.definitionOf(job) as ExternalJob);
      }
      if (dropped) lanes.drop();
      return batch.length;
    },
    start() {
      const starting = dropped ? [] : lanes.startable();
      for (const job of starting) void run(job);
      return starting.length;
    },
    wanted,
    async rescue() {
      const rescued = await voidLeases(app.db, app.clock.now(), [...inHand]);
      if (rescued === 0) return;
      wanted(0);
      app.log.warn({ jobs: rescued }, 'jobs whose lease ran out are run again');
    },
    idle: () => lanes.size() === 0 && finished.length === 0,
    drop() {
      dropped = true;
      lanes.drop();
    },
    abort: () => abort.abort(),
    giveBack: () => giveBack(app, lanes.dropped()),
  };
}

/** A disk that is full must not keep the process from ending; the next start voids all leases, too. */
async function giveBack(app: App, unstarted: ReadonlyArray<Job<never>>): Promise<void> {
  try {
    await unclaim(app.db, unstarted);
    await voidLeases(app.db, forever);
  } catch (error) {
    app.log.warn({ err: error }, 'leases could not be given back');
  }
}

/** Runs a job; what it throws is a result, too. */
async function resultOf(app: App, definition: ExternalJob, job: Job<never>, signal: AbortSignal): Promise<Finished> {
  try {
    return { job, definition, completion: await definition.run(app, job, signal) };
  } catch (error) {
    return { job, definition, error };
  }
}

/** When what finished goes to the store: at once when it is full, else when it has waited long enough (real time). */
function createGathering({ full, ripe }: { full: () => boolean; ripe: () => void }) {
  let ripeAt = 0;
  let alarmed = false;
  const isRipe = (): boolean => full() || monotonicMs() >= ripeAt;
  async function lookLater(): Promise<void> {
    alarmed = true;
    await pause(ripeAt - monotonicMs());
    alarmed = false;
    look();
  }
  function look(): void {
    if (isRipe()) ripe();
    else if (!alarmed) void lookLater();
  }
  return { isRipe, look, emptied: () => void (ripeAt = monotonicMs() + gatherMs) };
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
