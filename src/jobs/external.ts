import { StorageRefusal } from '../db/storage.ts';
import { type Scope, transact, type Tx, withScope } from '../db/transaction.ts';
import type { App, DueJobs } from '../kernel/app.ts';
import type { Job } from '../kernel/queue.ts';
import { type Claims, createClaims } from './claims.ts';
import { type Finished, takeEnded, writeResults } from './completion.ts';
import type { Definitions } from './definitions.ts';
import { createInHand, type InHand } from './in-hand.ts';
import type { LaneQueue } from './job-queue.ts';
import { withDueJobs } from './lane-state.ts';
import { createPools, type Pools } from './pools.ts';
import { createResults } from './results.ts';
import { createStarts, type Starts } from './starts.ts';
import { type Claimed, unclaim, voidLeases } from './store.ts';

/**
 * With more claimed jobs in memory than this, a lane claims only jobs that can start at once. A job takes about 500 bytes; 64 jobs each of
 * ten thousand lanes would take 300 MB.
 */
const defaultMaxInHand = 16_384;
const forever = Number.MAX_SAFE_INTEGER;
const minLeaseMs = 60_000;

/** The work of one commit: results to write and lanes to claim jobs from. */
export type ExternalWork = { scope: Scope; results: readonly Finished[]; lanes: readonly LaneQueue[] };

/** The jobs that talk to the outside, from claim to commit. */
export type ExternalJobs = {
  /** To be called when jobs of the queue are due. They start when the queue gets a slot. */
  add(queue: LaneQueue): void;
  /** Takes the results that a scope has to write and the lanes it has to claim from, as many as fit into one commit. */
  take(scope: Scope): ExternalWork;
  /** Takes finished jobs out of the queue and writes their results, those of each scope in that scope. */
  complete(tx: Tx, finished: readonly Finished[]): Promise<void>;
  /**
   * Writes each result in a commit of its own, until the storage refuses one (full disk, lost connection). That one and those after it wait
   * for another pass: their jobs would otherwise run again, and only when their lease ends.
   * @returns what is done, and the refusal if there was one
   */
  completeOneByOne(work: ExternalWork): Promise<{ done: ExternalWork; refusal: StorageRefusal | undefined }>;
  /** Claims jobs of the lanes. Hand what it returns to `settle` after the commit. */
  claim(tx: Tx, lanes: readonly LaneQueue[]): Promise<Claimed<LaneQueue>>;
  /**
   * To be called after the commit: forgets completed jobs and starts claimed ones. Without `claimed`, the lanes are claimed from again
   * later.
   */
  settle(work: ExternalWork, claimed?: Claimed<LaneQueue>): void;
  /** To be called when a commit that may have claimed jobs failed, and may have been made nevertheless. */
  doubtClaims(): void;
  /** Whether jobs may be claimed that this process does not know of. */
  doubtsClaims(): boolean;
  /** Makes jobs claimable again which this process does not hold: those whose lease ran out, or all where claims are in doubt. */
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
  releaseClaims(): Promise<void>;
};

export type ExternalOptions = {
  leaseMs: number;
  maxInHand?: number | undefined;
  queueOf: (job: Job<never>) => LaneQueue;
  forget: (queue: LaneQueue) => void;
  /** Called when the scope has results to write or lanes to claim from. */
  onWork: (scope: Scope) => void;
  /** Called when `isIdle` may have become true without a commit. */
  onCaughtUp: () => void;
  /** Called with the instant at which the next jobs of the queue fall due. */
  onLater: (queue: LaneQueue, dueAt: number) => void;
  /** Reports jobs that became unclaimed again and that the agenda does not know. */
  onRescued: (jobs: DueJobs) => void;
};

export function createExternalJobs(app: App, definitions: Definitions, options: ExternalOptions): ExternalJobs {
  const leaseMs = Math.max(minLeaseMs, options.leaseMs);
  const pools = createPools({
    pool: ({ kind }) => definitions.poolOf(kind).maxRunning,
    lane: ({ kind }) => definitions.external(kind).laneConcurrency,
  });
  const inHand = createInHand();
  const results = createResults();
  const room = (): number => (options.maxInHand ?? defaultMaxInHand) - inHand.jobs.size;
  const claims = createClaims(app, {
    leaseMs,
    maxOf: (queue) => pools.maxOf(queue),
    room,
    onRequest: options.onWork,
    onLater: options.onLater,
  });
  const starts = createStarts(app, definitions, {
    pools,
    claimInSlot: (queue) => claims.request(queue, true),
    onStart(queue) {
      if (room() > 0 && !inHand.isDropped() && isRunningOut(queue, pools)) claims.request(queue, false);
    },
    onFinished(result) {
      results.add(result);
      options.onWork(result.job.scope);
    },
    onCaughtUp: options.onCaughtUp,
    forget: options.forget,
  });
  const parts: Parts = { ...options, app, definitions, leaseMs, pools, inHand, claims, starts };
  let isInDoubt = false;

  return {
    add(queue) {
      queue.state = withDueJobs(queue.state);
      starts.offer(queue);
      starts.dispatch();
    },
    take(scope) {
      const work = { scope, results: results.take(scope), lanes: claims.take(scope) };
      if (results.has(scope) || claims.has(scope)) options.onWork(scope);
      return work;
    },
    complete: (tx, finished) => complete(app, tx, finished),
    async completeOneByOne(work) {
      const { done, left, refusal } = await completeEach(app, work.results);
      left.forEach((one) => results.add(one));
      if (left.length > 0) options.onWork(work.scope);
      return { done: { ...work, results: done }, refusal };
    },
    claim: (tx, lanes) => claims.write(tx, lanes),
    settle({ results: finished, lanes }, claimed) {
      for (const one of finished) settleResult(parts, one);
      for (const queue of lanes) settleClaim(parts, queue, claimed);
      starts.dispatch();
    },
    doubtClaims: () => void (isInDoubt = true),
    doubtsClaims: () => isInDoubt,
    async rescue() {
      await rescue(parts, isInDoubt ? forever : app.clock.now());
      isInDoubt = false;
    },
    scopesWithResults: () => results.scopes(),
    inHand: () => inHand.names(),
    isIdle: () => inHand.jobs.size === 0 && claims.isEmpty() && !starts.isBehind(),
    drop() {
      starts.stop();
      claims.clear();
      inHand.drop(options.queueOf);
    },
    abort: () => starts.abort(),
    releaseClaims: () => releaseClaims(app, inHand.dropped()),
  };
}

