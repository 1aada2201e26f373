import { notFound } from '../../../base/errors.ts';
import type { Queryable } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { reasonForNoLine } from '../../calls/carrier-lines.ts';
import { type PersonZone, personZone } from '../../contacts/person-zone.ts';
import { isDoNotCall } from '../../contacts/service.ts';
import { contactRulesOf } from '../../organizations/service.ts';
import type { Campaign, CampaignContact, CampaignContactStatus } from '../campaign.ts';
import { findCampaignContact } from '../contacts/campaign-contacts.ts';
import { type Cause, causeNow, causeSentences, doNotCallCause } from '../contacts/cause.ts';
import { causeOfLeavingOut } from '../contacts/left-out.ts';
import { newestEvent } from '../results/history-store.ts';
import { factsOf } from '../contacts/contact-facts.ts';
import { type Dialing, dialingOf } from '../dialing/dialing-store.ts';
import { campaignObstacles, contactObstacles, type Obstacle } from '../dialing/eligibility.ts';
import { guardWindow, heldUntil, isHold } from '../dialing/held.ts';
import { endOf, windowOf } from '../schedule/schedule.ts';
import { getCampaign } from '../service.ts';
import type { CallingWindow } from '../schedule/window.ts';
import { nextAllowed } from '../schedule/windows.ts';

export type Why = {
  /** Null for a contact that the campaign did not take. */
  status: CampaignContactStatus | null;
  dialableNow: boolean;
  reasons: ReadonlyArray<Pick<Obstacle, 'code' | 'reason'>>;
  nextAttemptAt: number | null;
  /** Until when limits of calls to the number or the guard hours hold the contact back; null if they do not, or for good. */
  heldUntil: number | null;
  /** Where the time zone of the person comes from; null for a contact that the campaign did not take. */
  timezoneSource: PersonZone['source'] | null;
  /** What came first, if the contact is not called any more. */
  cause: Cause | null;
};

/** Why a contact is not called now, with everything that the answer was decided from. */
export type Inquiry = Why & {
  campaign: Campaign;
  /** Null for a contact that the campaign did not take. */
  contact: CampaignContact | null;
  contactId: string | null;
  /** What keeps a waiting contact from being called, in the order of `reasons`. */
  obstacles: readonly Obstacle[];
  dialing: Dialing | null;
};

/**
 * Why a contact is not being called now, and the earliest instant at which it may be.
 * @throws notFound when the organization has no such campaign, or the campaign no such contact
 */
export async function whyOf(app: App, orgId: string, campaignId: string, contactId: string): Promise<Inquiry> {
  const campaign = await getCampaign(app, orgId, campaignId);
  const contact = await findCampaignContact(app.db, campaign, contactId);
  if (contact) return whyNot(app, campaign, contact);
  const cause = await causeOfLeavingOut(app, app.db, campaign.id, contactId);
  if (!cause) throw notFound('contact in this campaign');
  const reasons = [reasonFor(cause)];
  const facts = { campaign, contact: null, contactId, dialing: null, timezoneSource: null };
  return { ...notWaiting, ...facts, status: null, reasons, cause };
}

/** The same for a contact of a campaign that was read already. */
export async function whyNot(app: App, campaign: Campaign, contact: CampaignContact): Promise<Inquiry> {
  const { status, contactId } = contact;
  const dialing = (await dialingOf(app.db, campaign.id)) ?? null;
  const { source: timezoneSource } = personZone(contact.timezone, contact.phone, campaign.schedule.timezone);
  const facts = { campaign, contact, contactId, dialing, timezoneSource };
  if (status !== 'pending') {
    const cause = status === 'expired' ? await causeOfExpiry(app.db, campaign, contact) : contact.cause;
    return {
      ...notWaiting,
      ...facts,
      status,
      reasons: [...(cause ? [reasonFor(cause)] : []), reasonOf(status)],
      cause,
    };
  }
  const now = app.clock.now();
  const found = dialing ? await obstaclesTo(app, dialing, campaign, contact, now) : [];
  const lasting = found.filter((obstacle) => !isTemporary(obstacle));
  const obstacles = [...lasting, ...found.filter(isTemporary)];
  const from = Math.max(now, ...obstacles.map(({ until = 0 }) => until));
  const until = obstacles.some((obstacle) => isHold(obstacle) && obstacle.until === undefined)
    ? undefined
    : heldUntil(obstacles, now);
  return {
    ...facts,
    status,
    obstacles,
    dialableNow: obstacles.length === 0,
    reasons: obstacles,
    nextAttemptAt: lasting.length > 0 ? null : await earliestAttempt(app, campaign, contact, from),
    heldUntil: until ?? null,
    cause: null,
  };
}

