import { onCommit, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import { enqueue, transactionalJob } from '../../kernel/queue.ts';
import { fileCalls } from './kinds.ts';
import * as store from './store.ts';

/**
 * Ended calls of an organization that wait to be filed. A list also reads them all, in a fifth of a millisecond. Filed one by one, each call
 * would change a page in each of five indexes; of 500, several have their entries on the same page.
 */
export const maxRecent = 500;

/** Filing a call takes some 30 µs, in which nothing else runs. */
const perTransaction = 100;

/** How many calls wait, by organization; unknown until the first call ends after a start or after filing. */
const recentCounts = nodeState('recentCalls', () => new Map<string, number>());

/** To be called after a call has ended, in the same transaction. */
export async function fileWhenMany(app: App, tx: Tx, orgId: string): Promise<void> {
  const counts = recentCounts(app);
  const known = counts.get(orgId);
  // After a rollback the count is too high, and the next filing comes early.
  const count = known === undefined ? await store.countRecent(tx, orgId) : known + 1;
  counts.set(orgId, count);
  if (count >= maxRecent) await fileNext(app, tx, orgId);
}

const fileNext = (app: App, tx: Tx, orgId: string): Promise<void> =>
  enqueue(app, tx, fileCalls, { key: orgId, dueAt: app.clock.now(), payload: {}, onConflict: 'if_earlier' });

/** Files an organization's ended calls in several transactions, which may share a COMMIT. The key is the organization's id. */
export const filing = transactionalJob(fileCalls, async (app, tx, { key: orgId }) => {
  const filed = await store.fileRecent(tx, orgId, perTransaction);
  if (filed === perTransaction) await fileNext(app, tx, orgId);
  else onCommit(tx, () => recentCounts(app).delete(orgId));
});
