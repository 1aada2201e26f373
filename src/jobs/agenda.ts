import TinyQueue from 'tinyqueue';
import type { Clock } from '../base/clock.ts';

/**
 * When to look at which queue of jobs. In memory: loaded from the outbox at the start, and told of every commit that enqueues. An instant
 * may be too early (the job was cancelled), which costs one look, but is never too late.
 */
export type Agenda<Q> = {
  /** Makes the queue due at `dueAt`, unless it is due earlier. */
  add(queue: Q, dueAt: number): void;
  /** Removes and returns queues that are due, the earliest first. */
  takeDue(limit: number): Q[];
  /** The earliest instant of all; in the past when a queue is due. */
  next(): number | undefined;
};

export function createAgenda<Q>(clock: Pick<Clock, 'now'>): Agenda<Q> {
  const dueAtOf = new Map<Q, number>();
  const heap = new TinyQueue<{ queue: Q; at: number }>([], (one, other) => one.at - other.at);

  /** The first entry of the heap that no earlier one of the same queue has replaced. */
  function first(): { queue: Q; at: number } | undefined {
    for (let entry = heap.peek(); entry; entry = heap.peek()) {
      if (dueAtOf.get(entry.queue) === entry.at) return entry;
      heap.pop();
    }
    return undefined;
  }

  return {
    add(queue, dueAt) {
      if (dueAt >= (dueAtOf.get(queue) ?? Number.POSITIVE_INFINITY)) return;
      dueAtOf.set(queue, dueAt);
      heap.push({ queue, at: dueAt });
    },
    takeDue(limit) {
      const now = clock.now();
      const due: Q[] = [];
      for (let entry = first(); entry && entry.at <= now && due.length < limit; entry = first()) {
        heap.pop();
        dueAtOf.delete(entry.queue);
        due.push(entry.queue);
      }
      return due;
    },
    next: () => first()?.at,
  };
}
