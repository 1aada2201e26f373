import type { ExternalJob, Job } from '../kernel/queue.ts';

type Lane = { waiting: Array<Job<never>>; running: number; concurrency: number; held: boolean };

/**
 * The claimed external jobs of this process, in memory: each lane starts its jobs in order, so many at a time as its kind allows,
 * and a lane that is slow or held up keeps no other from starting.
 */
export type Lanes = {
  add(job: Job<never>, definition: ExternalJob): void;
  /** Jobs that may start now; they count as running until `finished`. */
  startable(): Array<Job<never>>;
  /** The one after a finished job in its lane, if it may start and takes the place of no other lane's. */
  successor(job: Job<never>): Job<never> | undefined;
  finished(job: Job<never>): void;
  /** Starts nothing more in the job's lane until `release`: its result must be committed first. */
  hold(job: Job<never>): void;
  release(job: Job<never>): void;
  /** Lanes that need no further jobs for now. */
  busy(): Set<string>;
  isBusy(job: Job<never>): boolean;
  /** Jobs claimed and not finished. */
  size(): number;
  /** Those of them that have started. */
  running(): number;
  /** Forgets what has not started; at shutdown their leases are given back. */
  drop(): void;
  /** What was forgotten so. */
  dropped(): ReadonlyArray<Job<never>>;
};

export function createLanes(maxRunning: number): Lanes {
  const lanes = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;
  const dropped: Array<Job<never>> = [];
  /** Jobs had to be left waiting though their lanes would let them start: all places are taken. */
  let crowded = false;
  const laneOf = (job: Job<never>): Lane => lanes.get(job.lane ?? '')!;
  const forgetIdle = (job: Job<never>, lane: Lane): void => {
    if (lane.running === 0 && lane.waiting.length === 0 && !lane.held) lanes.delete(job.lane ?? '');
  };
  const isBusy = (lane: Lane): boolean => lane.held || lane.running + lane.waiting.length >= lane.concurrency;
  const mayStart = (lane: Lane): boolean => !lane.held && lane.waiting.length > 0 && lane.running < lane.concurrency;
  const take = (lane: Lane): Job<never> => {
    lane.running += 1;
    running += 1;
    waiting -= 1;
    return lane.waiting.shift()!;
  };
  return {
    add(job, definition) {
      const name = job.lane ?? '';
      const lane = lanes.get(name) ?? { waiting: [], running: 0, concurrency: definition.laneConcurrency, held: false };
      lanes.set(name, lane);
      lane.waiting.push(job);
      waiting += 1;
    },
    startable() {
      const jobs: Array<Job<never>> = [];
      crowded = false;
      for (const lane of lanes.values()) {
        while (mayStart(lane) && running < maxRunning) jobs.push(take(lane));
        crowded ||= mayStart(lane);
      }
      return jobs;
    },
    successor(job) {
      const lane = lanes.get(job.lane ?? '');
      return lane && mayStart(lane) && !crowded ? take(lane) : undefined;
    },
    finished(job) {
      const lane = laneOf(job);
      lane.running -= 1;
      running -= 1;
      forgetIdle(job, lane);
    },
    hold(job) {
      laneOf(job).held = true;
    },
    release(job) {
      const lane = lanes.get(job.lane ?? '');
      if (!lane) return;
      lane.held = false;
      forgetIdle(job, lane);
    },
    busy: () => new Set([...lanes].filter(([, lane]) => isBusy(lane)).map(([name]) => name)),
    isBusy(job) {
      const lane = lanes.get(job.lane ?? '');
      return lane !== undefined && isBusy(lane);
    },
    size: () => running + waiting,
    running: () => running,
    drop() {
      for (const [name, lane] of lanes) {
        waiting -= lane.waiting.length;
        dropped.push(...lane.waiting.splice(0));
        if (lane.running === 0) lanes.delete(name);
      }
    },
    dropped: () => dropped,
  };
}
