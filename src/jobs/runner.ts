import { nextMacrotask, pause } from '../base/clock.ts';
import type { App, JobMode } from '../kernel/app.ts';
import type { JobDefinition } from '../kernel/queue.ts';
import { lookUp } from './defined.ts';
import { createExternalJobs } from './external.ts';
import { nextInstant, waitsFor, work, type Workers } from './pass.ts';
import { voidLeases } from './store.ts';
import { createTransactionalJobs } from './transactional.ts';
import { createWakeup } from './wakeup.ts';

export type Runner = {
  /** Gives back what a dead process had claimed, then works until stopped. */
  start(): Promise<void>;
  /**
   * One pass: in one commit, records what finished, runs what is due in a transaction and claims what talks to the outside; then
   * starts that. How much it did.
   */
  runOnce(): Promise<number>;
  wake(dueAt: number, sort: JobMode): void;
  /** Resolves when nothing is due at the clock's now and nothing runs: with the instant at which something is due next. */
  settled(): Promise<number | undefined>;
  /** What keeps it from having nothing to do, in words. */
  waitsFor(): string[];
  /** Jobs run since the start, by kind. */
  ran(): ReadonlyMap<string, number>;
  /** Starts nothing new, waits for what runs up to the grace, gives the rest back. */
  stop(graceMs: number): Promise<void>;
};

const rescueEveryMs = 30_000;
const forever = Number.MAX_SAFE_INTEGER;

export function createRunner(app: App, definitions: readonly JobDefinition[], maxRunning: number): Runner {
  const wakeup = createWakeup(app.clock);
  const defined = lookUp(definitions);
  const leaseMs = Math.max(0, ...definitions.map((one) => (one.mode === 'external' ? one.leaseMs : 0)));
  const external = createExternalJobs(app, defined, { maxRunning, leaseMs, finished: () => wakeup.now() });
  const transactional = createTransactionalJobs(app, defined);
  const workers: Workers = { app, defined, external, transactional };
  let stopping = false;
  let loop: Promise<void> | undefined;
  let passes = Promise.resolve(0);
  let rescueAt = 0;
  const settling = createSettling();

  async function pass(): Promise<number> {
    const now = app.clock.now();
    if (now >= rescueAt && !stopping) {
      rescueAt = now + rescueEveryMs;
      await external.rescue();
    }
    const done = await work(workers, { finished: external.takeFinished(), recordOnly: stopping });
    return done + external.start();
  }

  /** Passes never overlap: the loop and a caller of runOnce take turns. */
  function runOnce(): Promise<number> {
    passes = passes.then(pass, pass);
    return passes;
  }

  async function workOnce(): Promise<void> {
    wakeup.arm();
    const lookedAt = app.clock.now();
    if ((await runOnce()) > 0) return nextMacrotask();
    const next = await nextInstant(workers, lookedAt);
    const isDue = next !== undefined && next <= app.clock.now();
    if (!isDue && !wakeup.pending() && external.idle()) settling.tell(next);
    await wakeup.sleep(next);
  }

  async function workOn(): Promise<void> {
    while (!stopping) {
      try {
        await workOnce();
      } catch (error) {
        app.log.error({ err: error }, 'the job runner met an error; it goes on in a second');
        await pause(1000);
      }
    }
  }

  async function stop(graceMs: number): Promise<void> {
    stopping = true;
    external.drop();
    wakeup.now();
    await loop;
    const deadline = performance.now() + graceMs;
    while (!external.idle() && performance.now() < deadline) {
      await pause(20);
      await runOnce();
    }
    external.abort();
    await work(workers, { finished: external.takeFinished(true), recordOnly: true });
    await external.giveBack();
  }

  return {
    async start() {
      await voidLeases(app.db, forever);
      loop = workOn();
    },
    runOnce,
    wake(dueAt, sort) {
      if (sort === 'external') external.wanted(dueAt);
      else transactional.wanted(dueAt);
      wakeup.at(dueAt);
    },
    settled() {
      const settled = settling.wait();
      wakeup.now();
      return settled;
    },
    waitsFor: () => waitsFor(workers),
    ran: () => defined.counts,
    stop,
  };
}

/** Those who wait for the runner to have nothing to do. */
function createSettling() {
  let waiting: Array<(next: number | undefined) => void> = [];
  return {
    wait: () => new Promise<number | undefined>((resolve) => waiting.push(resolve)),
    tell(next: number | undefined): void {
      const told = waiting;
      waiting = [];
      for (const resolve of told) resolve(next);
    },
  };
}
