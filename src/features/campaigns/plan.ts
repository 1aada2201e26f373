import type { App } from '../../kernel/app.ts';
import { findAgent } from '../agents/service.ts';
import { isOffLimits } from '../contacts/service.ts';
import type { Campaign, CampaignContact } from './campaign.ts';
import * as contacts from './contacts-store.ts';
import { memberOf } from './members.ts';
import { endOf, startOf, windowOf } from './schedule.ts';
import { getCampaign, type Limits, limitsOf } from './service.ts';
import { isOpen, nextOpening, openings } from './window.ts';

/** How far a plan looks ahead (contract, section 6). */
const horizonMs = 14 * 24 * 3_600_000;
/** A call's length until the campaign has calls of its own to average. */
const assumedCallSec = 60;

export type Opening = { opensAt: number; closesAt: number; capacity: number };
export type Plan = {
  openings: Opening[];
  eligible: number;
  skipped: Array<{ reason: string; count: number }>;
  finishesAt: number | null;
};

/** Contacts per second that can be called: as the pace allows, and as lines become free. */
export const callsPerSec = (limits: Limits, meanCallSec: number): number =>
  Math.min(limits.maxCps, limits.maxConcurrent / Math.max(meanCallSec, 1));

/** When the last of so many contacts is reached, walking through the openings; null when they do not suffice. */
export function finishOf(ahead: readonly Opening[], eligible: number, perSec: number): number | null {
  let left = eligible;
  for (const opening of ahead) {
    if (left <= opening.capacity) return opening.opensAt + Math.ceil((left / perSec) * 1000);
    left -= opening.capacity;
  }
  return null;
}

/**
 * The next openings on the campaign's own wall clock, what each could reach at the present pace, and when the campaign would be
 * through. Retries to come are not in it: nobody knows them yet.
 */
export async function planOf(app: App, orgId: string, id: string): Promise<Plan> {
  const campaign = await getCampaign(app, orgId, id);
  const perSec = callsPerSec(await limitsOf(app, campaign), (await contacts.meanCallSec(app.db, id)) ?? assumedCallSec);
  const from = Math.max(app.clock.now(), startOf(campaign.schedule) ?? 0);
  const until = Math.min(from + horizonMs, endOf(campaign.schedule) ?? Number.MAX_SAFE_INTEGER);
  const ahead = (
    from < until && campaign.status !== 'completed' ? openings(windowOf(campaign, ''), from, until) : []
  ).map((opening) => ({ ...opening, capacity: Math.floor(((opening.closesAt - opening.opensAt) / 1000) * perSec) }));
  const offLimits = await contacts.countDoNotCall(app.db, orgId, id);
  const eligible = campaign.stats.pending - offLimits;
  const skipped = [
    { reason: 'on the do-not-call list', count: offLimits },
    { reason: 'removed or opted out', count: await contacts.countWithStatus(app.db, id, 'cancelled') },
    { reason: 'the campaign ended before', count: await contacts.countWithStatus(app.db, id, 'expired') },
  ].filter(({ count }) => count > 0);
  return { openings: ahead, eligible, skipped, finishesAt: eligible === 0 ? null : finishOf(ahead, eligible, perSec) };
}

export type Why = { status: string; dialableNow: boolean; reasons: string[]; nextAttemptAt: number | null };

/** Why a contact is not being called now, and when it will be at the earliest. */
export async function whyOf(app: App, orgId: string, campaignId: string, contactId: string): Promise<Why> {
  const campaign = await getCampaign(app, orgId, campaignId);
  const member = await memberOf(app.db, orgId, campaignId, contactId);
  if (member.status !== 'pending') {
    const reasons = [
      member.status === 'in_progress' ? 'It is on the phone now.' : `It has its outcome: ${member.status}.`,
    ];
    return { status: member.status, dialableNow: false, reasons, nextAttemptAt: null };
  }
  const lasting = await lastingReasons(app, campaign, member);
  const passing = await passingReasons(app, campaign, member);
  const reasons = [...lasting, ...passing];
  return {
    status: member.status,
    dialableNow: reasons.length === 0,
    reasons,
    nextAttemptAt: lasting.length > 0 ? null : earliest(app, campaign, member),
  };
}

/** What no passing of time mends. */
async function lastingReasons(app: App, campaign: Campaign, member: CampaignContact): Promise<string[]> {
  const agent = campaign.agentId === null ? undefined : await findAgent(app.db, campaign.orgId, campaign.agentId);
  const end = endOf(campaign.schedule);
  const offLimits = await isOffLimits(app.db, campaign.orgId, member.phone, member.contactId);
  return [
    campaign.executionStatus !== 'running' &&
      `The campaign is not running: its execution status is ${campaign.executionStatus}.`,
    campaign.executionStatus === 'running' && agent?.status !== 'ACTIVE' && 'The agent is not ACTIVE.',
    end !== null && app.clock.now() >= end && 'The campaign has passed its end.',
    offLimits && 'It is on the do-not-call list.',
  ].filter((reason) => typeof reason === 'string');
}

async function passingReasons(app: App, campaign: Campaign, member: CampaignContact): Promise<string[]> {
  const now = app.clock.now();
  const start = startOf(campaign.schedule);
  const limits = await limitsOf(app, campaign);
  return [
    start !== null && now < start && 'The campaign has not started yet.',
    !isOpen(windowOf(campaign, member.timezone), now) && 'Its calling window is closed.',
    member.nextRetryAt !== null && member.nextRetryAt > now && 'It waits for its next retry.',
    campaign.stats.inProgress >= limits.maxConcurrent && 'All lines of the campaign are in use.',
    campaign.waitingFor !== null &&
      campaign.waitingFor !== 'campaign' &&
      `All lines of the ${campaign.waitingFor} are in use.`,
    campaign.paceAt > now && 'The pace (calls per second) is used up for the moment.',
  ].filter((reason) => typeof reason === 'string');
}

function earliest(app: App, campaign: Campaign, member: CampaignContact): number | null {
  const from = Math.max(
    app.clock.now(),
    startOf(campaign.schedule) ?? 0,
    member.nextRetryAt ?? 0,
    Math.ceil(campaign.paceAt),
  );
  const opening = nextOpening(windowOf(campaign, member.timezone), from);
  const end = endOf(campaign.schedule);
  return opening === null || (end !== null && opening >= end) ? null : opening;
}
