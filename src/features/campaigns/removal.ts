import { conflict } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { cancel, isQueued } from '../../kernel/queue.ts';
import { deleteLeftOut } from './contacts/left-out-store.ts';
import * as campaignContacts from './contacts/store.ts';
import { deleteEvents } from './results/history-store.ts';
import {
  campaignEnd,
  campaignTick,
  campaignWindow,
  expireContacts,
  reopenContacts,
  removeCampaign,
  rescheduleRetries,
} from './kinds.ts';
import { campaignOf } from './service.ts';
import * as store from './store.ts';

/**
 * Hides a campaign from every reader at once; a job then deletes its rows in batches. Its live calls end normally, and stay listed.
 * @throws notFound when the organization has no such campaign; conflict while the campaign is running
 */
export function deleteCampaign(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const campaign = await campaignOf(tx, orgId, id);
    if (campaign.executionStatus === 'running') throw conflict('The campaign is running. Pause or complete it first.');
    await store.markRemoved(tx, id, app.clock.now());
    for (const kind of [campaignTick, campaignEnd, expireContacts, reopenContacts, rescheduleRetries])
      await cancel(tx, kind, id);
    await cancel(tx, campaignWindow, id);
    await startBatches(app, tx, removeCampaign, id, {});
  });
}

/** Deletes the rows of a campaign that nobody has seen. */
export const discardHidden = (app: App, orgId: string, id: string): Promise<void> =>
  transact(app.db, orgId, (tx) => startBatches(app, tx, removeCampaign, id, {}));

/** At the start: discards the drafts that a redial was filling when the process died. No other removed campaign lacks its job. */
export async function discardHalfFilled(app: App): Promise<void> {
  for (const { id, organization_id: orgId } of await store.removedCampaigns(app.db))
    if (!(await isQueued(app.db, removeCampaign, id))) await discardHidden(app, orgId, id);
}

/** Deletes one batch of a removed campaign's contacts, events or refused contacts, and at last the campaign. Returns whether there may be more. */
export async function removeBatch(tx: Tx, id: string, rows: number): Promise<boolean> {
  if ((await campaignContacts.deleteBatch(tx, id, rows)) > 0) return true;
  if ((await deleteEvents(tx, id, rows)) === rows) return true;
  if ((await deleteLeftOut(tx, id, rows)) === rows) return true;
  await store.deleteCampaign(tx, id);
  return false;
}
