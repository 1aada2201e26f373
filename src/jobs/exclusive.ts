import type { Job } from '../kernel/queue.ts';
import type { LaneQueue } from './job-queue.ts';

/*
 * Jobs of a lane with the same `exclusive` text, such as the deliveries about one contact, run one after the other. Only the text's first
 * job may start; the others wait in memory or in the outbox.
 */

type Jobs = Pick<LaneQueue, 'waiting' | 'running'>;

/** Takes the next job whose text no running job has. */
export function takeStartable({ waiting, running }: Jobs): Job<never> | undefined {
  const index = waiting.findIndex((job) => !isHeldUp(job, running));
  return index === -1 ? undefined : waiting.splice(index, 1)[0];
}

const isHeldUp = ({ exclusive }: Job<never>, running: ReadonlySet<Job<never>>): boolean =>
  exclusive !== null && running.values().some((other) => other.exclusive === exclusive);

/** Whether at least `count` of the waiting jobs could start now, together with each other and with the running ones. */
export function hasStartable({ waiting, running }: Jobs, count: number): boolean {
  if (waiting.length < count) return false;
  const taken = new Set<string | null>();
  for (const { exclusive } of running) taken.add(exclusive);
  let startable = 0;
  for (const { exclusive } of waiting) {
    if (exclusive === null || !taken.has(exclusive)) startable += 1;
    if (startable >= count) return true;
    taken.add(exclusive);
  }
  return false;
}

/** The texts of the waiting and running jobs. */
export function textsInHand({ waiting, running }: Jobs): string[] {
  const texts = new Set<string>();
  for (const { exclusive } of [...running, ...waiting]) if (exclusive !== null) texts.add(exclusive);
  return [...texts];
}
