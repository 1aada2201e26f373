import { conflict } from '../../base/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import type { Campaign } from './campaign.ts';
import { completeIfDone } from './completion.ts';
import { countsOf } from './contacts/list-store.ts';
import * as campaignContacts from './contacts/store.ts';
import { expiredAfterAttempts, moveRetries } from './dialing/retries-store.ts';
import { carrierWait, retryOpening } from './dialing/retry.ts';
import { reopenContacts, tickAt } from './kinds.ts';
import * as store from './store.ts';

/**
 * Checks that a completed campaign can be active again.
 * @throws conflict when it has nobody to call, or its contacts are still being expired
 */
export async function requireReopenable(tx: Tx, campaign: Campaign): Promise<void> {
  requireSettled(campaign);
  const { pending, expired } = await countsOf(tx, campaign.id);
  if (pending + expired === 0)
    throw conflict('The campaign is completed and none of its contacts is pending or expired: add contacts first.');
}

/** @throws conflict while the contacts of a campaign that was just completed are being expired */
export function requireSettled({ contactsChange }: Pick<Campaign, 'contactsChange'>): void {
  if (contactsChange === 'expiring')
    throw conflict(
      'The campaign was completed a moment ago and its contacts are still being expired. Try again shortly.',
    );
}

/**
 * Makes the expired contacts of a reopened campaign pending again: the first 100 at once, the others in a job. Until that is done the
 * campaign is not completed for lack of contacts.
 */
export async function reopenExpired(app: App, tx: Tx, campaign: Campaign): Promise<void> {
  if (!(await reopenSome(app, tx, campaign, maxBatchRows))) return;
  await store.updateCampaign(tx, campaign.id, { contacts_change: 'reopening' });
  await startBatches(app, tx, reopenContacts, campaign.id, { campaignId: campaign.id });
}

/** Reopens the next batch. Returns whether there may be more. */
export async function reopenBatch(app: App, tx: Tx, campaignId: string, rows: number): Promise<boolean> {
  const campaign = await store.campaignById(tx, campaignId);
  if (campaign?.contactsChange !== 'reopening') return false;
  const hasMore = await reopenSome(app, tx, campaign, rows);
  if (campaign.executionStatus === 'running') await tickAt(app, tx, campaignId, app.clock.now());
  if (hasMore) return true;
  await store.updateCampaign(tx, campaignId, { contacts_change: null });
  await completeIfDone(app, tx, (await store.campaignById(tx, campaignId))!);
  return false;
}

async function reopenSome(app: App, tx: Tx, campaign: Campaign, rows: number): Promise<boolean> {
  const reopened = await campaignContacts.reopenExpired(tx, campaign.id, rows);
  if (reopened.length === 0) return false;
  const zones = Map.groupBy(reopened, ({ timezone }) => timezone);
  for (const [zone, { length }] of zones) await campaignContacts.addPending(tx, campaign.id, zone, length);
  const { length } = reopened;
  await store.addStats(tx, campaign.id, { pending: length, failed: -length });
  await moveRetries(tx, await waitsOf(app, tx, campaign, reopened));
  return length === rows;
}

/** When reopened contacts are called that do not wait for their first attempt alone: when their retry is due, or the carrier may be tried. */
async function waitsOf(
  app: App,
  tx: Tx,
  campaign: Campaign,
  reopened: readonly campaignContacts.Reopened[],
): Promise<Array<readonly [id: string, at: number]>> {
  const ids = reopened.map(({ id }) => id);
  const attempted = new Map((await expiredAfterAttempts(tx, ids)).map((one) => [one.id, one.endedAt]));
  return reopened.flatMap(({ id, timezone, unreachableTries }) => {
    const endedAt = attempted.get(id);
    const due = endedAt === undefined ? 0 : (retryOpening(campaign, timezone, endedAt) ?? endedAt);
    const at = Math.max(due, carrierWait(unreachableTries, app.clock.now()));
    return at === 0 ? [] : [[id, at] as const];
  });
}
