import { messageOf } from '../base/errors.ts';
import { transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Completion, ExternalJob, Job, JobDefinition } from '../kernel/queue.ts';
import { createLanes } from './lanes.ts';
import { claimExternal, dueTransactional, nextDueAfter, postpone, remove, take, voidLeases } from './store.ts';
import { createWakeup } from './wakeup.ts';

export type Runner = {
  /** Gives back what a dead process had claimed, then works until stopped. */
  start(): Promise<void>;
  /** One pass: record what finished, run what is due in transactions, claim and start what talks to the outside. How much it did. */
  runOnce(): Promise<number>;
  wake(dueAt: number): void;
  /** Resolves when nothing is due at the clock's now and nothing runs. */
  settled(): Promise<void>;
  /** When unclaimed work next falls due. */
  nextDueAt(): Promise<number | undefined>;
  /** Jobs run since the start, by kind. */
  ran(): ReadonlyMap<string, number>;
  /** Starts nothing new, waits for what runs up to the grace, gives the rest back. */
  stop(graceMs: number): Promise<void>;
};

/** Transactional jobs a transaction takes: enough to share its commit, few enough not to keep requests waiting. */
const batchSize = 64;
const claimPerLane = 64;
const claimLimit = 512;
/** A transactional job that throws is a defect or a full disk: it is tried again, later and later. */
const postponeMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 3_600_000);

type Finished = { job: Job<never>; definition: ExternalJob; completion?: Completion; error?: unknown };

