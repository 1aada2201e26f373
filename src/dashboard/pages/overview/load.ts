import {
  api,
  listAgents,
  listCalls,
  listCampaigns,
  listKnowledgeBases,
  listNotices,
  listPhoneNumbers,
  planCampaign,
} from '../../client.ts';
import { session } from '../../state/session.ts';

const maxNotices = 100;
const one = { limit: 1 };

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
  const running = campaigns.data.find(
    ({ status, executionStatus }) => status === 'active' && executionStatus === 'running',
  );
  const plan = running && (await planCampaign(api, { params: { id: running.id }, signal }));
  return {
    /** When the first running campaign finishes; a plan for each would be a request for each. */
    finish: { campaignId: running?.id, at: plan?.data.finishes_at ?? null },
    numbers: numbers.data,
    campaigns: campaigns.data,
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
