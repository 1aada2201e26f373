import type { Clock } from '../base/clock.ts';
import type { Scope } from '../db/transaction.ts';
import type { JobMode } from '../kernel/app.ts';

const never = Number.POSITIVE_INFINITY;

/**
 * When to look at each scope's queue. In memory: loaded from the outbox at the start, and told of every commit that enqueues. An instant
 * may be too early (the job was cancelled), which costs one look, but is never too late.
 */
export type Agenda = {
  /** Look at the scope's queue at `dueAt`, if not before. */
  add(scope: Scope, mode: JobMode, dueAt: number): void;
  /** If the scope's work is due, forgets that and returns true. Call it before reading the queue, so that whatever is added later counts. */
  takeDue(scope: Scope, mode: JobMode): boolean;
  /** The due scope that was served longest ago; undefined when none is due. The caller takes its work with `takeDue`. */
  take(): Scope | undefined;
  /** The earliest instant of all scopes; in the past when one is due. */
  next(): number | undefined;
};

type Due = Record<JobMode, number>;
const earliest = ({ transactional, external }: Due): number => Math.min(transactional, external);

export function createAgenda(clock: Pick<Clock, 'now'>): Agenda {
  const byScope = new Map<Scope, Due>();
  /** Scopes that are due, in the order in which they are served. */
  const queue = new Set<Scope>();
  /** No scope outside `queue` is due before this instant. */
  let promoteAt = never;

  /** Queues what has fallen due. Walks all scopes, but only when one of them is due. */
  function promote(now: number): void {
    if (now < promoteAt) return;
    promoteAt = never;
    for (const [scope, due] of byScope) {
      if (earliest(due) === never) byScope.delete(scope);
      for (const at of [due.transactional, due.external]) {
        if (at <= now) queue.add(scope);
        else promoteAt = Math.min(promoteAt, at);
      }
    }
  }

  return {
    add(scope, mode, dueAt) {
      const due = byScope.get(scope) ?? { transactional: never, external: never };
      byScope.set(scope, due);
      due[mode] = Math.min(due[mode], dueAt);
      if (dueAt <= clock.now()) queue.add(scope);
      else promoteAt = Math.min(promoteAt, dueAt);
    },
    takeDue(scope, mode) {
      const due = byScope.get(scope);
      if (!due || due[mode] > clock.now()) return false;
      due[mode] = never;
      return true;
    },
    take() {
      const now = clock.now();
      promote(now);
      for (const scope of queue) {
        queue.delete(scope);
        const due = byScope.get(scope);
        if (due && earliest(due) <= now) return scope;
      }
      return undefined;
    },
    next() {
      let next = never;
      for (const due of byScope.values()) next = Math.min(next, earliest(due));
      return next === never ? undefined : next;
    },
  };
}
