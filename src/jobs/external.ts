import { afterIo } from '../base/clock.ts';
import { onBehalfOf } from '../base/on-behalf-of.ts';
import { type Scope, transact, type Tx, withScope } from '../db/transaction.ts';
import type { App, DueJobs, KeptPlace } from '../kernel/app.ts';
import type { ExternalJob, Job } from '../kernel/queue.ts';
import { watchdogOf } from '../kernel/watchdog.ts';
import { type Finished, takeEnded, writeResults } from './completion.ts';
import type { Definitions } from './definitions.ts';
import type { LaneQueue } from './job-queue.ts';
import { createPools } from './pools.ts';
import { createResults } from './results.ts';
import { claim, type Claimed, unclaim, voidLeases } from './store.ts';
import { limitPerTurn } from './turn-limit.ts';

/** Limits of one claim, so that it does not take more than a few milliseconds of the main thread. */
const maxLanes = 64;
const maxJobs = 512;
/**
 * A lane claims this many jobs at a time. If it has run out of jobs when its next claim is written, it claims twice as many from then on, up
 * to `maxJobs`, and begins the next claim when half of them are left. If many lanes claim together, each gets its part of `maxJobs`, but at
 * least `minPerLane`.
 */
export const minClaimSize = 64;
const minPerLane = 8;
/**
 * With more claimed jobs in memory than this, a lane claims only jobs that can start at once. A job takes about 500 bytes; 64 jobs each of
 * ten thousand lanes would take 300 MB.
 */
const defaultMaxInHand = 16_384;
/**
 * Jobs that start in one turn of the event loop. Beside deliveries to 10,000 URLs, the p99 of a small read is 95 ms with 32 and 19 ms with 8;
 * a delivery costs no more (bench/README.md).
 */
const maxStarts = 8;
/**
 * The same limit for jobs with a kept place (`keepPlace`), which are counted separately, because a shared COMMIT starts dozens of them
 * together. With a limit of 8 simulated calls are late and have to be checked a second time: each costs 1.5 times as much processor time.
 */
const maxDirectStarts = 32;
/** A log message lists at most this many jobs. */
const maxListed = 10;
const forever = Number.MAX_SAFE_INTEGER;
const minLeaseMs = 60_000;

/** The work of one commit: results to write and lanes to claim jobs from. */
export type ExternalWork = { scope: Scope; results: readonly Finished[]; lanes: readonly LaneQueue[] };

/** The jobs that talk to the outside, from claim to commit. */
export type ExternalJobs = {
  /** To be called when jobs of the queue are due. They start when it is the queue's turn. */
  add(queue: LaneQueue): void;
  /** Keeps a place for a job that is about to be enqueued, if the queue may start one now and no job waits in it. */
  keepPlace(queue: LaneQueue): KeptPlace | undefined;
  /** Takes the results that a scope has to write and the lanes it has to claim from, as many as fit into one commit. */
  take(scope: Scope): ExternalWork;
  /** Takes finished jobs out of the queue and writes their results, those of each scope in that scope. */
  complete(tx: Tx, finished: readonly Finished[]): Promise<void>;
  /** Writes each result in a commit of its own. A job whose result cannot be written (full disk) runs again when its lease ends. */
  completeOneByOne(work: ExternalWork): Promise<void>;
  /** Claims jobs of the lanes. Hand what it returns to `settle` after the commit. */
  claim(tx: Tx, lanes: readonly LaneQueue[]): Promise<Claimed<LaneQueue>>;
  /**
   * To be called after the commit: forgets completed jobs and starts claimed ones. Without `claimed`, the lanes are claimed from again
   * later.
   */
  settle(work: ExternalWork, claimed?: Claimed<LaneQueue>): void;
  /** Makes jobs whose lease ran out, and which this process does not hold, claimable again. */
  rescue(): Promise<void>;
  /** Scopes with results that await their commit. */
  scopesWithResults(): Scope[];
  /** Descriptions of a few of the jobs that are claimed, running or not yet committed. */
  inHand(): string[];
  isIdle(): boolean;
  /** Starts nothing more and forgets claimed jobs that have not started. */
  drop(): void;
  /** Aborts the running jobs. */
  abort(): void;
  /** Ends all claims. For a job that never started, the claim does not count as an attempt. */
  giveBack(): Promise<void>;
};

