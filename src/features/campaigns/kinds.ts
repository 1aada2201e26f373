import { jobKind } from '../../kernel/queue.ts';

/** One tick a campaign waits at a time: it starts at most one call and says when to look again. */
export const campaignTick = jobKind<{ campaignId: string }>('campaign.tick');
/** `end` has come. */
export const campaignEnd = jobKind<{ campaignId: string }>('campaign.end');
/** Pending contacts of an ended campaign that one transaction did not take. */
export const expireContacts = jobKind<{ campaignId: string }>('campaign.expire');
