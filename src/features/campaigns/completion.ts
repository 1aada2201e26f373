import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { cancel, enqueue } from '../../kernel/queue.ts';
import { type Campaign, type CampaignContact, type CampaignContactStatus, counterOf } from './campaign.ts';
import * as campaignContacts from './campaign-contacts-store.ts';
import { campaignEnd, campaignTick, expireContacts } from './kinds.ts';
import { endOf } from './schedule.ts';
import * as store from './store.ts';

/** Contacts per transaction: 10,000 occupy the database for a few tens of milliseconds. */
const batchSize = 10_000;

/**
 * Completes an active or paused campaign if nobody is left to call, or if its `end` has passed and no call is live (contract, section 6).
 * Returns whether it did.
 */
export async function completeIfDone(app: App, tx: Tx, campaign: Campaign): Promise<boolean> {
  if (campaign.status !== 'active' && campaign.status !== 'paused') return false;
  const { total, pending, inProgress } = campaign.stats;
  const end = endOf(campaign.schedule);
  const hasEnded = end !== null && app.clock.now() >= end;
  const isFinished = pending === 0 && total > 0;
  if (inProgress > 0 || !(hasEnded || isFinished)) return false;
  await complete(app, tx, campaign);
  return true;
}

/** Completes a campaign: no further call starts, live calls end normally, pending contacts expire. */
export async function complete(app: App, tx: Tx, campaign: Campaign): Promise<void> {
  const now = app.clock.now();
  await store.updateCampaign(tx, campaign.id, {
    status: 'completed',
    execution_status: 'completed',
    waiting_for: null,
    completed_at: now,
    updated_at: now,
  });
  await cancel(tx, campaignTick, campaign.id);
  await cancel(tx, campaignEnd, campaign.id);
  await campaignContacts.forgetZones(tx, campaign.id);
  await expireBatch(app, tx, campaign.id);
}

/** Expires a batch of the pending contacts of a completed campaign; a job continues with the next. */
export async function expireBatch(app: App, tx: Tx, campaignId: string): Promise<void> {
  const expired = await campaignContacts.expirePending(tx, campaignId, batchSize);
  if (expired > 0) await store.addStats(tx, campaignId, { pending: -expired, failed: expired });
  if (expired < batchSize) return;
  const payload = { campaignId };
  await enqueue(app, tx, expireContacts, { key: campaignId, dueAt: app.clock.now(), payload });
}

/** Gives a pending contact its last status. The caller completes the campaign if that was the last one. */
export async function endPending(
  tx: Tx,
  { id, campaignId, timezone }: CampaignContact,
  status: Exclude<CampaignContactStatus, 'pending' | 'in_progress'>,
  reason?: string,
): Promise<void> {
  const why = reason === undefined ? {} : { error_message: reason };
  await campaignContacts.update(tx, id, { status, next_retry_at: null, ...why });
  await campaignContacts.addPending(tx, campaignId, timezone, -1);
  await store.addStats(tx, campaignId, { pending: -1, [counterOf(status)]: 1 });
}

/** Cancels a pending contact: it will not be called again. Completes the campaign if it was the last one. */
export async function cancelPending(app: App, tx: Tx, campaignContact: CampaignContact): Promise<void> {
  await endPending(tx, campaignContact, 'cancelled');
  const campaign = await store.campaignById(tx, campaignContact.campaignId);
  if (campaign) await completeIfDone(app, tx, campaign);
}
