import { api, getAnalytics, listAgents } from '../../client.ts';
import { useLive } from '../../state/live.ts';
import { useResource } from '../../state/resource.ts';

export type NumberUse = {
  /** Calls that are live, by telephone number. */
  live: ReadonlyMap<string, number>;
  /** Calls that began today, by id of the number; undefined until it is known. */
  today: ReadonlyMap<string, number> | undefined;
  /** Names of agents by id. */
  agents: ReadonlyMap<string, string>;
};

type LiveCalls = {
  in_flight: ReadonlyArray<{ direction: string; caller_number: string | null; callee_number: string | null }>;
};

/** The last of the days that analytics answer by default is today in the organization's zone. */
async function loadToday(signal: AbortSignal): Promise<Map<string, number>> {
  const { data } = await getAnalytics(api, { query: { by: 'number', step: 'day' }, signal });
  return new Map(data.rows.map(({ key, series }) => [key ?? '', series.at(-1)?.calls ?? 0]));
}

async function loadAgentNames(signal: AbortSignal): Promise<Map<string, string>> {
  const { data } = await listAgents(api, { query: { limit: 500 }, signal });
  return new Map(data.map(({ id, agentName }) => [id, agentName]));
}

/** How numbers are used now and today. */
export function useNumberUse(): NumberUse {
  const today = useResource('use of numbers', loadToday);
  const agents = useResource('agents by id', loadAgentNames);
  const calls = useLive<LiveCalls>('calls');
  const live = new Map<string, number>();
  for (const { direction, caller_number: from, callee_number: to } of calls?.in_flight ?? []) {
    const own = (direction === 'inbound' ? to : from) ?? '';
    live.set(own, (live.get(own) ?? 0) + 1);
  }
  return { live, today: today.data, agents: agents.data ?? new Map() };
}
