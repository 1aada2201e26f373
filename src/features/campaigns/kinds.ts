import { jobKind } from '../../kernel/queue.ts';
import type { RetryCursor } from './retries-store.ts';

/** One tick a campaign waits at a time: it starts at most one call and says when to look again. */
export const campaignTick = jobKind<{ campaignId: string }>('campaign.tick');
/** `end` has come. */
export const campaignEnd = jobKind<{ campaignId: string }>('campaign.end');
/** Pending contacts of an ended campaign that one transaction did not take. */
export const expireContacts = jobKind<{ campaignId: string }>('campaign.expire');
/** Retries that wait and that one transaction did not move after a change of the schedule. */
export const rescheduleRetries = jobKind<{ campaignId: string; after: RetryCursor; batch: number }>(
  'campaign.reschedule',
);
