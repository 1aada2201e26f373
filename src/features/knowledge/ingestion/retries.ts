import { AppError } from '../../../base/errors.ts';
import { transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { countStart, type Job } from '../../../kernel/queue.ts';

/** Waits after a worker was killed over its limits, or found a defect. */
export const retryDelaysMs = [1000, 5000, 30_000, 120_000];

/** Whether so many documents wait to be read that one more could not: no fault of that one, which waits for its turn outside. */
export const isBusy = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable';

/** How long that is, each time. */
export const busyWaitMs = 30_000;

/**
 * What ended the process each time that it was begun must not do that for ever. To be claimed is not to be begun: a process that dies
 * may have claimed dozens that are no fault of. So from the second claim on each beginning is written down before anything is done;
 * the first claim, which is mostly the only one, costs no write.
 * @throws when it was begun as often as it may fail, which gives it up
 */
export async function refuseDeadly(app: App, job: Job<unknown>): Promise<void> {
  if (job.attempt === 1) return;
  const starts = await transact(app.db, job.scope, (tx) => countStart(tx, job));
  if (starts > retryDelaysMs.length) throw new Error('the process ended every time that this was tried');
}
