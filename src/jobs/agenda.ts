import TinyQueue from 'tinyqueue';
import type { Clock } from '../base/clock.ts';

/**
 * When to look at which queue of jobs. In memory: loaded from the outbox at the start, and told of every commit that enqueues. An instant
 * may be too early (the job was cancelled), which costs one look, but is never too late.
 */
export type Agenda<Q> = {
  /** Makes the queue due at `dueAt`, unless it is due earlier. */
  add(queue: Q, dueAt: number): void;
  /** Whether `takeDue` will return the queue, now or later. */
  has(queue: Q): boolean;
  /** Removes and returns queues that are due, the earliest first. */
  takeDue(limit: number): Q[];
  /** The earliest instant of all; in the past when a queue is due. */
  next(): number | undefined;
};

type Entry<Q> = { queue: Q; at: number };

/** The heap may hold this many replaced entries more than queues, so that a short agenda is not rebuilt all the time. */
const maxReplaced = 1000;

export function createAgenda<Q>(clock: Pick<Clock, 'now'>): Agenda<Q> {
  const dueAtOf = new Map<Q, number>();
  const byInstant = (one: Entry<Q>, other: Entry<Q>): number => one.at - other.at;
  let heap = new TinyQueue<Entry<Q>>([], byInstant);

  /** The first entry of the heap that no earlier one of the same queue has replaced. */
  function first(): Entry<Q> | undefined {
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
      // Rebuild the heap: replaced entries of distant instants would otherwise stay until then.
      if (heap.length <= 2 * dueAtOf.size + maxReplaced) return;
      heap = new TinyQueue(
        Array.from(dueAtOf, ([waiting, at]) => ({ queue: waiting, at })),
        byInstant,
      );
    },
    has: (queue) => dueAtOf.has(queue),
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
