import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { enqueue } from '../../kernel/queue.ts';
import type { Campaign } from './campaign.ts';
import { tickAt } from './dialer.ts';
import { rescheduleRetries } from './kinds.ts';
import { retryOpening } from './retry.ts';
import * as store from './store.ts';
import { moveRetries, type RetryCursor, waitingAfter, waitingById, type WaitingRetry } from './retries-store.ts';

/** Retries that one transaction looks at: at most a few tens of milliseconds of the database. */
const movedPerTransaction = 5_000;

/**
 * The schedule changed: retries that wait are moved to where it puts them now, counted from the end of their last call. The rest of
 * very many is moved by a job. Until it comes to them nobody is called out of turn: a tick asks the window, too.
 */
export async function reschedule(
  app: App,
  tx: Tx,
  campaign: Campaign,
  { after = null, batch = movedPerTransaction }: { after?: RetryCursor | null; batch?: number } = {},
): Promise<void> {
  const retries = await waitingAfter(tx, campaign.id, after, batch);
  // One that moves forward in the order is met again there, and then stays.
  await moveRetries(tx, movesOf(campaign, retries));
  const last = retries.at(-1);
  if (last && retries.length === batch) {
    const payload = { campaignId: campaign.id, after: placeOf(last), batch };
    const key = campaign.id;
    await enqueue(app, tx, rescheduleRetries, { key, dueAt: app.clock.now(), payload, onConflict: 'replace' });
  } else if (campaign.executionStatus === 'running') {
    await tickAt(app, tx, campaign.id, app.clock.now());
  }
}

/** Goes on with a change of the schedule. */
export async function rescheduleSome(
  app: App,
  tx: Tx,
  { campaignId, after, batch }: { campaignId: string; after: RetryCursor; batch: number },
): Promise<void> {
  const campaign = await store.campaignById(tx, campaignId);
  if (campaign) await reschedule(app, tx, campaign, { after, batch });
}

/** The zone of a contact changed: if it waits for a retry, for the opening there. */
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

const placeOf = ({ timezone, nextRetryAt, position }: WaitingRetry): RetryCursor => ({
  timezone,
  nextRetryAt,
  position,
});
