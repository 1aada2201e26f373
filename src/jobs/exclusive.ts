import type { Job } from '../kernel/queue.ts';

/**
 * The jobs of a lane that are in memory: waiting in order, and running. Jobs with the same `exclusive` text, such as the deliveries about one
 * contact, run one after the other: only the text's first job may start, and the others wait.
 */
export type LaneJobs = {
  /** Adds claimed jobs behind those that wait. */
  push(jobs: ReadonlyArray<Job<never>>): void;
  waitingCount(): number;
  runningCount(): number;
  /** Takes the next waiting job whose text no running job has. To be started before the next call. */
  takeStartable(): Job<never> | undefined;
  /** To be called when a job, taken from here or not, starts to run. */
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
  /** Waiting jobs without a text, and texts that wait and do not run. */
  let startable = 0;

  /** Counts a job of a text more or less in `texts`. A text is startable if it is in `waitingTexts` and not in `runningTexts`. */
  function change(texts: Map<string, number>, { exclusive }: Job<never>, by: 1 | -1): void {
    const isWaiting = texts === waitingTexts;
    if (exclusive === null) {
      if (isWaiting) startable += by;
      return;
    }
    const count = (texts.get(exclusive) ?? 0) + by;
    if (count === 0) texts.delete(exclusive);
    else texts.set(exclusive, count);
    const isFirstOrLast = count === Math.max(0, by);
    if (!isFirstOrLast) return;
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
