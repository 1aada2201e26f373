import { nextMacrotask, pause } from '../base/clock.ts';
import type { App } from '../kernel/app.ts';
import type { Job, JobDefinition } from '../kernel/queue.ts';
import { createExternalJobs } from './external.ts';
import { nextDueAfter, voidLeases } from './store.ts';
import { type Defined, runTransactional } from './transactional.ts';
import { createWakeup } from './wakeup.ts';

export type Runner = {
  /** Gives back what a dead process had claimed, then works until stopped. */
  start(): Promise<void>;
  /** One pass: record what finished, claim and start what talks to the outside, run what is due in transactions. How much it did. */
  runOnce(): Promise<number>;
  wake(dueAt: number): void;
  /** Resolves when nothing is due at the clock's now and nothing runs: with the instant at which something is due next. */
  settled(): Promise<number | undefined>;
  /** Jobs run since the start, by kind. */
  ran(): ReadonlyMap<string, number>;
  /** Starts nothing new, waits for what runs up to the grace, gives the rest back. */
  stop(graceMs: number): Promise<void>;
};

const rescueEveryMs = 30_000;
const forever = Number.MAX_SAFE_INTEGER;

export function createRunner(app: App, definitions: readonly JobDefinition[], maxRunning: number): Runner {
  const wakeup = createWakeup(app.clock);
  const counts = new Map<string, number>();
  const defined = lookUp(definitions, counts);
  const leaseMs = Math.max(0, ...definitions.map((one) => (one.mode === 'external' ? one.leaseMs : 0)));
  const external = createExternalJobs(app, defined, { maxRunning, leaseMs, finished: () => wakeup.now() });
  let stopping = false;
  let loop: Promise<void> | undefined;
  let passes = Promise.resolve(0);
  let rescueAt = 0;
  const settling = createSettling();

  async function pass(): Promise<number> {
    const recorded = await external.recordAndClaim();
    if (stopping) return recorded;
    const started = external.start();
    const now = app.clock.now();
    if (now >= rescueAt) {
      rescueAt = now + rescueEveryMs;
      await external.rescue();
    }
    return recorded + started + (await runTransactional(app, defined));
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
    // What was due already and still waits is in a busy lane: the end of a job there wakes. Sleeping until it would not sleep.
    const { transactional, external: outside } = await nextDueAfter(app.db, lookedAt);
    const instants = [transactional, outside].filter((instant) => instant !== null);
    const next = instants.length > 0 ? Math.min(...instants) : undefined;
    if (!wakeup.pending() && external.idle()) settling.tell(next);
    await wakeup.sleep(next);
  }

  async function work(): Promise<void> {
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
    await external.recordAndClaim(true);
    await external.giveBack();
  }

  return {
    async start() {
      await voidLeases(app.db, forever);
      loop = work();
    },
    runOnce,
    wake(dueAt) {
      external.wanted(dueAt);
      wakeup.at(dueAt);
    },
    settled() {
      const settled = settling.wait();
      wakeup.now();
      return settled;
    },
    ran: () => counts,
    stop,
  };
}

function lookUp(definitions: readonly JobDefinition[], counts: Map<string, number>): Defined {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  return {
    definitionOf(job: Job<never>) {
      const definition = byKind.get(job.kind);
      if (!definition) throw new Error(`no job of kind ${job.kind} is defined`);
      return definition;
    },
    ran: (job) => void counts.set(job.kind, (counts.get(job.kind) ?? 0) + 1),
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
