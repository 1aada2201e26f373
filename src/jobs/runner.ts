import { monotonicMs, nextMacrotask, pause } from '../base/clock.ts';
import type { Scope } from '../db/transaction.ts';
import type { App, JobMode } from '../kernel/app.ts';
import type { JobDefinition } from '../kernel/queue.ts';
import { createAgenda } from './agenda.ts';
import { createDefinitions } from './definitions.ts';
import { createExternalJobs } from './external.ts';
import { completeAll, type Parts, serve } from './pass.ts';
import { firstDue, voidLeases } from './store.ts';
import { createTransactionalJobs } from './transactional.ts';
import { createWakeup } from './wakeup.ts';

export type Runner = {
  /** Voids the leases of a dead process, then works until stopped. */
  start(): Promise<void>;
  /** One pass: serves the scope whose turn it is, then starts what it claimed. Returns 0 when there was nothing to do. */
  runOnce(): Promise<number>;
  wake(scope: Scope, mode: JobMode, dueAt: number): void;
  /** Resolves when nothing is due by the clock and nothing runs, with the instant of the next job. */
  settled(): Promise<number | undefined>;
  /** What keeps it from being settled, in words. */
  waitsFor(): string[];
  /** Jobs run since the start, by kind. */
  ran(): ReadonlyMap<string, number>;
  /** Starts nothing new, waits up to the grace for running jobs, gives the other claims back. */
  stop(graceMs: number): Promise<void>;
};

const rescueEveryMs = 30_000;
const forever = Number.MAX_SAFE_INTEGER;

export function createRunner(app: App, jobs: readonly JobDefinition[], maxRunning: number): Runner {
  const wakeup = createWakeup(app.clock);
  const agenda = createAgenda(app.clock);
  const definitions = createDefinitions(jobs);
  const leaseMs = Math.max(0, ...jobs.map((job) => (job.mode === 'external' ? job.leaseMs : 0)));
  const external = createExternalJobs(app, definitions, { maxRunning, leaseMs, agenda, onResults: () => wakeup.now() });
  const transactional = createTransactionalJobs(app, definitions, agenda);
  const parts: Parts = { app, agenda, definitions, external, transactional };
  let stopping = false;
  let loop: Promise<void> | undefined;
  let passes = Promise.resolve(0);
  let rescueAt = 0;
  const settling = createSettling();

  async function pass(): Promise<number> {
    if (stopping) return 0;
    const now = app.clock.now();
    if (now >= rescueAt) {
      rescueAt = now + rescueEveryMs;
      await external.rescue();
    }
    const scope = agenda.take();
    const done = scope === undefined ? 0 : 1 + (await serve(parts, scope));
    return done + external.start();
  }

  /** Passes never overlap: the loop and callers of runOnce queue up. */
  function runOnce(): Promise<number> {
    passes = passes.then(pass, pass);
    return passes;
  }

  async function workOnce(): Promise<void> {
    wakeup.arm();
    if ((await runOnce()) > 0) return nextMacrotask();
    const next = agenda.next();
    const isDue = next !== undefined && next <= app.clock.now();
    if (!isDue && !wakeup.pending() && external.isIdle()) settling.tell(next);
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

  const stop = async (graceMs: number): Promise<void> => {
    stopping = true;
    external.drop();
    wakeup.now();
    await loop;
    await finishRunning(parts, graceMs);
  };

  return {
    async start() {
      await voidLeases(app.db, forever);
      for (const { scope, mode, dueAt } of await firstDue(app.db)) agenda.add(scope, mode, dueAt);
      loop = workOn();
    },
    runOnce,
    wake(scope, mode, dueAt) {
      agenda.add(scope, mode, dueAt);
      wakeup.at(dueAt);
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

/** Waits for the running jobs, up to the grace, and writes their results; then aborts the others and gives their claims back. */
async function finishRunning(parts: Parts, graceMs: number): Promise<void> {
  const { external } = parts;
  const deadline = monotonicMs() + graceMs;
  while (!external.isIdle() && monotonicMs() < deadline) {
    await pause(20);
    await completeAll(parts);
  }
  external.abort();
  await completeAll(parts);
  await external.giveBack();
}

/** Callers who wait until the runner has nothing to do. */
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
