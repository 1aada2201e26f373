import { useRef } from 'preact/hooks';
import { api, type Call, listAgents, listCalls } from '../../client.ts';
import { allCampaigns } from '../../parts/few/all-campaigns.ts';
import { SearchFilter, SelectFilter } from '../../parts/filters.tsx';
import { FiltersWithViews } from '../../parts/views.tsx';
import { InstantFilter } from '../../parts/instant-filter.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status, valueText } from '../../parts/status.tsx';
import { type Column, Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useLive } from '../../state/live.ts';
import { pageSize, query } from '../../state/location.ts';
import { zone } from '../../state/preferences.ts';
import { isSettled, type Resource, useResource } from '../../state/resource.ts';
import { calls } from '../../text/calls.ts';
import { common, pages as names } from '../../text/en.ts';
import { number } from '../../text/plural.ts';
import { Length } from './length.tsx';
import { type LiveCall, useLiveRows } from './live-rows.ts';

const statuses = ['completed', 'no_answer', 'busy', 'voicemail', 'failed'] as const;
const states = ['live', 'queued', 'dialing', 'ringing', 'in_progress', 'ended'] as const;

const filterNames = ['agent_id', 'campaign_id', 'contact_id', 'state', 'q', 'since', 'until'];

function requestOf(parameters: URLSearchParams) {
  const chosen = filterNames.flatMap((name): Array<[string, string]> => {
    const value = parameters.get(name);
    return value === null || value === '' ? [] : [[name, value]];
  });
  const status = parameters.getAll('status').filter((value) => value !== '') as Array<(typeof statuses)[number]>;
  return {
    ...(Object.fromEntries(chosen) as { state?: (typeof states)[number] }),
    ...(status.length > 0 ? { status } : {}),
    after: parameters.get('after') ?? '',
    limit: pageSize,
  };
}

/** The calls of these filters as a file, all of them. */
function exportOf(parameters: URLSearchParams): string {
  const kept = new URLSearchParams([...parameters].filter(([name, value]) => name !== 'after' && value !== ''));
  kept.set('timezone', zone.value);
  return `/api/v1/calls/export?${kept.toString()}`;
}

export function CallsPage() {
  const parameters = query.value;
  const list = useResource(parameters.toString(), (signal) => listCalls(api, { query: requestOf(parameters), signal }));
  const live = useLive<{ in_flight: LiveCall[] }>('calls');
  const choices = useResource('choices', loadChoices);
  // Which calls match filters or belong to a later page, only the server knows.
  const fresh = useFresh(parameters.size === 0 ? live?.in_flight : undefined, list);
  return (
    <Page
      heading={names.calls}
      actions={
        <a class="button" href={exportOf(parameters)} download>
          {calls.csv}
        </a>
      }
    >
      <p>
        {calls.liveNow}: <strong>{live ? number(live.in_flight.length) : common.none}</strong>
      </p>
      <CallFilters choices={choices.data} />
      {fresh > 0 && (
        <p>
          <span>{common.fresh(fresh)}</span>{' '}
          <button type="button" onClick={list.reload}>
            {calls.show}
          </button>
        </p>
      )}
      {/* The names of campaigns are wider than what stands in their place. */}
      <Loaded of={isSettled(choices) ? list : { ...list, data: undefined }}>
        {({ data, meta }) => (
          <>
            <CallTable rows={data} inFlight={live?.in_flight} choices={choices.data} />
            <Pager name={names.calls} meta={meta} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type TableProps = { rows: readonly Call[]; inFlight: readonly LiveCall[] | undefined; choices: Choices | undefined };

function CallTable({ rows, inFlight, choices }: TableProps) {
  const campaigns = new Map(choices?.campaigns.map(({ id, name }) => [id, name]));
  return (
    <Table
      caption={names.calls}
      rows={useLiveRows(rows, inFlight)}
      rowKey={({ call_id: id }) => id}
      empty={query.value.size === 0 ? calls.empty : common.noMatch}
      columns={columnsWith(campaigns)}
    />
  );
}

/** How many calls began since the list was loaded; they do not push what is being read. */
function useFresh(inFlight: readonly LiveCall[] | undefined, { data: loaded }: Resource<{ data: Call[] }>): number {
  const seen = useRef<{ loaded: unknown; ids: Set<string> }>({ loaded, ids: new Set() }).current;
  if (seen.loaded !== loaded) {
    seen.loaded = loaded;
    seen.ids.clear();
  }
  if (!loaded) return 0;
  const shown = new Set(loaded.data.map(({ call_id: id }) => id));
  for (const { call_session_id: id } of inFlight ?? []) if (!shown.has(id)) seen.ids.add(id);
  return seen.ids.size;
}

async function loadChoices(signal: AbortSignal) {
  const [agents, campaigns] = await Promise.all([
    listAgents(api, { query: { limit: 500 }, signal }),
    allCampaigns(signal),
  ]);
  return { agents: agents.data, campaigns };
}

type Choices = Awaited<ReturnType<typeof loadChoices>>;

function CallFilters({ choices }: { choices: Choices | undefined }) {
  return (
    <FiltersWithViews page="calls">
      <SearchFilter name="q" label={calls.search} />
      <SelectFilter
        name="state"
        label={calls.state}
        options={states.map((value) => ({ value, text: value === 'live' ? calls.stateLive : valueText(value) }))}
      />
      <SelectFilter
        name="status"
        label={calls.outcome}
        options={statuses.map((value) => ({ value, text: valueText(value) }))}
      />
      <SelectFilter
        name="agent_id"
        label={calls.agent}
        options={(choices?.agents ?? []).map(({ id, agentName }) => ({ value: id, text: agentName }))}
      />
      <SelectFilter
        name="campaign_id"
        label={calls.campaign}
        options={(choices?.campaigns ?? []).map(({ id, name }) => ({ value: id, text: name }))}
      />
      <InstantFilter name="since" label={calls.since} />
      <InstantFilter name="until" label={calls.until} />
    </FiltersWithViews>
  );
}

/** `campaigns`: names by id. */
const columnsWith = (campaigns: ReadonlyMap<string, string>): ReadonlyArray<Column<Call>> => [
  { name: calls.phone, cell: ({ call_id: id, phone }) => <a href={`/calls/${id}`}>{phone}</a>, whole: true },
  { name: calls.contact, cell: ({ caller_name: name }) => name ?? common.none },
  { name: calls.outcome, cell: ({ status, state }) => <Status value={status ?? state} /> },
  {
    name: calls.goal,
    cell: ({ post_call_analysis: analysis }) =>
      analysis ? (analysis.goals_met ? common.yes : common.no) : common.none,
  },
  { name: calls.agent, cell: ({ agent_name: name }) => name },
  {
    name: calls.campaign,
    cell: ({ campaign_id: id }) =>
      id === null ? common.none : <a href={`/campaigns/${id}`}>{campaigns.get(id) ?? calls.seeCampaign}</a>,
  },
  { name: calls.started, cell: ({ started_at: at, created_at: made }) => <Instant at={at ?? made} />, instants: true },
  { name: calls.duration, cell: (call) => <Length call={call} />, numeric: true, whole: true },
  { name: calls.cost, cell: ({ cost_total: cost }) => number(cost), numeric: true },
];
