import { onCommit, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import { enqueue, transactionalJob } from '../../kernel/queue.ts';
import { fileCalls } from './kinds.ts';
import * as store from './store.ts';

/**
 * When this many ended calls of an organization wait, they are filed. Filed one by one, each would change a page in each of up to six indexes of
 * calls and two of campaign contacts; of 500, several have their entries on the same page. Lists also read the waiting calls, which takes
 * 0.2 ms for 500.
 */
export const maxRecent = 500;

/** Calls per transaction. Filing a call holds the main thread for some 30 µs. */
const batchSize = 100;

/** How many ended calls of each organization wait; unknown until the first call ends after a start or after filing. */
const recentCounts = nodeState('recentCalls', () => new Map<string, number>());

/** Counts a call that has just ended, and schedules filing if `maxRecent` calls wait. To be called in the transaction that ends the call. */
export async function fileWhenMany(app: App, tx: Tx, orgId: string): Promise<void> {
  const counts = recentCounts(app);
  const known = counts.get(orgId);
  // After a rollback the count is too high, and the next filing comes early.
  const count = known === undefined ? await store.countRecent(tx, orgId) : known + 1;
  counts.set(orgId, count);
  if (count >= maxRecent) await scheduleFiling(app, tx, orgId);
}

const scheduleFiling = (app: App, tx: Tx, orgId: string): Promise<void> =>
  enqueue(app, tx, fileCalls, { key: orgId, dueAt: app.clock.now(), payload: {}, onConflict: 'if_earlier' });

/** Files an organization's ended calls in several transactions, which may share a COMMIT. The key is the organization's id. */
export const filing = transactionalJob(fileCalls, async (app, tx, { key: orgId }) => {
  const filed = await store.fileRecent(tx, orgId, batchSize);
  if (filed === batchSize) await scheduleFiling(app, tx, orgId);
  else onCommit(tx, () => recentCounts(app).delete(orgId));
});
