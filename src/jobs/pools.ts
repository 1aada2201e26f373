import { createRotation, type Rotation } from '../base/fair/rotation.ts';
import type { LaneQueue } from './job-queue.ts';

/** The slots of all pools (`JobPool`). */
export type Pools = Rotation<LaneQueue> & {
  /** How many jobs of the lane may run at the same time. */
  maxOf(queue: LaneQueue): number;
};

/** @param limits how many jobs of the queue's pool, and of its lane, may run at the same time */
export function createPools(limits: Record<'pool' | 'lane', (queue: LaneQueue) => number>): Pools {
  const pools = new Map<string, Rotation<LaneQueue>>();

  function poolOf(queue: LaneQueue): Rotation<LaneQueue> {
    const known = pools.get(queue.poolName);
    if (known) return known;
    const pool = createRotation(limits.pool(queue), limits.lane);
    pools.set(queue.poolName, pool);
    return pool;
  }

  return {
    add: (queue) => poolOf(queue).add(queue),
    remove: (queue) => poolOf(queue).remove(queue),
    next() {
      for (const pool of pools.values()) {
        const queue = pool.next();
        if (queue) return queue;
      }
      return undefined;
    },
    finished: (queue) => poolOf(queue).finished(queue),
    isHeld: (queue) => poolOf(queue).isHeld(queue),
    hold: (queue) => poolOf(queue).hold(queue),
    release: (queue) => poolOf(queue).release(queue),
    maxOf: (queue) => limits.lane(queue),
  };
}