export type ExternalOptions = {
  leaseMs: number;
  maxInHand?: number | undefined;
  queueOf: (job: Job<never>) => LaneQueue;
  forget: (queue: LaneQueue) => void;
  /** Called when the scope has results to write or lanes to claim from. */
  onWork: (scope: Scope) => void;
  /** Called with the instant at which the next jobs of the queue fall due. */
  onLater: (queue: LaneQueue, dueAt: number) => void;
  /** Reports jobs that became unclaimed again and that the agenda does not know. */
  onRescued: (jobs: DueJobs) => void;
};

// oxlint-disable-next-line max-lines-per-function -- the verbs share what is claimed, running and finished
export function createExternalJobs(app: App, definitions: Definitions, options: ExternalOptions): ExternalJobs {
  const leaseMs = Math.max(minLeaseMs, options.leaseMs);
  const { maxInHand = defaultMaxInHand } = options;
  const pools = createPools({
    pool: ({ kind }) => definitions.poolOf(kind).maxRunning,
    lane: ({ kind }) => definitions.external(kind).laneConcurrency,
  });
  const abort = new AbortController();
  const starts = limitPerTurn(maxStarts);
  const directStarts = limitPerTurn(maxDirectStarts);
  /** Claimed jobs until their result is committed. */
  const inHand = new Map<number, Job<never>>();
  const claims = new Map<Scope, LaneQueue[]>();
  const dropped: Array<Job<never>> = [];
  let isDropped = false;
  let willDispatch = false;
  const results = createResults();

  /**
   * Whether as many jobs wait in memory as may run at the same time. If these wait for others of their `exclusive` text (`isStuck`), a
   * claim would bring only more of those.
   */
  const isFull = (queue: LaneQueue): boolean => queue.jobs.waitingCount() >= pools.maxOf(queue);
  const canClaim = (queue: LaneQueue): boolean => queue.isDue && !queue.isClaiming && !(queue.isStuck && isFull(queue));
  /** Claims the next jobs while others run, so that the lane does not stand still in between. */
  function claimAhead(queue: LaneQueue): void {
    const max = pools.maxOf(queue);
    // A lane that runs one job at a time needs no startable job: when the running one has ended, any waiting job may start.
    const isAhead = queue.claimSize === minClaimSize || queue.jobs.waitingCount() >= queue.claimSize / 2;
    const hasEnough = max === 1 ? isFull(queue) : isAhead && queue.jobs.hasStartable(max);
    if (!hasEnough && inHand.size < maxInHand && canClaim(queue)) requestClaim(queue, false);
  }

  function requestClaim(queue: LaneQueue, hasPlace: boolean): void {
    queue.isClaiming = true;
    queue.isDue = false;
    queue.hasPlace = hasPlace;
    const known = claims.get(queue.scope);
    if (known) known.push(queue);
    else claims.set(queue.scope, [queue]);
    options.onWork(queue.scope);
  }

  /** Gives every free place to the job whose turn it is, as long as this turn of the event loop may start more, and goes on in the next. */
  function dispatch(): void {
    while (starts.hasRoom() && !isDropped) {
      const queue = pools.next();
      if (!queue) return;
      const job = queue.jobs.takeStartable();
      if (job) starts.run(() => void run(queue, job));
      else {
        pools.remove(queue);
        if (canClaim(queue)) requestClaim(queue, true);
        else leavePlace(queue);
      }
    }
    if (!isDropped && !willDispatch) dispatchInNextTurn();
  }

  function dispatchInNextTurn(): void {
    willDispatch = true;
    starts.run(() => {
      willDispatch = false;
      dispatch();
    });
  }

  /** Starts a job in a place that was taken before its jobs were claimed. */
  function startInPlace(queue: LaneQueue): void {
    const job = isDropped || pools.isHeld(queue) ? undefined : queue.jobs.takeStartable();
    if (job) void run(queue, job);
    else pools.finished(queue);
    offer(queue);
  }

  /** Offers the queue for dispatch if it has anything to start, or forgets it. */
  function offer(queue: LaneQueue): void {
    if (queue.jobs.waitingCount() > 0 || (queue.isDue && !queue.isClaiming)) pools.add(queue);
    else {
      pools.remove(queue);
      if (!queue.isClaiming && !queue.isDue && queue.jobs.runningCount() === 0) options.forget(queue);
    }
  }

  function leavePlace(queue: LaneQueue): void {
    pools.finished(queue);
    if (queue.jobs.runningCount() === 0 && queue.jobs.waitingCount() === 0) offer(queue);
  }

  async function run(queue: LaneQueue, job: Job<never>): Promise<void> {
    queue.jobs.started(job);
    claimAhead(queue);
    const result = await resultOf(app, definitions.external(job.kind), job, abort.signal);
    queue.jobs.finished(job);
    // Other jobs with this `exclusive` text may be in the outbox, where the last claim left them.
    if (job.exclusive !== null && !queue.jobs.isAwaited(job.exclusive)) queue.isStuck = false;
    if (result.completion?.barrier) pools.hold(queue);
    pools.finished(queue);
    offer(queue);
    dispatch();
    results.add(result);
    options.onWork(job.scope);
  }

  function settleResult({ job, completion }: Finished): void {
    inHand.delete(job.id);
    definitions.countRun(job);
    const queue = options.queueOf(job);
    if (completion?.barrier) pools.release(queue);
    // A job that threw is due again, perhaps now.
    if (completion === undefined) queue.isDue = true;
    offer(queue);
  }

  function settleClaim(queue: LaneQueue, claimed: Claimed<LaneQueue> | undefined): void {
    queue.isClaiming = false;
    // A job of an undefined kind keeps its lease: nobody can run it, and `rescue` reports it when the lease ends.
    const { jobs: all, nextAt } = claimed?.get(queue) ?? { jobs: [], nextAt: claimed ? undefined : app.clock.now() };
    const jobs = all.filter(({ kind }) => definitions.isExternal(kind));
    const ranOut = queue.jobs.waitingCount() === 0 && !queue.hasPlace && jobs.length >= minClaimSize;
    if (ranOut) queue.claimSize = Math.min(maxJobs, 2 * queue.claimSize);
    if (isDropped) dropped.push(...jobs);
    else {
      jobs.forEach((job) => inHand.set(job.id, job));
      queue.jobs.push(jobs);
    }
    queue.isStuck = claimed !== undefined && jobs.length === 0 && isFull(queue);
    if (nextAt !== undefined && nextAt <= app.clock.now()) queue.isDue = true;
    else if (nextAt !== undefined) options.onLater(queue, nextAt);
    // The place was taken for the first of these jobs. Giving it up would let every other lane claim before this one starts anything.
    const { hasPlace } = queue;
    queue.hasPlace = false;
    if (hasPlace && queue.jobs.waitingCount() > 0) starts.run(() => startInPlace(queue));
    else if (hasPlace) startInPlace(queue);
    else offer(queue);
  }

  return {
    add(queue) {
      queue.isDue = true;
      queue.isStuck = false;
      offer(queue);
      dispatch();
    },
    keepPlace(queue) {
      const isAwaited = queue.jobs.waitingCount() > 0 || queue.isDue || queue.isClaiming;
      // While jobs that may start wait for the next turn of the event loop, no other may take their places.
      if (isDropped || isAwaited || willDispatch) return undefined;
      if (!pools.take(queue)) {
        offer(queue); // forgets it if it is new
        return undefined;
      }
      return {
        leaseUntil: app.clock.now() + leaseMs,
        // Also after `drop`: the job counts as begun, and stopping waits for it.
        start(job) {
          inHand.set(job.id, job);
          directStarts.run(() => void run(options.queueOf(job), job));
        },
        release() {
          pools.finished(queue);
          offer(queue);
          // Later, because a job that started now would run inside the transaction that is being undone.
          afterIo(dispatch);
        },
      };
    },
    take(scope) {
      const taken = results.take(scope);
      const wanted = claims.get(scope) ?? [];
      const lanes = isDropped ? [] : wanted.splice(0, maxLanes);
      if (wanted.length === 0) claims.delete(scope);
      if (results.has(scope) || (wanted.length > 0 && !isDropped)) options.onWork(scope);
      return { scope, results: taken, lanes };
    },
    complete: (tx, finished) => complete(app, tx, finished),
    async completeOneByOne(work) {
      for (const one of work.results) await completeAlone(app, one);
    },
    claim(tx, lanes) {
      const now = app.clock.now();
      const around = (queue: LaneQueue): readonly string[] => (isFull(queue) ? queue.jobs.textsInHand() : noTexts);
      return claim(tx, {
        now,
        leaseUntil: now + leaseMs,
        lanes,
        perLane: perLane(lanes, maxInHand - inHand.size),
        around,
      });
    },
    settle({ results: finished, lanes }, claimed) {
      finished.forEach(settleResult);
      for (const queue of lanes) settleClaim(queue, claimed);
      dispatch();
    },
    async rescue() {
      const rescued = await voidLeases(app.db, app.clock.now(), [...inHand.keys()]);
      if (rescued.length === 0) return;
      rescued.forEach(options.onRescued);
      app.log.warn({ jobs: rescued.length }, 'jobs whose lease ran out are run again');
    },
    scopesWithResults: () => results.scopes(),
    inHand: () => [...inHand.values()].slice(0, maxListed).map(({ kind, key }) => `${kind} ${key}`),
    isIdle: () => inHand.size === 0 && claims.size === 0 && !willDispatch,
    drop() {
      isDropped = true;
      for (const job of inHand.values()) {
        const queue = options.queueOf(job);
        dropped.push(...queue.jobs.takeAll());
      }
      claims.clear();
      dropped.forEach(({ id }) => inHand.delete(id));
    },
    abort: () => abort.abort(),
    giveBack: () => giveBack(app, dropped),
  };
}

