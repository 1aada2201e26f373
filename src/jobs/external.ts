import { type Scope, transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { ExternalJob, Job } from '../kernel/queue.ts';
import type { Agenda } from './agenda.ts';
import { createBatchDelay } from './batch-delay.ts';
import { createBlocked } from './blocked.ts';
import { complete, type Finished } from './completion.ts';
import type { Definitions } from './definitions.ts';
import { createLanes } from './lanes.ts';
import { type Claimed, claim, unclaim, voidLeases } from './store.ts';

/** Most jobs of one claim, of one lane and in all. */
const perLane = 64;
const limit = 512;
/** Most jobs listed in a message. */
const maxListed = 10;
const forever = Number.MAX_SAFE_INTEGER;
const minLeaseMs = 60_000;
/** Results that are committed without waiting for more. */
const maxResults = 512;

/** The jobs that talk to the outside, from claim to commit. */
export type ExternalJobs = {
  /** The results of a scope that await their commit. */
  takeResults(scope: Scope): Finished[];
  /** Scopes with results that await their commit. */
  scopesWithResults(): Scope[];
  complete(tx: Tx, results: readonly Finished[]): Promise<void>;
  /** The same with one commit per result. A result that cannot be written (full disk) is run again when its lease ends. */
  completeOneByOne(results: readonly Finished[]): Promise<void>;
  /**
   * Claims a scope's due jobs in lanes with room, if it may have any. `hasChanged`: the transaction has written something, perhaps new
   * jobs. Hand the claim to `admit` after the commit.
   */
  claim(tx: Tx, scope: Scope, hasChanged: boolean): Promise<Claimed | undefined>;
  /** After the commit: forgets completed jobs and lets claimed ones start. */
  admit(scope: Scope, claimed: Claimed | undefined, completed: readonly Finished[]): void;
  /** Starts claimed jobs as far as their lanes allow; returns how many. */
  start(): number;
  /** Makes jobs whose lease ran out, and which this process does not hold, claimable again. */
  rescue(): Promise<void>;
  /** Some of the jobs that are claimed, running or not yet committed, in words. */
  inHand(): string[];
  isIdle(): boolean;
  /** Starts nothing more and forgets claimed jobs that have not started. */
  drop(): void;
  /** Aborts the running jobs. */
  abort(): void;
  /** Ends all claims. A job that never started counts as never tried, so nobody has to ask what became of it. */
  giveBack(): Promise<void>;
};

export type ExternalOptions = {
  maxRunning: number;
  leaseMs: number;
  agenda: Agenda;
  /** Results are ready to be committed. */
  onResults: () => void;
};

// oxlint-disable-next-line max-lines-per-function -- the verbs share what is claimed, running and finished
export function createExternalJobs(app: App, definitions: Definitions, options: ExternalOptions): ExternalJobs {
  const { agenda, maxRunning } = options;
  const lanes = createLanes(maxRunning);
  const leaseMs = Math.max(minLeaseMs, options.leaseMs);
  const abort = new AbortController();
  const inHand = new Map<number, Job<never>>();
  const results = new Map<Scope, Finished[]>();
  let resultCount = 0;
  let dropped = false;
  const blocked = createBlocked((scope) => agenda.add(scope, 'external', 0));
  /** A lane got room since the last claim read which lanes are busy, so a scope that this claim left waiting must look again. */
  let freedSinceClaim = false;
  function freed(job: Job<never>): void {
    freedSinceClaim = true;
    blocked.freed(job.lane ?? '');
  }
  /** Scopes of which the last claim left nothing: another claim costs next to nothing. */
  const caughtUp = new Set<Scope>();
  const hasRoom = (): boolean => !dropped && lanes.size() < maxRunning * perLane;

  const delay = createBatchDelay({
    isFull: () => lanes.running() === 0 || resultCount >= maxResults,
    flush: () => {
      for (const scope of results.keys()) agenda.add(scope, 'external', 0);
      options.onResults();
    },
  });

  function addResult(result: Finished): void {
    const known = results.get(result.job.scope);
    if (known) known.push(result);
    else results.set(result.job.scope, [result]);
    resultCount += 1;
    delay.added();
  }

  /** Runs the jobs of a lane one after the other, without a pass of the runner between them; their results are committed together. */
  async function run(first: Job<never>): Promise<void> {
    for (let job: Job<never> | undefined = first; job; job = lanes.successor(job)) {
      const result = await resultOf(app, definitions.of(job) as ExternalJob, job, abort.signal);
      if (result.completion?.barrier) lanes.hold(job);
      lanes.finished(job);
      if (!lanes.isBusy(job)) freed(job);
      addResult(result);
    }
  }

  return {
    takeResults(scope) {
      const taken = results.get(scope) ?? [];
      results.delete(scope);
      resultCount -= taken.length;
      return taken;
    },
    scopesWithResults: () => [...results.keys()],
    complete: (tx, batch) => complete(app, tx, batch),
    async completeOneByOne(batch) {
      for (const one of batch) await completeAlone(app, one);
    },
    async claim(tx, scope, hasChanged) {
      const wasDue = agenda.takeDue(scope, 'external');
      if (!wasDue && !(hasChanged && caughtUp.has(scope))) return undefined;
      freedSinceClaim = false;
      if (!hasRoom()) return { jobs: [], leftNothing: false, nextAt: null };
      const now = app.clock.now();
      return claim(tx, { scope, now, leaseUntil: now + leaseMs, busyLanes: lanes.busy(), perLane, limit });
    },
    admit(scope, claimed, completed) {
      if (completed.length > 0) delay.restart();
      for (const { job, completion } of completed) {
        inHand.delete(job.id);
        definitions.countRun(job);
        lanes.release(job);
        // A released lane may have room again, and a failed job may be due again.
        if (completion !== undefined && !completion.barrier) continue;
        agenda.add(scope, 'external', 0);
        if (!lanes.isBusy(job)) freed(job);
      }
      if (!claimed) return;
      for (const job of claimed.jobs) {
        inHand.set(job.id, job);
        lanes.add(job, definitions.of(job) as ExternalJob);
      }
      if (dropped) lanes.drop();
      const wokenFor = blocked.remove(scope);
      if (claimed.nextAt !== null) agenda.add(scope, 'external', claimed.nextAt);
      if (claimed.leftNothing) caughtUp.add(scope);
      else {
        caughtUp.delete(scope);
        if (claimed.jobs.length === limit || freedSinceClaim) agenda.add(scope, 'external', 0);
        else blocked.add(scope, claimed.lanesLeft);
      }
      if (wokenFor !== undefined && claimed.jobs.length === 0) blocked.passOn(scope, wokenFor);
    },
    start() {
      const starting = dropped ? [] : lanes.startable();
      for (const job of starting) void run(job);
      return starting.length;
    },
    async rescue() {
      const rescued = await voidLeases(app.db, app.clock.now(), [...inHand.keys()]);
      if (rescued.length === 0) return;
      for (const scope of rescued) agenda.add(scope, 'external', 0);
      app.log.warn({ jobs: rescued.length }, 'jobs whose lease ran out are run again');
    },
    inHand: () => [...inHand.values()].slice(0, maxListed).map(({ kind, key }) => `${kind} ${key}`),
    isIdle: () => lanes.size() === 0 && resultCount === 0,
    drop() {
      dropped = true;
      lanes.drop();
    },
    abort: () => abort.abort(),
    giveBack: () => giveBack(app, lanes.dropped()),
  };
}

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
  try {
    return { job, definition, completion: await definition.run(app, job, signal) };
  } catch (error) {
    return { job, definition, error };
  }
}

async function completeAlone(app: App, one: Finished): Promise<void> {
  try {
    await transact(app.db, one.job.scope, (tx) => complete(app, tx, [one]));
  } catch (error) {
    app.log.error({ err: error, kind: one.job.kind, key: one.job.key }, 'a result could not be recorded');
  }
}
