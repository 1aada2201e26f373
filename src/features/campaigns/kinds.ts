import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';
import type { Actor } from '../requests/audit.ts';

/** Starts at most one call and schedules the next tick. A campaign has one tick at a time. */
export const campaignTick = jobKind<{ campaignId: string }>('campaign.tick');
/** Wakes a campaign of an organization that waits for a line of its carrier; the key is the organization's id. */
export const lookForLine = jobKind<Record<string, never>>('campaign.line');
/** Runs at the campaign's `end`. */
export const campaignEnd = jobKind<{ campaignId: string }>('campaign.end');
/** Runs when the campaign's calling window opens or closes; the key is the campaign's id. */
export const campaignWindow = jobKind<{ opens: boolean }>('campaign.window');
/** Expires the next batch of pending contacts of a completed campaign. */
export const expireContacts = jobKind<{ campaignId: string }>('campaign.expire');
/** Makes the next batch of expired contacts of a reopened campaign pending again. */
export const reopenContacts = jobKind<{ campaignId: string }>('campaign.reopen');
/** Deletes the next batch of rows of a removed campaign; the key is its id. */
export const removeCampaign = jobKind<Record<string, never>>('campaign.remove');
export type ReschedulePayload = { campaignId: string; after: number; batch: number };
/** Moves the next batch of waiting retries after a change of the schedule: those behind the position `after`. */
export const rescheduleRetries = jobKind<ReschedulePayload>('campaign.reschedule');

export type JoinPayload =
  | { campaignId: string; actor: Actor | null; added: number; skipped: number }
  | { discards: true };
/** Adds the next part of a large request's contacts to a campaign, or discards those of a request that failed; the key is the request's id. */
export const joinContacts = jobKind<JoinPayload>('campaign.join');

export type FollowPayload = { orgId: string; before?: string | undefined };
/** Copies a changed contact to the next batch of its campaign contacts, those with ids below `before`; the key is the contact's id. */
export const followContact = jobKind<FollowPayload>('campaign.follow_contact');

/** Schedules the campaign's next tick, unless an earlier one is already scheduled. */
export const tickAt = (app: App, tx: Tx, campaignId: string, dueAt: number): Promise<void> =>
  enqueue(app, tx, campaignTick, { key: campaignId, dueAt, payload: { campaignId } });

/** Schedules another look for a line of the carrier, because nothing tells this organization when a call of another one ends. */
export const lookForLineAt = (app: App, tx: Tx, orgId: string, dueAt: number): Promise<void> =>
  enqueue(app, tx, lookForLine, { key: orgId, dueAt, payload: {} });
