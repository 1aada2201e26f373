import type { Scope, Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Job } from '../kernel/queue.ts';
import type { LaneQueue } from './job-queue.ts';
import { afterClaim, claimingFrom } from './lane-state.ts';
import { claim, type Claimed } from './store.ts';

/** Limits of one claim, so that it does not take more than a few milliseconds of the main thread. */
const maxLanes = 64;
const maxJobs = 512;
/** A lane claims this many jobs at a time. If many lanes claim together, each gets its part of `maxJobs`, but at least `minPerLane`. */
const maxPerLane = 64;
const minPerLane = 8;

/** Which lanes want to claim jobs, until the commit of their claims. */
export type Claims = {
  /** Requests a claim if jobs of the lane may be claimed. Returns whether it does. With `hasSlot`, the lane holds a slot for the first. */
  request(queue: LaneQueue, hasSlot: boolean): boolean;
  /** Takes lanes of the scope that want to claim, as many as fit into one commit. */
  take(scope: Scope): LaneQueue[];
  has(scope: Scope): boolean;
  isEmpty(): boolean;
  clear(): void;
  /** Claims jobs of the lanes in the database. */
  write(tx: Tx, lanes: readonly LaneQueue[]): Promise<Claimed<LaneQueue>>;
  /** To be called after the commit; without `claimed` if it failed. Returns the claimed jobs, and whether the lane holds a slot for the first. */
  settle(queue: LaneQueue, claimed: Claimed<LaneQueue> | undefined): { jobs: Array<Job<never>>; hasSlot: boolean };
};

export type ClaimsOptions = {
  leaseMs: number;
  /** How many jobs of the lane may run at the same time. */
  maxOf: (queue: LaneQueue) => number;
  /** How many more claimed jobs may be in memory. */
  room: () => number;
  onRequest: (scope: Scope) => void;
  /** Called with the instant at which the next jobs of the queue fall due. */
  onLater: (queue: LaneQueue, dueAt: number) => void;
};

export function createClaims(app: App, options: ClaimsOptions): Claims {
  const requested = new Map<Scope, LaneQueue[]>();
  /** Whether as many jobs wait in memory as may run at the same time. */
  const isFull = (queue: LaneQueue): boolean => queue.jobs.waitingCount() >= options.maxOf(queue);
  /** In a full lane of blocked jobs, a claim would bring only more of those. */
  const canClaim = (queue: LaneQueue): boolean =>
    queue.state.name === 'due' || (queue.state.name === 'blocked' && !isFull(queue));

  return {
    request(queue, hasSlot) {
      if (!canClaim(queue)) return false;
      queue.state = claimingFrom(hasSlot);
      const known = requested.get(queue.scope);
      if (known) known.push(queue);
      else requested.set(queue.scope, [queue]);
      options.onRequest(queue.scope);
      return true;
    },
    take(scope) {
      const lanes = requested.get(scope) ?? [];
      const taken = lanes.splice(0, maxLanes);
      if (lanes.length === 0) requested.delete(scope);
      return taken;
    },
    has: (scope) => requested.has(scope),
    isEmpty: () => requested.size === 0,
    clear: () => requested.clear(),
    write(tx, lanes) {
      const now = app.clock.now();
      const around = (queue: LaneQueue): readonly string[] => (isFull(queue) ? queue.jobs.textsInHand() : noTexts);
      const perLane = jobsPerLane(lanes.length, options.room());
      return claim(tx, { now, leaseUntil: now + options.leaseMs, lanes, perLane, around });
    },
    settle(queue, claimed) {
      const now = app.clock.now();
      const { jobs, nextAt } = claimed?.get(queue) ?? { jobs: [], nextAt: claimed ? undefined : now };
      const isDue = nextAt !== undefined && nextAt <= now;
      const hasSlot = queue.state.name === 'claiming' && queue.state.hasSlot;
      const isBlocked = claimed !== undefined && jobs.length === 0 && isFull(queue);
      queue.state = afterClaim(queue.state, { isDue, isBlocked });
      if (nextAt !== undefined && !isDue) options.onLater(queue, nextAt);
      return { jobs, hasSlot };
    },
  };
}

/** How many jobs to claim of each lane. Without room in memory it is one, for which the lane already has a slot. */
function jobsPerLane(lanes: number, room: number): number {
  const share = (jobs: number): number => Math.floor(jobs / Math.max(1, lanes));
  return Math.max(1, Math.min(maxPerLane, Math.max(minPerLane, share(maxJobs)), share(room)));
}

const noTexts: readonly string[] = [];
