import type { Job } from '../../kernel/queue.ts';

/** Waits after a worker was killed over its limits, or found too much to do. */
export const retryDelaysMs = [1000, 5000, 30_000, 120_000];

/**
 * A job that was begun more often than it may fail ended the process each time: what it is about must not do that for ever.
 * @throws then, which gives it up
 */
export function refuseDeadly({ attempt }: Job<unknown>): void {
  if (attempt > retryDelaysMs.length + 1) throw new Error('the process ended every time that this was tried');
}
