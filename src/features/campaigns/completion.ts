import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import { cancel } from '../../kernel/queue.ts';
import { type Campaign, type CampaignContact, type CampaignContactStatus, counterOf } from './campaign.ts';
import { wakeWaiting } from './dialing/capacity-queue.ts';
import type { Cause } from './contacts/cause.ts';
import * as campaignContacts from './contacts/store.ts';
import { recordEvent } from './results/history.ts';
import { campaignEnd, campaignTick, campaignWindow, expireContacts, reopenContacts } from './kinds.ts';
import { endOf } from './schedule/schedule.ts';
import * as store from './store.ts';

/**
 * Completes an active or paused campaign if no call is live and either nobody is left to call or its `end` has passed. Returns whether it
 * did.
 */
export async function completeIfDone(app: App, tx: Tx, campaign: Campaign): Promise<boolean> {
  if (campaign.status !== 'active' && campaign.status !== 'paused') return false;
  const { total, pending, inProgress } = campaign.stats;
  const end = endOf(campaign.schedule);
  const hasEnded = end !== null && app.clock.now() >= end;
  const isFinished = pending === 0 && total > 0 && campaign.contactsChange !== 'reopening';
  if (inProgress > 0 || !(hasEnded || isFinished)) return false;
  await recordEvent(app, tx, campaign.id, 'completed', null, { reason: isFinished ? 'nobody_left' : 'end_passed' });
  await complete(app, tx, campaign);
  return true;
}

/**
 * Completes a campaign: no further call starts, live calls end normally, pending contacts expire. They are seen as expired at once; a job
 * changes all rows but the first 100.
 */
export async function complete(app: App, tx: Tx, campaign: Campaign): Promise<void> {
  const now = app.clock.now();
  await store.updateCampaign(tx, campaign.id, {
    status: 'completed',
    execution_status: 'completed',
    waiting_for: null,
    wake_at: null,
    completed_at: now,
    contacts_change: null,
    updated_at: now,
  });
  await cancel(tx, campaignTick, campaign.id);
  if (campaign.wakeAt !== null) await wakeWaiting(app, tx, campaign.orgId);
  await cancel(tx, campaignEnd, campaign.id);
  await cancel(tx, campaignWindow, campaign.id);
  await cancel(tx, reopenContacts, campaign.id);
  await campaignContacts.forgetZones(tx, campaign.id);
  const { id } = campaign;
  if (!(await expireSome(tx, id, maxBatchRows))) return;
  await store.updateCampaign(tx, id, { contacts_change: 'expiring' });
  await startBatches(app, tx, expireContacts, id, { campaignId: id });
}

/** Expires a batch of the pending contacts of a completed campaign. Returns whether there may be more. */
export async function expireBatch(tx: Tx, campaignId: string, rows: number): Promise<boolean> {
  const hasMore = await expireSome(tx, campaignId, rows);
  if (!hasMore) await store.updateCampaign(tx, campaignId, { contacts_change: null });
  return hasMore;
}

async function expireSome(tx: Tx, campaignId: string, rows: number): Promise<boolean> {
  const expired = await campaignContacts.expirePending(tx, campaignId, rows);
  if (expired > 0) await store.addStats(tx, campaignId, { pending: -expired, failed: expired });
  return expired === rows;
}

/** Gives a pending contact its final status. The caller completes the campaign if no contact is left to call. */
export async function endPending(
  tx: Tx,
  { id, campaignId, timezone }: CampaignContact,
  status: Exclude<CampaignContactStatus, 'pending' | 'in_progress'>,
  { reason, cause = null }: { reason?: string | undefined; cause?: Cause | null } = {},
): Promise<void> {
  const why = reason === undefined ? {} : { error_message: reason };
  const cancelled = cause && { cause: JSON.stringify(cause) };
  await campaignContacts.update(tx, id, { status, next_retry_at: null, ...why, ...cancelled });
  await campaignContacts.addPending(tx, campaignId, timezone, -1);
  await store.addStats(tx, campaignId, { pending: -1, [counterOf(status)]: 1 });
}

/** Cancels a pending contact, which will not be called again. Completes the campaign if no contact is left to call. */
export async function cancelPending(app: App, tx: Tx, campaignContact: CampaignContact, cause: Cause): Promise<void> {
  await endPending(tx, campaignContact, 'cancelled', { cause });
  const campaign = await store.campaignById(tx, campaignContact.campaignId);
  if (campaign) await completeIfDone(app, tx, campaign);
}

/**
 * Cancels a contact that expired with its campaign, because a reopened campaign would call it. Readers see a contact as expired before a job
 * has changed its row. Expired and cancelled contacts count alike.
 */
export async function cancelExpired(tx: Tx, { id, campaignId }: CampaignContact, cause: Cause): Promise<void> {
  const row = await campaignContacts.cancelExpired(tx, id, cause);
  if (row === 'pending') await store.addStats(tx, campaignId, { pending: -1, failed: 1 });
}