/** How many jobs to claim of each lane. Without room in memory it is one, for which the lane already has a place in the pool. */
function perLane(lanes: readonly LaneQueue[], room: number): number {
  const share = (jobs: number): number => Math.floor(jobs / Math.max(1, lanes.length));
  const wanted = Math.max(...lanes.map(({ claimSize }) => claimSize));
  return Math.max(1, Math.min(wanted, Math.max(minPerLane, share(maxJobs)), share(room)));
}

const noTexts: readonly string[] = [];

/** A full disk must not keep the process from ending; the next start voids all leases anyway. */
async function giveBack(app: App, unstarted: ReadonlyArray<Job<never>>): Promise<void> {
  try {
    await unclaim(app.db, unstarted);
    await voidLeases(app.db, forever);
  } catch (error) {
    app.log.warn({ err: error }, 'leases could not be given back');
  }
}

async function resultOf(app: App, definition: ExternalJob, job: Job<never>, signal: AbortSignal): Promise<Finished> {
  watchdogOf(app).mark({ kind: 'job', name: job.kind, size: 1 });
  try {
    return { job, definition, completion: await onBehalfOf(job.scope, () => definition.run(app, job, signal)) };
  } catch (error) {
    return { job, definition, error };
  }
}

async function complete(app: App, tx: Tx, finished: readonly Finished[]): Promise<void> {
  const ended = await takeEnded(app, tx, finished);
  for (const [scope, ofScope] of Map.groupBy(ended, ({ job }) => job.scope)) {
    await withScope(tx, scope, () => writeResults(app, tx, ofScope));
  }
}

async function completeAlone(app: App, one: Finished): Promise<void> {
  try {
    await transact(app.db, one.job.scope, (tx) => complete(app, tx, [one]));
  } catch (error) {
    const { kind, key } = one.job;
    app.log.error({ err: error, kind, key }, 'the result of a job could not be recorded');
  }
}
