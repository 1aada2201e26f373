import {
  api,
  type Campaign,
  type CampaignOutlook,
  listAgents,
  listCalls,
  listCampaignOutlooks,
  listCampaigns,
  listKnowledgeBases,
  listNotices,
  listPhoneNumbers,
} from '../../client.ts';
import { session } from '../../state/session.ts';

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

/** All that the overview asks for at once. What only a new organization needs is asked for only then. */
export async function loadOverview(signal: AbortSignal) {
  const [numbers, campaigns, bases, notices] = await Promise.all([
    listPhoneNumbers(api, { query: { limit: 500 }, signal }),
    listCampaigns(api, { query: { limit: 100 }, signal }),
    listKnowledgeBases(api, { query: { org_id: session.value!.organization.id, failing: true }, signal }),
    listNotices(api, { query: { limit: maxNotices }, signal }),
  ]);
  const isNew = campaigns.data.length === 0;
  const [agents, calls] = isNew
    ? await Promise.all([
        listAgents(api, { query: one, signal }),
        listCalls(api, { query: { ...one, after: '' }, signal }),
      ])
    : [undefined, undefined];
  return {
    numbers: numbers.data,
    campaigns: campaigns.data,
    shown: shownOf(campaigns.data),
    total: campaigns.meta.total ?? campaigns.data.length,
    bases: bases.data,
    notices: notices.data.filter(({ read_at: at }) => at === null),
    firstSteps: isNew
      ? { number: numbers.data.length > 0, agent: agents?.data[0]?.id, call: (calls?.data.length ?? 0) > 0 }
      : undefined,
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
