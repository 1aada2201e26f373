import { type Analytics, api, getAnalytics, listAgents } from '../../client.ts';
import { allCampaigns } from '../../parts/few/all-campaigns.ts';
import { spanIn, spanOf } from '../../parts/span.ts';
import { query } from '../../state/location.ts';
import { analytics } from '../../text/analytics.ts';

export const spans = ['1', '7', '30', '90'] as const;
export const defaultSpan = '7';

/** The span and the filters in the page's address. */
export function wanted() {
  const parameters = query.value;
  const span = spanIn(parameters, spans, defaultSpan);
  const days = Number(span);
  const edition = parameters.get('edition');
  return {
    span,
    step: days === 1 ? ('hour' as const) : ('day' as const),
    filters: {
      ...spanOf(days),
      ...given('agent_id', parameters.get('agent_id')),
      ...given('campaign_id', parameters.get('campaign_id')),
      ...(edition === null || edition === '' ? {} : { edition: Number(edition) }),
    },
  };
}

const given = <N extends string>(name: N, value: string | null): Partial<Record<N, string>> =>
  value === null || value === '' ? {} : ({ [name]: value } as Record<N, string>);

export type Loading = {
  whole: Analytics;
  hours: Analytics;
  agents: Analytics;
  editions: Analytics;
  campaigns: Analytics;
};

export async function loadAnalytics(signal: AbortSignal): Promise<Loading> {
  const { step, filters } = wanted();
  const ask = async (
    by: 'none' | 'hour' | 'agent' | 'edition' | 'campaign',
    each: 'hour' | 'day',
  ): Promise<Analytics> => (await getAnalytics(api, { query: { ...filters, by, step: each }, signal })).data;
  const [whole, hours, agents, editions, campaigns] = await Promise.all([
    ask('none', step),
    ask('hour', 'day'),
    ask('agent', 'day'),
    ask('edition', 'day'),
    ask('campaign', 'day'),
  ]);
  return { whole, hours, agents, editions, campaigns };
}

export async function loadChoices(signal: AbortSignal) {
  const [agents, campaigns] = await Promise.all([
    listAgents(api, { query: { limit: 500 }, signal }),
    allCampaigns(signal),
  ]);
  return { agents: agents.data, campaigns };
}

/** The figures by campaign as CSV. */
export async function loadCsv(): Promise<string> {
  const { step, filters } = wanted();
  const parameters = new URLSearchParams({ by: 'campaign', step });
  for (const [name, value] of Object.entries(filters)) parameters.set(name, String(value));
  const response = await fetch(`/api/v1/analytics?${parameters.toString()}`, { headers: { accept: 'text/csv' } });
  if (!response.ok) throw new Error(analytics.noCsv);
  return response.text();
}
