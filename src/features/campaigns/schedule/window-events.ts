import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { cancel, enqueue } from '../../../kernel/queue.ts';
import type { Campaign } from '../campaign.ts';
import { recordEvent } from '../results/history.ts';
import { campaignWindow } from '../kinds.ts';
import { endOf, startOf, windowOf } from './schedule.ts';
import * as store from '../store.ts';
import { closesAt, isOpen, nextOpening } from './window.ts';

/** When the calling window of a campaign next opens or closes. */
export type WindowBound = { at: number; opens: boolean };

/**
 * The next bound of the campaign's calling window, in the campaign's own time zone, after `now`. A window that is open at the campaign's
 * start opens then. Null if the window never closes or never opens, and for a bound at or after the campaign's end.
 */
function nextBound(campaign: Pick<Campaign, 'schedule'>, now: number): WindowBound | null {
  const window = windowOf(campaign, '');
  const from = Math.max(now, startOf(campaign.schedule) ?? now);
  const isOpenThen = isOpen(window, from);
  const startsOpen = isOpenThen && from > now;
  if (closesAt(window, from) === null) return null;
  const at = startsOpen ? from : isOpenThen ? closesAt(window, from) : nextOpening(window, from);
  const end = endOf(campaign.schedule);
  return at === null || (end !== null && at >= end) ? null : { at, opens: startsOpen || !isOpenThen };
}

/** Enqueues the job at the next bound of a running campaign's calling window. Replaces the one for an earlier schedule. */
export async function followWindow(app: App, tx: Tx, campaign: Campaign): Promise<void> {
  const bound = campaign.executionStatus === 'running' ? nextBound(campaign, app.clock.now()) : null;
  if (bound === null) return cancel(tx, campaignWindow, campaign.id);
  const payload = { opens: bound.opens };
  await enqueue(app, tx, campaignWindow, { key: campaign.id, dueAt: bound.at, payload, onConflict: 'replace' });
}

/** Records that the calling window opened or closed, unless the opposite has happened since because the server was down. */
export async function onWindowBound(app: App, tx: Tx, campaignId: string, opens: boolean): Promise<void> {
  const campaign = await store.campaignById(tx, campaignId);
  if (campaign?.executionStatus !== 'running') return;
  if (isOpen(windowOf(campaign, ''), app.clock.now()) === opens) {
    await recordEvent(app, tx, campaignId, opens ? 'window_opened' : 'window_closed', null);
  }
  await followWindow(app, tx, campaign);
}