type Parts = Pick<ExternalOptions, 'queueOf' | 'onRescued'> & {
  app: App;
  definitions: Definitions;
  leaseMs: number;
  pools: Pools;
  inHand: InHand;
  claims: Claims;
  starts: Starts;
};

/**
 * Whether a lane whose job starts should claim the next ones now, so that it does not stand still in between. A lane that runs one job at a
 * time needs no startable job: when the running one has ended, any waiting job may start.
 */
function isRunningOut(queue: LaneQueue, pools: Pools): boolean {
  const max = pools.maxOf(queue);
  return max === 1 ? queue.jobs.waitingCount() === 0 : !queue.jobs.hasStartable(max);
}

function settleResult({ definitions, inHand, pools, starts, queueOf }: Parts, { job, completion }: Finished): void {
  inHand.remove(job);
  definitions.countRun(job);
  const queue = queueOf(job);
  if (completion?.barrier) pools.release(queue);
  // A job that threw is due again, perhaps now.
  if (completion === undefined) queue.state = withDueJobs(queue.state);
  starts.offer(queue);
}

function settleClaim(
  { definitions, inHand, claims, starts }: Parts,
  queue: LaneQueue,
  claimed: Claimed<LaneQueue> | undefined,
): void {
  const { jobs, hasSlot } = claims.settle(queue, claimed);
  // A job of an undefined kind keeps its lease: nobody can run it, and `rescue` reports it when the lease ends.
  const runnable = jobs.filter(({ kind }) => definitions.isExternal(kind));
  if (inHand.add(runnable)) queue.jobs.push(runnable);
  // The slot was taken for the first of these jobs. Freeing it would let every other lane claim before this one starts anything.
  if (hasSlot) starts.startInSlot(queue);
  else starts.offer(queue);
}

async function rescue({ app, inHand, onRescued }: Parts, upTo: number): Promise<void> {
  const rescued = await voidLeases(app.db, upTo, [...inHand.jobs.keys()]);
  if (rescued.length === 0) return;
  rescued.forEach(onRescued);
  app.log.warn({ jobs: rescued.length }, 'jobs are run that were claimed, but are not in hand');
}

/** A full disk must not keep the process from ending; the next start voids all leases anyway. */
async function releaseClaims(app: App, unstarted: ReadonlyArray<Job<never>>): Promise<void> {
  try {
    await unclaim(app.db, unstarted);
    await voidLeases(app.db, forever);
  } catch (error) {
    app.log.warn({ err: error }, 'leases could not be released');
  }
}

async function complete(app: App, tx: Tx, finished: readonly Finished[]): Promise<void> {
  const ended = await takeEnded(app, tx, finished);
  for (const [scope, ofScope] of Map.groupBy(ended, ({ job }) => job.scope)) {
    await withScope(tx, scope, () => writeResults(app, tx, ofScope));
  }
}

type Completed = { done: Finished[]; left: readonly Finished[]; refusal: StorageRefusal | undefined };

/** Stops at the first result that the storage refuses, which is not the result's fault. */
async function completeEach(app: App, finished: readonly Finished[]): Promise<Completed> {
  const done: Finished[] = [];
  for (const one of finished) {
    const refusal = await completeAlone(app, one);
    if (refusal) return { done, left: finished.slice(done.length), refusal };
    done.push(one);
  }
  return { done, left: [], refusal: undefined };
}

async function completeAlone(app: App, one: Finished): Promise<StorageRefusal | undefined> {
  try {
    await transact(app.db, one.job.scope, (tx) => complete(app, tx, [one]));
  } catch (error) {
    if (error instanceof StorageRefusal) return error;
    const { kind, key } = one.job;
    app.log.error({ err: error, kind, key }, 'the result of a job could not be recorded');
  }
  return undefined;
}
