/**
 * Puts the packets of a stream in the order of their numbers. Packets in order pass at once, so that this adds no delay; after a gap the
 * following ones wait for the missing one.
 */
export type Reorder<T> = {
  /** The packets that can be passed on now, in order. A null is a packet that was lost. */
  push(sequence: number, item: T, nowMs: number): ReadonlyArray<T | null>;
  /** Gives up packets that have been missing for too long. To be called every 20 ms. */
  expire(nowMs: number): ReadonlyArray<T | null>;
  reset(): void;
};

/** Reordering of up to 60 ms is undone; 20 ms more, because timers of both sides may be late. */
const maxWaitMs = 80;
/** A larger gap is an interruption: the audio goes on where the stream does, without silence for what is missing. */
const maxLost = 50;
/** A packet with a number this far behind belongs to a stream that was numbered anew. */
const maxLate = 100;

/** The distance from one 16-bit number to another, from -32,768 to 32,767. */
const sequenceDistance = (from: number, to: number): number => ((to - from) << 16) >> 16;

const none: readonly never[] = [];

export function reorder<T>(): Reorder<T> {
  /** Packets that came early, by number; at most one per number within `maxWaitMs`. */
  const early = new Map<number, { item: T; atMs: number }>();
  let next: number | undefined;

  /** Moves on over packets that are here, from `next`. */
  function ready(out: Array<T | null>): Array<T | null> {
    let number = next!;
    for (let found = early.get(number); found !== undefined; found = early.get(number)) {
      early.delete(number);
      out.push(found.item);
      number = (number + 1) & 0xffff;
    }
    next = number;
    return out;
  }

  /** The early packet that comes first in order; early is not empty. */
  const firstEarly = (): number =>
    [...early.keys()].reduce((first, number) => (sequenceDistance(first, number) < 0 ? number : first));

  function skipTo(number: number): Array<T | null> {
    const lost = sequenceDistance(next!, number);
    next = number;
    return ready(Array.from({ length: lost > maxLost ? 0 : lost }, () => null));
  }

  return {
    push(sequence, item, nowMs) {
      next ??= sequence;
      const ahead = sequenceDistance(next, sequence);
      if (ahead === 0 && early.size === 0) {
        next = (sequence + 1) & 0xffff;
        return [item];
      }
      if (ahead < 0 && ahead > -maxLate) return none; // late or a duplicate
      if (ahead < 0 || ahead > maxLost) {
        early.clear();
        next = sequence;
      }
      if (!early.has(sequence)) early.set(sequence, { item, atMs: nowMs });
      return ready([]);
    },
    expire(nowMs) {
      if (early.size === 0) return none;
      const oldest = Math.min(...[...early.values()].map(({ atMs }) => atMs));
      return nowMs - oldest > maxWaitMs ? skipTo(firstEarly()) : none;
    },
    reset() {
      early.clear();
      next = undefined;
    },
  };
}
