import { transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { ExternalJob, Job } from '../kernel/queue.ts';
import type { Defined } from './defined.ts';
import { createGathering } from './gathering.ts';
import { createLanes } from './lanes.ts';
import { type Finished, record } from './recording.ts';
import { claimExternal, nextExternalAfter, unclaim, voidLeases } from './store.ts';

/** Jobs that one claim takes at most, of one lane and in all. */
const perLane = 64;
const limit = 512;
/** Jobs that are listed for people at most. */
const maxListed = 10;
const never = Number.POSITIVE_INFINITY;
const forever = Number.MAX_SAFE_INTEGER;
const shortestLeaseMs = 60_000;

/** So many results do not wait for company any longer. */
const maxGathered = 512;

/** The jobs that talk to the outside: claimed, running, or finished and not yet recorded. */
export type ExternalJobs = {
  /** Such work was enqueued for an instant. */
  wanted(dueAt: number): void;
  /** What finished and is to be recorded now: when it is enough or has waited long enough, or `atOnce`. */
  takeFinished(atOnce?: boolean): Finished[];
  /** Whether a claim may find something. */
  mayClaim(now: number): boolean;
  /** Nothing that is due was left in the queue by the last claim: another one costs next to nothing. */
  isCaughtUp(): boolean;
  recordIn(tx: Tx, finished: readonly Finished[]): Promise<void>;
  /** The same, each in a commit of its own. What cannot be recorded (a full disk) is rescued when its lease runs out. */
  recordOneByOne(finished: readonly Finished[]): Promise<void>;
  /** Claims what is due in lanes with room, for a caller who hands it to `hold` once that is committed. */
  claimIn(tx: Tx, now: number): Promise<Array<Job<never>>>;
  /** After the commit, or in vain after `recordOneByOne`: what finished is done with, what was claimed may start. */
  hold(claimed: ReadonlyArray<Job<never>>, finished: readonly Finished[]): void;
  /** Starts of what is claimed whatever its lane lets start. How many. */
  start(): number;
  /** Gives back what this process lost hold of: its lease ran out and it is not in memory (a result that could not be recorded). */
  rescue(): Promise<void>;
  /** Some of what is claimed, running or unrecorded, in words. */
  inHand(): string[];
  /** Nothing of it is. */
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
  const inHand = new Map<number, Job<never>>();
  let finished: Finished[] = [];
  let dropped = false;
  /** The earliest instant at which a claim may find something. */
  let claimAt = 0;
  let isCaughtUp = false;
  const hasRoom = (): boolean => !dropped && lanes.size() < options.maxRunning * perLane;
  const wanted = (dueAt: number): void => {
    claimAt = Math.min(claimAt, dueAt);
  };

  const gathering = createGathering({
    full: () => lanes.running() === 0 || finished.length >= maxGathered,
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

  return {
    wanted,
    takeFinished(atOnce = false) {
      if (finished.length > 0 && !atOnce && !gathering.isRipe()) {
        gathering.look();
        return [];
      }
      const batch = finished;
      finished = [];
      return batch;
    },
    mayClaim: (now) => hasRoom() && now >= claimAt,
    isCaughtUp: () => hasRoom() && isCaughtUp,
    recordIn: (tx, batch) => record(app, tx, batch),
    async recordOneByOne(batch) {
      for (const one of batch) await recordAlone(app, one);
    },
    async claimIn(tx, now) {
      claimAt = never; // before the look at the queue: what is enqueued meanwhile counts
      const leaseUntil = now + leaseMs;
      const claim = await claimExternal(tx, { now, leaseUntil, busyLanes: lanes.busy(), perLane, limit });
      isCaughtUp = claim.leftNothing;
      wanted(claim.jobs.length === limit ? now : ((await nextExternalAfter(tx, now)) ?? never));
      return claim.jobs;
    },
    hold(claimed, batch) {
      if (batch.length > 0) gathering.emptied();
      for (const { job, completion } of batch) {
        inHand.delete(job.id);
        defined.ran(job);
        lanes.release(job);
        // Its lane may have room again, and what failed may be due again.
        if (completion === undefined || completion.barrier) wanted(0);
      }
      for (const job of claimed) {
        inHand.set(job.id, job);
        lanes.add(job, defined.definitionOf(job) as ExternalJob);
      }
      if (dropped) lanes.drop();
    },
    start() {
      const starting = dropped ? [] : lanes.startable();
      for (const job of starting) void run(job);
      return starting.length;
    },
    async rescue() {
      const rescued = await voidLeases(app.db, app.clock.now(), [...inHand.keys()]);
      if (rescued === 0) return;
      wanted(0);
      app.log.warn({ jobs: rescued }, 'jobs whose lease ran out are run again');
    },
    inHand: () => [...inHand.values()].slice(0, maxListed).map(({ kind, key }) => `${kind} ${key}`),
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

/** A result that cannot be recorded (a full disk) leaves the job claimed: its lease runs out, it is rescued and run again. */
async function recordAlone(app: App, one: Finished): Promise<void> {
  try {
    await transact(app.db, (tx) => record(app, tx, [one]));
  } catch (error) {
    app.log.error({ err: error, kind: one.job.kind, key: one.job.key }, 'a result could not be recorded');
  }
}
