import type { Scope } from '../db/transaction.ts';
import type { App, DueJobs } from '../kernel/app.ts';
import type { JobDefinition } from '../kernel/queue.ts';
import { createAgenda } from './agenda.ts';
import { createDefinitions } from './definitions.ts';
import { createExternalJobs } from './external.ts';
import { createJobQueues, type JobQueue } from './job-queue.ts';
import { type Parts, serve } from './pass.ts';
import { createTransactionalJobs } from './transactional.ts';

/** One pass takes at most this many due queues from the agenda: a hundred thousand at once would block the event loop. */
const maxDue = 1000;

/** Scopes take turns: each turn is one commit, and a scope with much to do gets its next turn after all others that wait for one. */
export type Turns = {
  parts: Parts;
  /** Remembers when jobs fall due. */
  add(due: DueJobs): void;
  /** Serves the scope whose turn it is. Returns false when no scope had anything to commit. */
  serveNext(): Promise<boolean>;
  /** When the next jobs fall due. */
  nextAt(): number | undefined;
};

export type TurnOptions = {
  /** Longest real time (ms) that transactional jobs share one commit. */
  maxBatchMs: number;
  /** A scope has something to commit. */
  onWork: () => void;
};

export function createTurns(app: App, jobs: readonly JobDefinition[], { maxBatchMs, onWork }: TurnOptions): Turns {
  const agenda = createAgenda<JobQueue>(app.clock);
  const definitions = createDefinitions(jobs);
  const queues = createJobQueues((kind) => definitions.poolOf(kind).name);
  /** Scopes that have something to commit, in the order of their turns. */
  const waiting = new Set<Scope>();
  const dueTransactional = new Set<Scope>();
  function add(due: DueJobs): void {
    // A job that another version left, or whose kind is missing from `featureJobs`, must not keep the server from starting.
    if (due.lane !== null && !definitions.isExternal(due.kind)) {
      app.log.error({ kind: due.kind }, 'a job stays in the queue, because its kind is not defined');
    } else agenda.add(queues.of(due), due.dueAt);
  }
  const external = createExternalJobs(app, definitions, {
    leaseMs: Math.max(0, ...jobs.map((job) => (job.mode === 'external' ? job.leaseMs : 0))),
    queueOf: (job) => queues.ofJob(job),
    // The agenda would keep the forgotten object, and every later wake-up of the lane would add another one.
    forget: (queue) => void (agenda.has(queue) || queues.forget(queue)),
    onWork(scope) {
      waiting.add(scope);
      onWork();
    },
    onLater: (queue, dueAt) => agenda.add(queue, dueAt),
    onRescued: add,
  });
  const transactional = createTransactionalJobs(app, definitions, {
    maxBatchMs,
    onNext: (scope, dueAt) => add({ kind: '', scope, lane: null, dueAt }),
  });
  const parts: Parts = { app, definitions, external, transactional };

  function addDue(queue: JobQueue): void {
    if (queue.lane === null) {
      dueTransactional.add(queue.scope);
      waiting.add(queue.scope);
    } else external.add(queues.ofLane(queue));
  }

  return {
    parts,
    add,
    async serveNext() {
      agenda.takeDue(maxDue).forEach(addDue);
      const [scope] = waiting;
      if (scope === undefined) return false;
      waiting.delete(scope);
      await serve(parts, { external: external.take(scope), hasTransactional: dueTransactional.delete(scope) });
      return true;
    },
    nextAt: () => agenda.next(),
  };
}