export function createRunner(app: App, definitions: readonly JobDefinition[], maxRunning: number): Runner {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  const lanes = createLanes(maxRunning);
  const wakeup = createWakeup(app.clock);
  const counts = new Map<string, number>();
  const abort = new AbortController();
  let finished: Finished[] = [];
  let stopping = false;
  let loop: Promise<void> | undefined;
  let passes = Promise.resolve(0);
  let whenSettled: Array<() => void> = [];

  const definitionOf = (job: Job<never>): JobDefinition => {
    const definition = byKind.get(job.kind);
    if (!definition) throw new Error(`no job of kind ${job.kind} is defined`);
    return definition;
  };
  const count = (job: Job<never>): void => void counts.set(job.kind, (counts.get(job.kind) ?? 0) + 1);

  async function runOne(tx: Tx, job: Job<never>): Promise<boolean> {
    // Taken first, so that the job itself may enqueue its kind and key again.
    if (!(await take(tx, job))) return false;
    const definition = definitionOf(job);
    if (definition.mode !== 'transactional') throw new Error(`${job.kind} needs a lane`);
    await definition.run(app, tx, job);
    return true;
  }

  /** The whole batch in one commit; when one job of it throws, each in a commit of its own, so that it hurts no other. */
  async function runTransactional(): Promise<number> {
    const jobs = await dueTransactional(app.db, app.clock.now(), batchSize);
    if (jobs.length === 0) return 0;
    try {
      const done = await transact(app.db, async (tx) => {
        const ran: Array<Job<never>> = [];
        for (const job of jobs) if (await runOne(tx, job)) ran.push(job);
        return ran;
      });
      done.forEach(count);
    } catch (error) {
      app.log.warn({ error: messageOf(error), jobs: jobs.length }, 'a batch failed; running its jobs one by one');
      for (const job of jobs) await runAlone(job);
    }
    return jobs.length;
  }

  async function runAlone(job: Job<never>): Promise<void> {
    try {
      if (await transact(app.db, (tx) => runOne(tx, job))) count(job);
    } catch (error) {
      app.log.error(
        { err: error, kind: job.kind, key: job.key, attempt: job.attempt },
        'a job failed; it is tried again',
      );
      await postpone(app.db, job, app.clock.now() + postponeMs(job.attempt), messageOf(error));
    }
  }

  async function record(tx: Tx, { job, definition, completion, error }: Finished): Promise<void> {
    const retryDelayMs = definition.retryDelaysMs[job.attempt - 1];
    if (completion === undefined && retryDelayMs !== undefined) {
      await postpone(tx, job, app.clock.now() + retryDelayMs, messageOf(error));
      return;
    }
    await remove(tx, job.id);
    if (completion) await completion.write(tx);
    else await definition.exhausted(app, tx, job, error);
  }

  /** Everything that finished since the last pass, in one commit. */
  async function recordFinished(): Promise<number> {
    const batch = finished;
    if (batch.length === 0) return 0;
    finished = [];
    try {
      await transact(app.db, async (tx) => {
        for (const one of batch) await record(tx, one);
      });
    } catch (error) {
      app.log.warn(
        { error: messageOf(error), jobs: batch.length },
        'recording results failed; recording them one by one',
      );
      for (const one of batch) await recordAlone(one);
    }
    for (const { job } of batch) {
      count(job);
      lanes.release(job);
    }
    return batch.length;
  }

  /** A result that cannot be recorded leaves the job claimed: its lease runs out and it is run again. */
  async function recordAlone(one: Finished): Promise<void> {
    try {
      await transact(app.db, (tx) => record(tx, one));
    } catch (error) {
      app.log.error({ err: error, kind: one.job.kind, key: one.job.key }, 'a result could not be recorded');
    }
  }

  async function run(job: Job<never>): Promise<void> {
    const definition = definitionOf(job) as ExternalJob;
    const result: Finished = { job, definition };
    try {
      result.completion = await definition.run(app, job, abort.signal);
    } catch (error) {
      result.error = error;
    }
    if (result.completion?.barrier) lanes.hold(job);
    lanes.finished(job);
    finished.push(result);
    wakeup.now();
  }

  async function claimAndStart(): Promise<number> {
    if (lanes.size() < claimLimit) {
      const now = app.clock.now();
      const claimed = await claimExternal(app.db, {
        now,
        leaseUntil: now + leaseMs,
        busyLanes: lanes.busy(),
        perLane: claimPerLane,
        limit: claimLimit,
      });
      for (const job of claimed) lanes.add(job, definitionOf(job) as ExternalJob);
    }
    const starting = lanes.startable();
    for (const job of starting) void run(job);
    return starting.length;
  }
  const leaseMs = Math.max(60_000, ...definitions.map((d) => (d.mode === 'external' ? d.leaseMs : 0)));

  async function pass(): Promise<number> {
    const recorded = await recordFinished();
    if (stopping) return recorded;
    return recorded + (await runTransactional()) + (await claimAndStart());
  }
  /** Passes never overlap: the loop and a caller of runOnce take turns. */
  function runOnce(): Promise<number> {
    passes = passes.then(pass, pass);
    return passes;
  }

  function tellSettled(): void {
    if (wakeup.pending() || lanes.size() > 0 || finished.length > 0) return;
    const waiting = whenSettled;
    whenSettled = [];
    for (const resolve of waiting) resolve();
  }

  async function work(): Promise<void> {
    while (!stopping) {
      wakeup.arm();
      try {
        const lookedAt = app.clock.now();
        const did = await runOnce();
        if (did > 0) {
          await wakeup.macrotask();
          continue;
        }
        tellSettled();
        // What was due already and still waits is in a busy lane: the end of a job there wakes. Sleeping until it would not sleep.
        await wakeup.sleep(await nextDueAfter(app.db, lookedAt));
      } catch (error) {
        app.log.error({ err: error }, 'the job runner met an error; it goes on in a second');
        await wakeup.pause(1000);
      }
    }
  }

  return {
    async start() {
      await voidLeases(app.db, Number.MAX_SAFE_INTEGER);
      loop = work();
    },
    runOnce,
    wake: (dueAt) => wakeup.at(dueAt),
    settled() {
      const promise = new Promise<void>((resolve) => whenSettled.push(resolve));
      wakeup.now();
      return promise;
    },
    nextDueAt: () => nextDueAfter(app.db, Number.MIN_SAFE_INTEGER),
    ran: () => counts,
    async stop(graceMs) {
      stopping = true;
      wakeup.now();
      await loop;
      lanes.drop();
      const deadline = performance.now() + graceMs;
      while (lanes.size() > 0 && performance.now() < deadline) {
        await wakeup.pause(20);
        await runOnce();
      }
      abort.abort();
      await recordFinished();
      await voidLeases(app.db, Number.MAX_SAFE_INTEGER);
    },
  };
}
