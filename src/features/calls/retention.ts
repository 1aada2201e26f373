import { dayMs } from '../../base/clock.ts';
import { idsFrom } from '../../base/ids.ts';
import { batchJob, startBatches } from '../../kernel/batch-job.ts';
import { nightly } from '../../kernel/nightly.ts';
import { jobKind } from '../../kernel/queue.ts';
import { deleteOldCalls } from './kinds.ts';
import * as store from './store.ts';

/** Starts the deletion of calls that are older than `calls.retention_days`, if there is a limit. */
export const callPruning = nightly(jobKind('calls.prune'), '47 3 * * *', async (app, tx) => {
  const days = app.config.calls.retention_days;
  const before = app.clock.now() - days * dayMs;
  if (days > 0) await startBatches(app, tx, deleteOldCalls, 'all', { before, after: '' });
  return false;
});

/**
 * Deletes old calls in batches. A batch reads the next calls that were created before `before` and deletes those that have ended. It keeps
 * the calls of contacts that a campaign may still call, because the next attempt depends on how and when the last one ended.
 */
export const callDeletion = batchJob(deleteOldCalls, async (app, tx, { payload: { before, after }, rows }) => {
  if (app.config.calls.retention_days === 0) return undefined; // switched off while a deletion was under way
  const ids = await store.callIdsBetween(tx, { after, until: idsFrom(before), limit: rows });
  await store.deleteEnded(tx, ids, before);
  return ids.length === rows ? { before, after: ids.at(-1)! } : undefined;
});
