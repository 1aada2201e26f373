import { monotonicMs, nextMacrotask, pause } from '../base/clock.ts';
import type { App, DueJobs } from '../kernel/app.ts';
import type { JobDefinition } from '../kernel/queue.ts';
import { completeAll, type Parts } from './pass.ts';
import { gatheringTicks } from '../db/dialect.ts';
import { installation, transact } from '../db/transaction.ts';
import { type ClockMove, clockMove, firstJobs, firstOfKinds, moveBack, voidLeases } from './store.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { createWakeup } from './wakeup.ts';

export type Runner = {
  /** Voids the leases of a dead process, then works until stopped. */
  start(): Promise<void>;
  /** One pass: serves the scopes that are next, until their commit. Returns false when there was nothing to do. */
  runOnce(): Promise<boolean>;
  wake(jobs: DueJobs): void;
  /** Resolves when no job is due and none runs, with the instant at which the next job falls due, if there is one. */
  settled(): Promise<number | undefined>;
  /** Descriptions of the jobs that keep the runner from being settled. */
  waitsFor(): string[];
  /** Number of jobs that have run since the start, by kind. */
  ran(): ReadonlyMap<string, number>;
  /** Starts nothing new, waits up to `graceMs` for running jobs, aborts those that still run, and releases all claims. */
  stop(graceMs: number): Promise<void>;
};

export type RunnerOptions = {
  /** Longest real time (ms) that transactional jobs share one commit. No limit under a test clock, where runs must be repeatable. */
  maxBatchMs?: number;
  /** With more claimed jobs in memory than this, a lane claims only jobs that can start at once. */
  maxInHand?: number;
  /** By how many ms the clock was set back since the last call (clock-step.ts). Absent under a test clock, which stands still. */
  setBackMs?: () => number;
  /** Moves stored instants that are not in the job queue, such as those that pace calls, back by the same time. */
  onSetBack?: (setBackMs: number) => Promise<void>;
};

/** Nothing else runs meanwhile. */
const defaultMaxBatchMs = 8;
const rescueEveryMs = 30_000;
const forever = Number.MAX_SAFE_INTEGER;

export function createRunner(app: App, jobs: readonly JobDefinition[], options: RunnerOptions = {}): Runner {
  const wakeup = createWakeup(app.clock);
  const { maxBatchMs = defaultMaxBatchMs, maxInHand } = options;
  const scheduler = createScheduler(app, jobs, { maxBatchMs, maxInHand, onWork: () => wakeup.now() });
  const { external, definitions } = scheduler.parts;
  const settling = createSettling();
  const ticks = gatheringTicks(app.db);
  let stopping = false;
  let loop: Promise<void> | undefined;
  let passes = Promise.resolve(false);
  let rescueAt = 0;
  const followClock = createClockFollower(app, scheduler, options);

  async function pass(): Promise<boolean> {
    if (stopping) return false;
    await followClock();
    const now = app.clock.now();
    // After the clock was set back, `rescueAt` lies too far ahead.
    if (now >= rescueAt || rescueAt > now + rescueEveryMs || external.doubtsClaims()) {
      rescueAt = now + rescueEveryMs;
      await external.rescue();
    }
    return scheduler.serveNext();
  }

  /** Passes never overlap: the loop and callers of runOnce queue up. */
  function runOnce(): Promise<boolean> {
    passes = passes.then(pass, pass);
    return passes;
  }

  /** What else becomes ready in these ticks of the event loop shares the commit. */
  async function gather(): Promise<void> {
    for (let tick = 0; tick < ticks; tick += 1) await nextMacrotask();
  }

  async function workOnce(): Promise<void> {
    wakeup.arm();
    if (await runOnce()) return gather();
    const next = scheduler.nextAt();
    const isDue = next !== undefined && next <= app.clock.now();
    if (!isDue && !wakeup.pending() && external.isIdle()) settling.tell(next);
    await wakeup.sleep(next);
    await gather();
  }

  async function workOn(): Promise<void> {
    while (!stopping) {
      try {
        await workOnce();
      } catch (error) {
        app.log.error({ err: error }, 'the job runner failed; it continues in a second');
        await pause(1000);
      }
    }
  }

  const stop = async (graceMs: number): Promise<void> => {
    stopping = true;
    external.drop();
    wakeup.now();
    await loop;
    await finishRunning(scheduler.parts, graceMs);
  };

  return {
    async start() {
      await voidLeases(app.db, forever);
      await loadAgenda(app, scheduler);
      loop = workOn();
    },
    runOnce,
    wake(due) {
      scheduler.add(due);
      wakeup.at(due.dueAt);
    },
    settled() {
      const settled = settling.wait();
      wakeup.now();
      return settled;
    },
    waitsFor() {
      const inHand = external.inHand();
      return inHand.length > 0 ? inHand : ['jobs that keep failing or keep adding jobs that are due at once'];
    },
    ran: () => definitions.runs,
    stop,
  };
}

/** Adds the first jobs of all queues to the agenda. */
async function loadAgenda(app: App, scheduler: Scheduler): Promise<void> {
  for (const due of await firstJobs(app.db)) {
    if (scheduler.add(due) || due.lane === null) continue;
    // A job that no code of this version runs must not hide the lane's other jobs.
    const next = await firstOfKinds(app.db, { ...due, lane: due.lane }, scheduler.parts.definitions.externalKinds);
    if (next) scheduler.add(next);
  }
}

/**
 * When somebody has set the clock back, moves waiting jobs and other stored instants back as well: otherwise they would wait until the
 * clock catches up. What the storage refused is moved in a later pass.
 */
function createClockFollower(
  app: App,
  scheduler: Scheduler,
  { setBackMs, onSetBack }: RunnerOptions,
): () => Promise<void> {
  const moves: ClockMove[] = [];
  let othersOweMs = 0;
  async function moveJobs(): Promise<void> {
    for (let [move] = moves; move !== undefined; [move] = moves) {
      const next = await transact(app.db, installation, (tx) => moveBack(tx, move));
      if (next) moves[0] = next;
      else moves.shift();
      await nextMacrotask();
    }
  }
  return async () => {
    const ms = setBackMs?.() ?? 0;
    if (ms > 0) {
      app.log.warn({ setBackMs: ms }, 'the clock was set back; waiting jobs are moved by as much');
      othersOweMs += ms;
      moves.push(await clockMove(app.db, ms, app.clock.now()));
    }
    if (moves.length > 0) {
      await moveJobs();
      await loadAgenda(app, scheduler);
    }
    if (othersOweMs > 0) {
      await onSetBack?.(othersOweMs);
      othersOweMs = 0;
    }
  };
}

/** Waits up to `graceMs` for the running jobs and writes their results; then aborts the others and releases their claims. */
async function finishRunning(parts: Parts, graceMs: number): Promise<void> {
  const { app, external } = parts;
  const deadline = monotonicMs() + graceMs;
  while (!external.isIdle() && monotonicMs() < deadline) {
    await pause(20);
    await completeAll(parts);
  }
  external.abort();
  const refusal = await completeAll(parts);
  if (refusal)
    app.log.error({ err: refusal }, 'results of jobs could not be recorded; the next start runs these jobs again');
  await external.releaseClaims();
}

/** Lets callers wait until the runner has nothing to do. */
function createSettling() {
  let waiting: Array<(next: number | undefined) => void> = [];
  return {
    wait: () => new Promise<number | undefined>((resolve) => waiting.push(resolve)),
    tell(next: number | undefined): void {
      const callers = waiting;
      waiting = [];
      for (const resolve of callers) resolve(next);
    },
  };
}
