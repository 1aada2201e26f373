import type { Job } from '../kernel/queue.ts';

/**
 * The jobs of a lane that are in memory: the waiting ones, in order, and the running ones. Jobs with the same `exclusive` text, such as the
 * deliveries about one contact, run one after the other: only the text's first job may start, and the others wait.
 */
export type LaneJobs = {
  /** Adds claimed jobs behind those that wait. */
  push(jobs: ReadonlyArray<Job<never>>): void;
  waitingCount(): number;
  runningCount(): number;
  /** Takes the first waiting job whose text no running job has. Call `started` with it before the next call of this. */
  takeStartable(): Job<never> | undefined;
  /** To be called when a job starts to run, whether it was taken from here or not. */
  started(job: Job<never>): void;
  finished(job: Job<never>): void;
  /** Whether at least `count` of the waiting jobs could start now, together with each other and with the running ones. */
  hasStartable(count: number): boolean;
  /** Whether a job with this text waits. */
  isAwaited(text: string): boolean;
  /** The texts of the running and waiting jobs, each once. */
  textsInHand(): string[];
  /** Takes all waiting jobs. */
  takeAll(): Array<Job<never>>;
};

/** Counts the jobs of each text, because walking the jobs for every start would cost more than a small job itself. */
export function createLaneJobs(): LaneJobs {
  const waiting: Array<Job<never>> = [];
  const waitingTexts = new Map<string, number>();
  const runningTexts = new Map<string, number>();
  let running = 0;
  /** How many jobs could start: the waiting ones without a text, and one for each text in `waitingTexts` but not in `runningTexts`. */
  let startable = 0;

  /** Counts one job more or less of its text in `texts`. Adjusts `startable` when the text appears there or disappears. */
  function change(texts: Map<string, number>, { exclusive }: Job<never>, by: 1 | -1): void {
    const isWaiting = texts === waitingTexts;
    if (exclusive === null) {
      if (isWaiting) startable += by;
      return;
    }
    const count = (texts.get(exclusive) ?? 0) + by;
    if (count === 0) texts.delete(exclusive);
    else texts.set(exclusive, count);
    const hasAppeared = by === 1 && count === 1;
    const hasDisappeared = by === -1 && count === 0;
    if (!hasAppeared && !hasDisappeared) return;
    if (isWaiting && !runningTexts.has(exclusive)) startable += by;
    if (!isWaiting && waitingTexts.has(exclusive)) startable -= by;
  }

  return {
    push(jobs) {
      for (const job of jobs) {
        waiting.push(job);
        change(waitingTexts, job, 1);
      }
    },
    waitingCount: () => waiting.length,
    runningCount: () => running,
    takeStartable() {
      if (startable === 0) return undefined;
      const index = waiting.findIndex(({ exclusive }) => exclusive === null || !runningTexts.has(exclusive));
      const [job] = waiting.splice(index, 1);
      change(waitingTexts, job!, -1);
      return job;
    },
    started(job) {
      running += 1;
      change(runningTexts, job, 1);
    },
    finished(job) {
      running -= 1;
      change(runningTexts, job, -1);
    },
    hasStartable: (count) => startable >= count,
    isAwaited: (text) => waitingTexts.has(text),
    textsInHand: () => [...new Set([...runningTexts.keys(), ...waitingTexts.keys()])],
    takeAll() {
      const jobs = waiting.splice(0);
      for (const job of jobs) change(waitingTexts, job, -1);
      return jobs;
    },
  };
}
