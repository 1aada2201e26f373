import { onBehalfOf } from '../base/on-behalf-of.ts';
import type { App } from '../kernel/app.ts';
import type { ExternalJob, Job } from '../kernel/queue.ts';
import { watchdogOf } from '../kernel/watchdog.ts';
import type { Finished } from './completion.ts';
import type { Definitions } from './definitions.ts';
import type { LaneQueue } from './job-queue.ts';
import { awaitsClaim, unblocked } from './lane-state.ts';
import type { Pools } from './pools.ts';
import { limitPerTick } from './tick-limit.ts';

/**
 * Longest real time of a tick of the event loop in which jobs start. A small read takes several ticks: beside deliveries to 10,000 URLs its
 * p99 is 14 to 19 ms; with dozens of starts a tick it is 39 to 104 ms, and a delivery costs no less (bench/README.md).
 */
const maxTickMs = 2;

/** Gives free slots to lanes, and runs their jobs. */
export type Starts = {
  /** To be called when the lane may have jobs to start or to claim, or none any more. */
  offer(queue: LaneQueue): void;
  /** Gives every free slot to the lane that is next in rotation. */
  dispatch(): void;
  /** Starts a job in the slot that the lane holds, or frees the slot. */
  startInSlot(queue: LaneQueue): void;
  /** Whether no slot may be given to others, because jobs that may start wait for the next tick. */
  isBehind(): boolean;
  /** Starts nothing more. */
  stop(): void;
  /** Aborts the running jobs. */
  abort(): void;
};

export type StartsOptions = {
  pools: Pools;
  /** Requests a claim in the slot that the lane has been given. Returns false if there is nothing to claim. */
  claimInSlot: (queue: LaneQueue) => boolean;
  /** Called when a job starts: the lane may claim the next ones. */
  onStart: (queue: LaneQueue) => void;
  onFinished: (result: Finished) => void;
  /** Called when `isBehind` ends. */
  onCaughtUp: () => void;
  /** Called with a lane in which nothing is left. */
  forget: (queue: LaneQueue) => void;
};

export function createStarts(app: App, definitions: Definitions, options: StartsOptions): Starts {
  const { pools } = options;
  const abort = new AbortController();
  const tick = limitPerTick(maxTickMs);
  let isStopped = false;
  let willDispatch = false;

  function offer(queue: LaneQueue): void {
    if (queue.jobs.waitingCount() > 0 || awaitsClaim(queue.state)) return pools.add(queue);
    pools.remove(queue);
    if (queue.state.name === 'idle' && queue.jobs.runningCount() === 0) options.forget(queue);
  }

  function dispatch(): void {
    while (tick.hasRoom() && !isStopped) {
      const queue = pools.next();
      if (!queue) return;
      useSlot(queue);
    }
    if (isStopped || willDispatch) return;
    willDispatch = true;
    tick.run(() => {
      willDispatch = false;
      dispatch();
      if (!willDispatch) options.onCaughtUp();
    });
  }

  function useSlot(queue: LaneQueue): void {
    const job = queue.jobs.takeStartable();
    if (job) return tick.run(() => void run(queue, job));
    pools.remove(queue);
    if (options.claimInSlot(queue)) return;
    pools.finished(queue);
    if (queue.jobs.runningCount() === 0 && queue.jobs.waitingCount() === 0) offer(queue);
  }

  function startInSlot(queue: LaneQueue): void {
    const job = isStopped || pools.isHeld(queue) ? undefined : queue.jobs.takeStartable();
    if (job) void run(queue, job);
    else pools.finished(queue);
    offer(queue);
  }

  async function run(queue: LaneQueue, job: Job<never>): Promise<void> {
    queue.jobs.started(job);
    options.onStart(queue);
    const result = await resultOf(app, definitions.external(job.kind), job, abort.signal);
    queue.jobs.finished(job);
    // Other jobs with this `exclusive` text may be in the outbox, where the last claim left them.
    if (job.exclusive !== null && !queue.jobs.isAwaited(job.exclusive)) queue.state = unblocked(queue.state);
    if (result.completion?.barrier) pools.hold(queue);
    pools.finished(queue);
    offer(queue);
    dispatch();
    options.onFinished(result);
  }

  return {
    offer,
    dispatch,
    startInSlot: (queue) => {
      if (queue.jobs.waitingCount() > 0) tick.run(() => startInSlot(queue));
      else startInSlot(queue);
    },
    isBehind: () => willDispatch,
    stop: () => void (isStopped = true),
    abort: () => abort.abort(),
  };
}

async function resultOf(app: App, definition: ExternalJob, job: Job<never>, signal: AbortSignal): Promise<Finished> {
  watchdogOf(app).mark({ kind: 'job', name: job.kind, size: 1 });
  try {
    return { job, definition, completion: await onBehalfOf(job.scope, () => definition.run(app, job, signal)) };
  } catch (error) {
    return { job, definition, error };
  }
}
