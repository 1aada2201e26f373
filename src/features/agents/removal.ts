import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import { jobKind } from '../../kernel/queue.ts';
import * as endpoints from '../endpoints/service.ts';
import { deleteEditions } from './editions/store.ts';
import { agentDeleting, agentForgetting } from './events.ts';
import { agentOf } from './service.ts';
import * as store from './store.ts';

/** Clears a removed agent in the next batch of its campaigns; the key is the agent's id. */
export const forgetAgent = jobKind<{ orgId: string }>('agent.forget');

/**
 * Hides an agent from every reader, and removes its webhook URLs. Its past calls stay; its campaigns stay without an agent: the first of them
 * are cleared here, those that are left by a job, in batches.
 * @throws notFound when the organization has no such agent; conflict while an active campaign or a live call uses it
 */
export function removeAgent(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    await agentOf(tx, orgId, id);
    await app.events.emit(app, tx, agentDeleting, { orgId, agentId: id });
    await endpoints.saveUrls(app, tx, { orgId, agentId: id }, []);
    await store.markRemoved(tx, id, app.clock.now());
    if (!(await forgetBatch(app, tx, orgId, id))) await startBatches(app, tx, forgetAgent, id, { orgId });
  });
}

/** Clears a removed agent in one batch of what refers to it and, when nothing does any more, deletes it. Returns whether it has. */
export async function forgetBatch(app: App, tx: Tx, orgId: string, id: string): Promise<boolean> {
  const batch = { isLast: true };
  await app.events.emit(app, tx, agentForgetting, { orgId, agentId: id, batch });
  if ((await deleteEditions(tx, id, maxBatchRows)) === maxBatchRows) batch.isLast = false;
  if (batch.isLast) await store.deleteAgent(tx, id);
  return batch.isLast;
}
