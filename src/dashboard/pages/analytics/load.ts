import { type Analytics, api, getAnalytics, listAgents, listCampaigns } from '../../client.ts';
import { instantOf, isoOf, wallClockOf } from '../../parts/wall-clock.ts';
import { serverNow } from '../../state/clock.ts';
import { query } from '../../state/location.ts';
import { zone } from '../../state/preferences.ts';
import { analytics } from '../../text/analytics.ts';

export const spans = ['1', '7', '30', '90'] as const;
export const defaultSpan = '7';

const dayMs = 86_400_000;

/** The day of an instant in a zone, some days later or earlier, as a wall-clock date. */
const dateOf = (ms: number, timeZone: string, days: number): string => {
  const today = wallClockOf(isoOf(ms), timeZone).slice(0, 10);
  return isoOf(Date.parse(`${today}T00:00:00Z`) + days * dayMs).slice(0, 10);
};

/** Whole days of the zone that is shown, to the end of today. */
function spanOf(days: number): { from: string; to: string; timezone: string } {
  const timezone = zone.value;
  const now = serverNow() ?? 0;
  const startOf = (offset: number): string => instantOf(`${dateOf(now, timezone, offset)}T00:00`, timezone)!;
  return { from: startOf(1 - days), to: startOf(1), timezone };
}

/** What the address asks for. */
export function wanted() {
  const parameters = query.value;
  const chosen = parameters.get('span') ?? defaultSpan;
  const days = Number(spans.find((each) => each === chosen) ?? defaultSpan);
  const edition = parameters.get('edition');
  return {
    days,
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
  editions: Analytics;
  campaigns: Analytics;
};

export async function loadAnalytics(signal: AbortSignal): Promise<Loading> {
  const { step, filters } = wanted();
  const ask = async (by: 'none' | 'hour' | 'edition' | 'campaign', each: 'hour' | 'day'): Promise<Analytics> =>
    (await getAnalytics(api, { query: { ...filters, by, step: each }, signal })).data;
  const [whole, hours, editions, campaigns] = await Promise.all([
    ask('none', step),
    ask('hour', 'day'),
    ask('edition', 'day'),
    ask('campaign', 'day'),
  ]);
  return { whole, hours, editions, campaigns };
}

export async function loadChoices(signal: AbortSignal) {
  const [agents, campaigns] = await Promise.all([
    listAgents(api, { query: { limit: 500 }, signal }),
    listCampaigns(api, { query: { limit: 500 }, signal }),
  ]);
  return { agents: agents.data, campaigns: campaigns.data };
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
