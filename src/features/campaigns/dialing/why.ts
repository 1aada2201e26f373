import type { App } from '../../../kernel/app.ts';
import { reasonForNoLine } from '../../calls/carrier-lines.ts';
import type { Campaign, CampaignContact, CampaignContactStatus } from '../campaign.ts';
import { getCampaignContact } from '../contacts/campaign-contacts.ts';
import { factsOf } from '../contacts/contact-facts.ts';
import { dialingOf } from './dialing-store.ts';
import { campaignObstacles, contactObstacles, type Obstacle } from './eligibility.ts';
import { endOf, windowOf } from '../schedule/schedule.ts';
import { getCampaign } from '../service.ts';
import { nextOpening } from '../schedule/window.ts';

export type Why = {
  status: CampaignContactStatus;
  dialableNow: boolean;
  reasons: ReadonlyArray<Pick<Obstacle, 'code' | 'reason'>>;
  nextAttemptAt: number | null;
};

/**
 * Why a contact is not being called now, and the earliest instant at which it may be.
 * @throws notFound when the organization has no such campaign, or the campaign no such contact
 */
export async function whyOf(app: App, orgId: string, campaignId: string, contactId: string): Promise<Why> {
  const campaign = await getCampaign(app, orgId, campaignId);
  const campaignContact = await getCampaignContact(app.db, orgId, campaignId, contactId);
  if (campaignContact.status !== 'pending') {
    const reasons = [reasonOf(campaignContact.status)];
    return { status: campaignContact.status, dialableNow: false, reasons, nextAttemptAt: null };
  }
  const now = app.clock.now();
  const obstacles = await obstaclesTo(app, campaign, campaignContact, now);
  const lasting = obstacles.filter((obstacle) => !isTemporary(obstacle));
  const reasons = [...lasting, ...obstacles.filter(isTemporary)];
  const from = Math.max(now, ...obstacles.map(({ until = 0 }) => until));
  return {
    status: campaignContact.status,
    dialableNow: reasons.length === 0,
    reasons,
    nextAttemptAt: lasting.length > 0 ? null : earliestAttempt(campaign, campaignContact, from),
  };
}

/** Why a contact with this status is not waiting to be called. */
const reasonOf = (status: Exclude<CampaignContact['status'], 'pending'>): Why['reasons'][number] =>
  status === 'in_progress'
    ? { code: 'on_the_phone', reason: 'The contact is on the phone now.' }
    : { code: 'final_status', reason: `The contact has its final status: ${status}.` };

/** Whether the obstacle ends without anybody changing something: with time, or when a call ends. */
const isTemporary = ({ becomes, until, bottleneck }: Obstacle): boolean =>
  becomes === 'pending' && (until !== undefined || bottleneck !== undefined);

async function obstaclesTo(app: App, campaign: Campaign, contact: CampaignContact, now: number): Promise<Obstacle[]> {
  const dialing = await dialingOf(app.db, campaign.id);
  if (!dialing) return [];
  const { max_concurrent: orgMaxConcurrent } = app.config.limits.organization;
  const { nextRetryAt } = contact;
  const carrier = dialing.number?.carrier ?? null;
  const noLine = await reasonForNoLine(app, app.db, { orgId: campaign.orgId, carrier });
  const pace = Math.ceil(campaign.paceAt);
  return [
    ...campaignObstacles(dialing, { orgMaxConcurrent, noLine }, now),
    ...contactObstacles(campaign, contact, await factsOf(app.db, campaign, contact), now),
    ...(contact.unreachableTries > 0
      ? wait(
          'carrier_out_of_reach',
          'The carrier was out of reach when the contact was last called.',
          nextRetryAt ?? 0,
          now,
        )
      : wait('waiting_for_retry', 'The contact waits for its next retry.', nextRetryAt ?? 0, now)),
    ...wait('pace_reached', 'The pace is reached for the moment: no more calls per second are allowed.', pace, now),
  ];
}

const wait = (code: Obstacle['code'], reason: string, until: number, now: number): Obstacle[] =>
  until > now ? [{ becomes: 'pending', code, reason, until }] : [];

/** The first opening at or after `from`; null if the campaign has ended by then. */
function earliestAttempt(campaign: Campaign, { timezone }: CampaignContact, from: number): number | null {
  const opening = nextOpening(windowOf(campaign, timezone), from);
  const end = endOf(campaign.schedule);
  return opening === null || (end !== null && opening >= end) ? null : opening;
}
