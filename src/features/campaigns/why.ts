import type { App } from '../../kernel/app.ts';
import { findAgent } from '../agents/service.ts';
import { isDoNotCall } from '../contacts/service.ts';
import type { Campaign, CampaignContact } from './campaign.ts';
import { getCampaignContact } from './campaign-contacts.ts';
import { endOf, startOf, windowOf } from './schedule.ts';
import { getCampaign, limitsOf } from './service.ts';
import { isOpen, nextOpening } from './window.ts';

export type Why = { status: string; dialableNow: boolean; reasons: string[]; nextAttemptAt: number | null };

/** Why a contact is not being called now, and the earliest instant at which it may be. */
export async function whyOf(app: App, orgId: string, campaignId: string, contactId: string): Promise<Why> {
  const campaign = await getCampaign(app, orgId, campaignId);
  const campaignContact = await getCampaignContact(app.db, orgId, campaignId, contactId);
  if (campaignContact.status !== 'pending') {
    const reasons = [
      campaignContact.status === 'in_progress'
        ? 'The contact is on the phone now.'
        : `The contact has its final status: ${campaignContact.status}.`,
    ];
    return { status: campaignContact.status, dialableNow: false, reasons, nextAttemptAt: null };
  }
  const lasting = await lastingReasons(app, campaign, campaignContact);
  const temporary = await temporaryReasons(app, campaign, campaignContact);
  const reasons = [...lasting, ...temporary];
  return {
    status: campaignContact.status,
    dialableNow: reasons.length === 0,
    reasons,
    nextAttemptAt: lasting.length > 0 ? null : earliestAttempt(app, campaign, campaignContact),
  };
}

/** Reasons that stay until somebody changes something. */
async function lastingReasons(app: App, campaign: Campaign, campaignContact: CampaignContact): Promise<string[]> {
  const agent = campaign.agentId === null ? undefined : await findAgent(app.db, campaign.orgId, campaign.agentId);
  const end = endOf(campaign.schedule);
  const isListed = await isDoNotCall(app.db, campaign.orgId, campaignContact.phone, campaignContact.contactId);
  return [
    campaign.executionStatus !== 'running' &&
      `The campaign is not running: its executionStatus is ${campaign.executionStatus}.`,
    campaign.executionStatus === 'running' && agent?.status !== 'ACTIVE' && 'The agent of the campaign is not ACTIVE.',
    end !== null && app.clock.now() >= end && 'The end of the campaign has passed.',
    isListed && 'The contact is on the do-not-call list.',
  ].filter((reason) => typeof reason === 'string');
}

/** Reasons that end by themselves. */
async function temporaryReasons(app: App, campaign: Campaign, campaignContact: CampaignContact): Promise<string[]> {
  const now = app.clock.now();
  const start = startOf(campaign.schedule);
  const limits = await limitsOf(app, campaign);
  return [
    start !== null && now < start && 'The campaign has not started yet.',
    !isOpen(windowOf(campaign, campaignContact.timezone), now) && 'The calling window is closed.',
    campaignContact.nextRetryAt !== null &&
      campaignContact.nextRetryAt > now &&
      'The contact waits for its next retry.',
    campaign.stats.inProgress >= limits.maxConcurrent &&
      `All ${limits.maxConcurrent} lines of the campaign are in use.`,
    campaign.waitingFor !== null &&
      campaign.waitingFor !== 'campaign' &&
      `All lines of the ${campaign.waitingFor} are in use.`,
    campaign.paceAt > now && 'The pace is reached for the moment: no more calls per second are allowed.',
  ].filter((reason) => typeof reason === 'string');
}

function earliestAttempt(app: App, campaign: Campaign, campaignContact: CampaignContact): number | null {
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
