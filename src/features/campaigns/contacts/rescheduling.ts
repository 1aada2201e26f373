import { partition } from '../../../base/partition.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { type Campaign, counterOf } from '../campaign.ts';
import { completeIfDone } from '../completion.ts';
import { type ReschedulePayload, rescheduleRetries, tickAt } from '../kinds.ts';
import { carrierWait, mayRetry, retryOpening } from '../dialing/retry.ts';
import { addPending } from './store.ts';
import * as store from '../store.ts';
import {
  endRetries,
  moveRetries,
  releaseHeld,
  waitingAfter,
  waitingById,
  type WaitingRetry,
} from '../dialing/retries-store.ts';

/** Retries per transaction. Moving 5,000 occupies the database for a few tens of milliseconds. */
const batchSize = 5_000;

/**
 * Moves waiting retries to the instants that a changed schedule gives them, counted from the end of their last call, and ends those that
 * the retry rules do not allow any more. First attempts that limits of calls or guard hours hold back are decided anew. Does one batch and enqueues a job for the next. Meanwhile nobody is called against the new
 * settings, because every tick checks them itself.
 */
export async function reschedule(
  app: App,
  tx: Tx,
  campaign: Campaign,
  { after = -1, batch = batchSize }: { after?: number; batch?: number } = {},
): Promise<void> {
  if (after === -1 && (await releaseHeld(tx, campaign.id, batch)) === batch)
    return enqueueBatch(app, tx, campaign.id, -1, batch);
  const retries = await waitingAfter(tx, campaign.id, after, batch);
  const [allowed, over] = partition(retries, (retry) => mayRetry(campaign, retry));
  await moveRetries(tx, movesOf(campaign, allowed, app.clock.now()));
  await end(tx, campaign, over);
  const last = retries.at(-1);
  if (last && retries.length === batch) {
    await enqueueBatch(app, tx, campaign.id, last.position, batch);
  } else if (!(await completeIfDone(app, tx, (await store.campaignById(tx, campaign.id))!))) {
    if (campaign.executionStatus === 'running') await tickAt(app, tx, campaign.id, app.clock.now());
  }
}

const enqueueBatch = (app: App, tx: Tx, campaignId: string, after: number, batch: number): Promise<void> =>
  enqueue(app, tx, rescheduleRetries, {
    key: campaignId,
    dueAt: app.clock.now(),
    payload: { campaignId, after, batch },
    onConflict: 'replace',
  });

/** Looks at all waiting contacts of a campaign again, in a job. */
export const rescheduleAll = (app: App, tx: Tx, campaignId: string): Promise<void> =>
  enqueueBatch(app, tx, campaignId, -1, batchSize);

/** Gives contacts whose retry is not allowed any more the status of their last call. */
async function end(tx: Tx, campaign: Campaign, retries: readonly WaitingRetry[]): Promise<void> {
  if (retries.length === 0) return;
  await endRetries(tx, retries);
  for (const [status, { length }] of Map.groupBy(retries, (retry) => retry.status)) {
    await store.addStats(tx, campaign.id, { pending: -length, [counterOf(status)]: length });
  }
  for (const [zone, { length }] of Map.groupBy(retries, (retry) => retry.timezone)) {
    await addPending(tx, campaign.id, zone, -length);
  }
}

/** Moves the next batch of retries after a change of the schedule: those behind the position `after`. */
export async function rescheduleBatch(
  app: App,
  tx: Tx,
  { campaignId, after, batch }: ReschedulePayload,
): Promise<void> {
  const campaign = await store.campaignById(tx, campaignId);
  if (campaign) await reschedule(app, tx, campaign, { after, batch });
}

/** Moves the waiting retry of a contact whose time zone changed. */
export async function rescheduleContact(
  app: App,
  tx: Tx,
  campaign: Campaign,
  campaignContactId: string,
): Promise<void> {
  const retry = await waitingById(tx, campaignContactId);
  if (!retry) return;
  await moveRetries(tx, movesOf(campaign, [retry], app.clock.now()));
}

function movesOf(campaign: Campaign, retries: readonly WaitingRetry[], now: number): Array<[string, number]> {
  const moves: Array<[string, number]> = [];
  for (const { id, timezone, endedAt, nextRetryAt, unreachableTries } of retries) {
    const opening = retryOpening(campaign, timezone, endedAt);
    if (opening === null) continue;
    const at = Math.max(opening, carrierWait(unreachableTries, now, nextRetryAt));
    if (at !== nextRetryAt) moves.push([id, at]);
  }
  return moves;
}
