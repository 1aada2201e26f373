import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { enqueue } from '../../kernel/queue.ts';
import type { Campaign } from './campaign.ts';
import { tickAt } from './dialer.ts';
import { rescheduleRetries } from './kinds.ts';
import { retryOpening } from './retry.ts';
import * as store from './store.ts';
import { moveRetries, type RetryCursor, waitingAfter, waitingById, type WaitingRetry } from './retries-store.ts';

/** Retries per transaction: 5,000 occupy the database for a few tens of milliseconds. */
const batchSize = 5_000;

/**
 * Moves waiting retries to the instants that a changed schedule gives them, counted from the end of their last call. A job moves those
 * beyond the first batch. Until it does, nobody is called outside the new window, because every tick checks the window itself.
 */
export async function reschedule(
  app: App,
  tx: Tx,
  campaign: Campaign,
  { after = null, batch = batchSize }: { after?: RetryCursor | null; batch?: number } = {},
): Promise<void> {
  const retries = await waitingAfter(tx, campaign.id, after, batch);
  // A retry that moves behind the cursor is visited again, and is then already in place.
  await moveRetries(tx, movesOf(campaign, retries));
  const last = retries.at(-1);
  if (last && retries.length === batch) {
    const payload = { campaignId: campaign.id, after: cursorAt(last), batch };
    const key = campaign.id;
    await enqueue(app, tx, rescheduleRetries, { key, dueAt: app.clock.now(), payload, onConflict: 'replace' });
  } else if (campaign.executionStatus === 'running') {
    await tickAt(app, tx, campaign.id, app.clock.now());
  }
}

/** Moves the next batch of retries after a change of the schedule. */
export async function rescheduleBatch(
  app: App,
  tx: Tx,
  { campaignId, after, batch }: { campaignId: string; after: RetryCursor; batch: number },
): Promise<void> {
  const campaign = await store.campaignById(tx, campaignId);
  if (campaign) await reschedule(app, tx, campaign, { after, batch });
}

/** Moves the waiting retry of a contact whose time zone changed. */
export async function rescheduleContact(tx: Tx, campaign: Campaign, campaignContactId: string): Promise<void> {
  const retry = await waitingById(tx, campaignContactId);
  if (retry) await moveRetries(tx, movesOf(campaign, [retry]));
}

function movesOf(campaign: Campaign, retries: readonly WaitingRetry[]): Array<[string, number]> {
  const moves: Array<[string, number]> = [];
  for (const { id, timezone, endedAt, nextRetryAt } of retries) {
    const at = retryOpening(campaign, timezone, endedAt);
    if (at !== null && at !== nextRetryAt) moves.push([id, at]);
  }
  return moves;
}

const cursorAt = ({ timezone, nextRetryAt, position }: WaitingRetry): RetryCursor => ({
  timezone,
  nextRetryAt,
  position,
});