const notWaiting = { dialableNow: false, nextAttemptAt: null, heldUntil: null, obstacles: [] };

const reasonFor = ({ code }: Cause): Why['reasons'][number] => ({ code, reason: causeSentences[code] });

/** Waiting contacts expire when their campaign is completed. One that may not be called was not to be called before that, either. */
async function causeOfExpiry(db: Queryable, { id, orgId }: Campaign, contact: CampaignContact): Promise<Cause | null> {
  const completed = await newestEvent(db, id, 'completed');
  const optOut = await doNotCallCause(db, orgId, contact);
  if (!completed || (optOut && optOut.at <= completed.at)) return optOut;
  const { at, actor, detail } = completed;
  return causeNow(detail['reason'] === 'end_passed' ? 'campaign_ended' : 'campaign_completed', at, actor);
}

/** Why a contact with this status is not waiting to be called. */
const reasonOf = (status: Exclude<CampaignContact['status'], 'pending'>): Why['reasons'][number] =>
  status === 'in_progress'
    ? { code: 'on_the_phone', reason: 'The contact is on the phone now.' }
    : { code: 'final_status', reason: `The contact has its final status: ${status}.` };

/** Whether the obstacle ends without anybody changing something: with time, or when a call ends. */
const isTemporary = ({ becomes, until, bottleneck }: Obstacle): boolean =>
  becomes === 'pending' && (until !== undefined || bottleneck !== undefined);

async function obstaclesTo(
  app: App,
  dialing: Dialing,
  campaign: Campaign,
  contact: CampaignContact,
  now: number,
): Promise<Obstacle[]> {
  const { max_concurrent: orgMaxConcurrent } = app.config.limits.organization;
  const { nextRetryAt } = contact;
  const carrier = dialing.number?.carrier ?? null;
  const noLine = await reasonForNoLine(app, app.db, { orgId: campaign.orgId, carrier });
  const pace = Math.ceil(campaign.paceAt);
  const offLimits = await isDoNotCall(app.db, campaign.orgId, contact.phone, contact.contactId);
  const facts = await factsOf(app, app.db, dialing, { ...contact, isDoNotCall: offLimits });
  const own = contactObstacles(campaign, contact, facts, now);
  // A contact that is held back waits as for a retry: the reason for that is the limit.
  const isHeld = own.some((obstacle) => isHold(obstacle) && (obstacle.until ?? Infinity) >= (nextRetryAt ?? 0));
  if (isHeld) return [...campaignObstacles(dialing, { orgMaxConcurrent, noLine }, now), ...own];
  return [
    ...campaignObstacles(dialing, { orgMaxConcurrent, noLine }, now),
    ...own,
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

/** The hours in which a contact may be called: the campaign's window, and the guard hours. */
export async function windowsOf(
  app: App,
  campaign: Campaign,
  { timezone, phone }: Pick<CampaignContact, 'timezone' | 'phone'>,
): Promise<CallingWindow[]> {
  const rules = await contactRulesOf(app, app.db, campaign.orgId);
  const zone = personZone(timezone, phone, campaign.schedule.timezone).timezone;
  return [windowOf(campaign, timezone), ...(rules?.guards ?? []).map((guard) => guardWindow(guard, zone))];
}

/** The first instant at or after `from` at which window and guard hours are open; null if the campaign has ended by then. */
async function earliestAttempt(
  app: App,
  campaign: Campaign,
  contact: CampaignContact,
  from: number,
): Promise<number | null> {
  const opening = nextAllowed(await windowsOf(app, campaign, contact), from);
  const end = endOf(campaign.schedule);
  return opening === null || (end !== null && opening >= end) ? null : opening;
}
