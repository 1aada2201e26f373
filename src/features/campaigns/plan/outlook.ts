import type { App } from '../../../kernel/app.ts';
import { namesOf } from '../../calls/names.ts';
import type { Campaign } from '../campaign.ts';
import { windowOf } from '../schedule/schedule.ts';
import { closesAt, isOpen, nextOpening } from '../schedule/window.ts';
import { findCampaign } from '../service.ts';
import { finishOf } from './plan.ts';

/** At most this many campaigns at once: each costs a plan. */
export const maxOutlooks = 20;

type Outlook = {
  campaignId: string;
  agentName: string | null;
  isOpen: boolean;
  /** The next opening, after the present one. */
  opensAt: number | null;
  closesAt: number | null;
  finishesAt: number | null;
};

/** What lies ahead of these campaigns, by the clock of each; those that the organization does not have are left out. */
export async function outlooksOf(app: App, orgId: string, ids: readonly string[]): Promise<Outlook[]> {
  const found = await Promise.all(ids.map((id) => findCampaign(app, orgId, id)));
  const campaigns = found.filter((campaign) => campaign !== undefined);
  const agentIds = campaigns.map(({ agentId }) => agentId).filter((id) => id !== null);
  const agents = await namesOf(app.db, orgId, 'agent', [...new Set(agentIds)]);
  const outlooks: Outlook[] = [];
  // One plan after the other, so that other organizations' plans have their turn.
  for (const campaign of campaigns) {
    const { id, agentId } = campaign;
    const agentName = agentId === null ? null : (agents.get(agentId) ?? null);
    outlooks.push({
      campaignId: id,
      agentName,
      ...windowAhead(app, campaign),
      finishesAt: campaign.executionStatus === 'running' ? await finishOf(app, campaign) : null,
    });
  }
  return outlooks;
}

function windowAhead(app: App, campaign: Campaign): Pick<Outlook, 'isOpen' | 'opensAt' | 'closesAt'> {
  const [window, now] = [windowOf(campaign, ''), app.clock.now()];
  if (!isOpen(window, now)) return { isOpen: false, opensAt: nextOpening(window, now), closesAt: null };
  const end = closesAt(window, now);
  return { isOpen: true, opensAt: end === null ? null : nextOpening(window, end), closesAt: end };
}
