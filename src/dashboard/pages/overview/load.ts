import {
  api,
  type Campaign,
  type CampaignOutlook,
  listAgents,
  listCampaignOutlooks,
  listCampaigns,
  listNotices,
  listPhoneNumbers,
} from '../../client.ts';

export const stateOf = ({ status, executionStatus }: Campaign): string =>
  status === 'draft' || status === 'completed' ? status : executionStatus;

const maxNotices = 100;
const one = { limit: 1 };

const maxShown = 8;
const order = ['running', 'paused', 'draft', 'completed'];
const rankOf = (campaign: Campaign): number => order.indexOf(stateOf(campaign));

/** Those that run stand first. */
const shownOf = (campaigns: readonly Campaign[]): Campaign[] =>
  campaigns.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, maxShown);

/** What lies ahead of these campaigns, by their ids: each costs the server a plan, so they are asked for apart from the rest. */
export async function loadOutlooks(ids: readonly string[], signal: AbortSignal): Promise<Outlooks | undefined> {
  if (ids.length === 0) return undefined;
  const { data } = await listCampaignOutlooks(api, { query: { campaign_id: [...ids] }, signal });
  return new Map(data.map((each) => [each.campaign_id, each]));
}
export type Outlooks = ReadonlyMap<string, CampaignOutlook>;

const maxCampaigns = 100;

/** The newest campaigns and, where there are more, those that people want to run; and how many there are. */
async function loadCampaigns(signal: AbortSignal): Promise<{ campaigns: Campaign[]; total: number }> {
  const { data: newest, meta } = await listCampaigns(api, { query: { limit: maxCampaigns }, signal });
  const total = meta.total ?? newest.length;
  if (newest.length >= total) return { campaigns: newest, total };
  const { data: active } = await listCampaigns(api, { query: { status: 'active', limit: maxCampaigns }, signal });
  const all = new Map([...active, ...newest].map((campaign) => [campaign.id, campaign]));
  return { campaigns: [...all.values()], total };
}

/** All that the overview asks for at once. What only a new organization needs is asked for only then. */
export async function loadOverview(signal: AbortSignal) {
  const [{ campaigns, total }, notices] = await Promise.all([
    loadCampaigns(signal),
    listNotices(api, { query: { limit: maxNotices }, signal }),
  ]);
  const isNew = campaigns.length === 0;
  const [numbers, agents] = isNew
    ? await Promise.all([listPhoneNumbers(api, { query: one, signal }), listAgents(api, { query: one, signal })])
    : [];
  return {
    campaigns,
    shown: shownOf(campaigns),
    total,
    notices: notices.data.filter(({ read_at: at }) => at === null),
    firstSteps: isNew ? { number: (numbers?.data.length ?? 0) > 0, agent: agents?.data[0]?.id } : undefined,
  };
}

export type Loading = Awaited<ReturnType<typeof loadOverview>>;

/** The live topic of the overview. */
export type Live = {
  in_flight: number;
  running_campaigns: number;
  failing_endpoints: number;
  held_deliveries: number;
  unread_notices: number;
};

/** The live topic of what is wrong now. */
export type LiveIncidents = {
  endpoints: ReadonlyArray<{ id: string; failing_since: string; last_error: string | null }>;
  numbers: ReadonlyArray<{ id: string; phone: string; last_error: string }>;
  knowledge_bases: ReadonlyArray<{ id: string; name: string }>;
};
