import type { Job } from '../kernel/queue.ts';
import type { LaneQueue } from './job-queue.ts';

/** A log message lists at most this many jobs. */
const maxListed = 10;

/** Claimed jobs until their result is committed. */
export type InHand = {
  readonly jobs: ReadonlyMap<number, Job<never>>;
  /** Returns false after `drop`: then the jobs must not start. */
  add(jobs: ReadonlyArray<Job<never>>): boolean;
  remove(job: Job<never>): void;
  isDropped(): boolean;
  /** Forgets jobs that have not started, and all that are added later. */
  drop(queueOf: (job: Job<never>) => LaneQueue): void;
  dropped(): ReadonlyArray<Job<never>>;
  names(): string[];
};

export function createInHand(): InHand {
  const jobs = new Map<number, Job<never>>();
  const dropped: Array<Job<never>> = [];
  let isDropped = false;
  return {
    jobs,
    add(claimed) {
      if (isDropped) dropped.push(...claimed);
      else for (const job of claimed) jobs.set(job.id, job);
      return !isDropped;
    },
    remove: ({ id }) => void jobs.delete(id),
    isDropped: () => isDropped,
    drop(queueOf) {
      isDropped = true;
      for (const job of jobs.values()) dropped.push(...queueOf(job).jobs.takeAll());
      for (const { id } of dropped) jobs.delete(id);
    },
    dropped: () => dropped,
    names: () => [...jobs.values()].slice(0, maxListed).map(({ kind, key }) => `${kind} ${key}`),
  };
}
