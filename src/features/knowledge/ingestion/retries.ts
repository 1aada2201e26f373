import { AppError } from '../../../base/errors.ts';
import { transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { countStart, type Job } from '../../../kernel/queue.ts';

/** Delays before the retries of a document or page whose job failed with an internal error. */
export const retryDelaysMs = [1000, 5000, 30_000, 120_000];

/** Whether the extractor's queue is full. Then the job is requeued and the attempt does not count. */
export const isQueueFull = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable';

/** Delay before a job that found the extractor's queue full tries again. */
export const fullQueueDelayMs = 30_000;

/**
 * Stops a job that crashes the process from being retried forever. Being claimed proves nothing, since a dying process
 * may hold dozens of innocent claims, so from the second claim on each start is recorded before anything runs. The
 * first claim, usually the only one, costs no write.
 * @throws when the job was started as often as it may fail, so that the runner gives up on it
 */
export async function refuseCrashLoop(app: App, job: Job<unknown>): Promise<void> {
  if (job.attempt === 1) return;
  const starts = await transact(app.db, job.scope, (tx) => countStart(tx, job));
  if (starts > retryDelaysMs.length) throw new Error('the process ended during every attempt');
}

/** Shown to the owner of a document or page after the last attempt; `id` is the one in the log. */
export const internalError = (what: 'document' | 'page', id: string): string =>
  `Internal error while reading this ${what}. The server log has the details (id ${id}).`;
