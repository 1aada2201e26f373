import type { Scope } from '../db/transaction.ts';
import type { DueJobs } from '../kernel/app.ts';
import type { Job } from '../kernel/queue.ts';
import { createLaneJobs, type LaneJobs } from './lane-jobs.ts';
import { idle, type LaneState } from './lane-state.ts';

/** The part of one organization's external jobs in one lane that is in memory. */
export type LaneQueue = {
  poolName: string;
  scope: Scope;
  lane: string;
  kind: string;
  /** Claimed jobs, waiting or running. */
  jobs: LaneJobs;
  /** What is known of its other jobs, in the database. */
  state: LaneState;
};

/** The transactional jobs of one scope. */
export type ScopeQueue = { scope: Scope; lane: null };

export type JobQueue = LaneQueue | ScopeQueue;

/** One object per queue, so that it can be found again by scope and lane. */
export type JobQueues = {
  /** The queue that the jobs belong to. */
  of(jobs: Pick<DueJobs, 'kind' | 'scope' | 'lane'>): JobQueue;
  ofJob(job: Job<never>): LaneQueue;
  /** The same queue, or the one that took its place after it was forgotten. */
  ofLane(queue: Pick<LaneQueue, 'kind' | 'scope' | 'lane'>): LaneQueue;
  /** Lets go of a queue in which nothing waits or runs. */
  forget(queue: LaneQueue): void;
};

export function createJobQueues(poolNameOf: (kind: string) => string): JobQueues {
  const scopes = new Map<Scope, ScopeQueue>();
  const lanes = new Map<Scope, Map<string, LaneQueue>>();

  function scopeQueue(scope: Scope): ScopeQueue {
    const known = scopes.get(scope);
    if (known) return known;
    const queue: ScopeQueue = { scope, lane: null };
    scopes.set(scope, queue);
    return queue;
  }

  function laneQueue(kind: string, scope: Scope, lane: string): LaneQueue {
    const ofScope = lanes.get(scope) ?? new Map<string, LaneQueue>();
    lanes.set(scope, ofScope);
    const known = ofScope.get(lane);
    if (known) return known;
    const queue: LaneQueue = {
      poolName: poolNameOf(kind),
      scope,
      lane,
      kind,
      jobs: createLaneJobs(),
      state: idle,
    };
    ofScope.set(lane, queue);
    return queue;
  }

  return {
    of: ({ kind, scope, lane }) => (lane === null ? scopeQueue(scope) : laneQueue(kind, scope, lane)),
    ofJob: ({ kind, scope, lane }) => laneQueue(kind, scope, lane ?? ''),
    ofLane: ({ kind, scope, lane }) => laneQueue(kind, scope, lane),
    forget(queue) {
      const ofScope = lanes.get(queue.scope);
      if (ofScope?.get(queue.lane) !== queue) return;
      ofScope.delete(queue.lane);
      if (ofScope.size === 0) lanes.delete(queue.scope);
    },
  };
}
