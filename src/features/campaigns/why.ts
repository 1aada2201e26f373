import type { App } from '../../kernel/app.ts';
import { findAgent } from '../agents/service.ts';
import { isDoNotCall } from '../contacts/service.ts';
import type { Campaign, CampaignContact } from './campaign.ts';
import { getCampaignContact } from './campaign-contacts.ts';
import { endOf, startOf, windowOf } from './schedule.ts';
import { getCampaign, limitsOf } from './service.ts';
import { isOpen, nextOpening } from './window.ts';

export type Why = { status: string; dialableNow: boolean; reasons: string[]; nextAttemptAt: number | null };

/** Why a contact is not being called now, and when it will be at the earliest. */
export async function whyOf(app: App, orgId: string, campaignId: string, contactId: string): Promise<Why> {
  const campaign = await getCampaign(app, orgId, campaignId);
  const campaignContact = await getCampaignContact(app.db, orgId, campaignId, contactId);
  if (campaignContact.status !== 'pending') {
    const reasons = [
      campaignContact.status === 'in_progress'
        ? 'It is on the phone now.'
        : `It has its outcome: ${campaignContact.status}.`,
    ];
    return { status: campaignContact.status, dialableNow: false, reasons, nextAttemptAt: null };
  }
  const lasting = await lastingReasons(app, campaign, campaignContact);
  const passing = await passingReasons(app, campaign, campaignContact);
  const reasons = [...lasting, ...passing];
  return {
    status: campaignContact.status,
    dialableNow: reasons.length === 0,
    reasons,
    nextAttemptAt: lasting.length > 0 ? null : earliest(app, campaign, campaignContact),
  };
}

/** What no passing of time mends. */
async function lastingReasons(app: App, campaign: Campaign, campaignContact: CampaignContact): Promise<string[]> {
  const agent = campaign.agentId === null ? undefined : await findAgent(app.db, campaign.orgId, campaign.agentId);
  const end = endOf(campaign.schedule);
  const offLimits = await isDoNotCall(app.db, campaign.orgId, campaignContact.phone, campaignContact.contactId);
  return [
    campaign.executionStatus !== 'running' &&
      `The campaign is not running: its execution status is ${campaign.executionStatus}.`,
    campaign.executionStatus === 'running' && agent?.status !== 'ACTIVE' && 'The agent is not ACTIVE.',
    end !== null && app.clock.now() >= end && 'The campaign has passed its end.',
    offLimits && 'It is on the do-not-call list.',
  ].filter((reason) => typeof reason === 'string');
}

async function passingReasons(app: App, campaign: Campaign, campaignContact: CampaignContact): Promise<string[]> {
  const now = app.clock.now();
  const start = startOf(campaign.schedule);
  const limits = await limitsOf(app, campaign);
  return [
    start !== null && now < start && 'The campaign has not started yet.',
    !isOpen(windowOf(campaign, campaignContact.timezone), now) && 'Its calling window is closed.',
    campaignContact.nextRetryAt !== null && campaignContact.nextRetryAt > now && 'It waits for its next retry.',
    campaign.stats.inProgress >= limits.maxConcurrent && 'All lines of the campaign are in use.',
    campaign.waitingFor !== null &&
      campaign.waitingFor !== 'campaign' &&
      `All lines of the ${campaign.waitingFor} are in use.`,
    campaign.paceAt > now && 'The pace (calls per second) is used up for the moment.',
  ].filter((reason) => typeof reason === 'string');
}

function earliest(app: App, campaign: Campaign, campaignContact: CampaignContact): number | null {
  const from = Math.max(
    app.clock.now(),
    startOf(campaign.schedule) ?? 0,
    campaignContact.nextRetryAt ?? 0,
    Math.ceil(campaign.paceAt),
  );
  const opening = nextOpening(windowOf(campaign, campaignContact.timezone), from);
  const end = endOf(campaign.schedule);
  return opening === null || (end !== null && opening >= end) ? null : opening;
}
