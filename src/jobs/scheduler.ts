import type { Scope } from '../db/transaction.ts';
import type { App, DueJobs } from '../kernel/app.ts';
import type { JobDefinition } from '../kernel/queue.ts';
import { createAgenda } from './agenda.ts';
import { costOf } from './completion.ts';
import { createDefinitions } from './definitions.ts';
import { createExternalJobs } from './external.ts';
import { createJobQueues, type JobQueue } from './job-queue.ts';
import { type Parts, type ScopeWork, serve } from './pass.ts';
import { createTransactionalJobs } from './transactional.ts';

/** One pass takes at most this many due queues from the agenda: a hundred thousand at once would block the event loop. */
const maxDue = 1000;

/**
 * Limits of one commit: its scopes, and the cost of their results, lanes to claim from and due transactional jobs. Scopes with one job
 * each, a thousand perhaps, would otherwise cost two commits each.
 */
const maxScopes = 256;
const maxSize = 128;
/** Due transactional jobs of a scope count this much towards `maxSize`, because nobody knows how many they are. */
const transactionalSize = 2;

/** Decides which scopes the next commit serves. They take turns: one with more work than fits comes after all others that wait. */
export type Scheduler = {
  parts: Parts;
  /** Remembers when jobs fall due. Returns false, and logs an error, if their kind is not defined. */
  add(due: DueJobs): boolean;
  /** Serves the scopes that are next, until their commit. Returns false when no scope had anything to commit. */
  serveNext(): Promise<boolean>;
  /** When the next jobs fall due. */
  nextAt(): number | undefined;
};

export type SchedulerOptions = {
  /** Longest real time (ms) that transactional jobs share one commit. */
  maxBatchMs: number;
  /** With more claimed jobs in memory than this, a lane claims only jobs that can start at once. */
  maxInHand?: number | undefined;
  /** Called when a scope has something to commit, or nothing is left to do. */
  onWork: () => void;
};

export function createScheduler(
  app: App,
  jobs: readonly JobDefinition[],
  { maxBatchMs, maxInHand, onWork }: SchedulerOptions,
): Scheduler {
  const agenda = createAgenda<JobQueue>(app.clock);
  const definitions = createDefinitions(jobs);
  const queues = createJobQueues((kind) => definitions.poolOf(kind).name);
  /** Scopes that have something to commit, in the order of rotation. */
  const waiting = new Set<Scope>();
  const dueTransactional = new Set<Scope>();
  function add(due: DueJobs): boolean {
    // A job that another version left, or whose kind is missing from `featureJobs`, must not keep the server from starting.
    if (due.lane !== null && !definitions.isExternal(due.kind)) {
      app.log.error({ kind: due.kind }, 'a job stays in the queue, because its kind is not defined');
      return false;
    }
    agenda.add(queues.of(due), due.dueAt);
    return true;
  }
  const external = createExternalJobs(app, definitions, {
    leaseMs: Math.max(0, ...jobs.map((job) => (job.mode === 'external' ? job.leaseMs : 0))),
    maxInHand,
    queueOf: (job) => queues.ofJob(job),
    // Never forget a queue that is in the agenda: the agenda would keep the old object, and every later wake-up of the lane would add a new
    // one.
    forget: (queue) => void (agenda.has(queue) || queues.forget(queue)),
    onWork(scope) {
      waiting.add(scope);
      onWork();
    },
    onCaughtUp: onWork,
    onLater: (queue, dueAt) => agenda.add(queue, dueAt),
    onRescued: (due) => void add(due),
  });
  const transactional = createTransactionalJobs(app, definitions, {
    maxBatchMs,
    onNext: (scope, dueAt) => void add({ kind: '', scope, lane: null, dueAt }),
  });
  const parts: Parts = { app, definitions, external, transactional };

  function addDue(queue: JobQueue): void {
    if (queue.lane === null) {
      dueTransactional.add(queue.scope);
      waiting.add(queue.scope);
    } else external.add(queues.ofLane(queue));
  }

  /** The work of the scopes that are next, as much as fits into one commit. The first scope always fits. */
  function takeWorks(): ScopeWork[] {
    const works: ScopeWork[] = [];
    let size = 0;
    // Iterates over a copy, because `take` puts a scope with more work than fits back at the end of `waiting`.
    for (const scope of [...waiting.keys().take(maxScopes)]) {
      if (size >= maxSize) break;
      waiting.delete(scope);
      const work = { external: external.take(scope), hasTransactional: dueTransactional.delete(scope) };
      size +=
        work.external.results.reduce((sum, result) => sum + costOf(result), 0) +
        work.external.lanes.length +
        (work.hasTransactional ? transactionalSize : 0);
      works.push(work);
    }
    return works;
  }

  return {
    parts,
    add,
    async serveNext() {
      agenda.takeDue(maxDue).forEach(addDue);
      const works = takeWorks();
      if (works.length === 0) return false;
      await serve(parts, works);
      return true;
    },
    nextAt: () => agenda.next(),
  };
}
