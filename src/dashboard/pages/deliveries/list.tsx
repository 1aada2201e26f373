import { useEffect, useRef } from 'preact/hooks';
import {
  api,
  listAgents,
  listWebhookDeliveries,
  type ListedWebhookDelivery,
  listWebhookEndpoints,
} from '../../client.ts';
import { SelectFilter } from '../../parts/filters.tsx';
import { ChipFilter } from '../../parts/few/chip-filter.tsx';
import { FiltersWithViews } from '../../parts/views.tsx';
import { InstantFilter } from '../../parts/instant-filter.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { useSelection, withoutSelection } from '../../parts/selection.tsx';
import { Status, valueText } from '../../parts/status.tsx';
import { type Column, Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useLive } from '../../state/live.ts';
import { pageSize, query } from '../../state/location.ts';
import { isSettled, type Resource, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { deliveries } from '../../text/deliveries.ts';
import { common } from '../../text/en.ts';
import { number } from '../../text/plural.ts';
import { Endpoints } from './endpoints.tsx';
import { filterOf, shownUrl, statuses } from './filter.ts';
import { RetryAll } from './retry-all.tsx';
import { SendSelected } from './send-selected.tsx';

type Live = {
  endpoints: ReadonlyArray<{
    id: string;
    status: 'delivering' | 'failing' | 'paused';
    held: number;
    last_error: string | null;
  }>;
  counts: Readonly<Record<string, number>>;
};

const total = (counts: Live['counts']): number => Object.values(counts).reduce((sum, n) => sum + n, 0);

export function DeliveriesPage() {
  const parameters = query.value;
  const endpoints = useResource(
    'endpoints',
    async (signal) => (await listWebhookEndpoints(api, { query: { limit: 500 }, signal })).data,
  );
  const list = useResource(`deliveries ${withoutSelection(parameters).toString()}`, (signal) =>
    listWebhookDeliveries(api, {
      query: { ...filterOf(parameters), after: parameters.get('after') ?? '', limit: pageSize },
      signal,
    }),
  );
  const selection = useSelection<ListedWebhookDelivery>(nameOf);
  const live = useLive<Live>('deliveries');
  const fresh = useFresh(live, list, endpoints.reload);
  return (
    <Page heading={deliveries.heading} about={live ? aboutOf(live.counts) : ' '}>
      <section>
        <h2>{deliveries.endpoints}</h2>
        <p class="quiet">{deliveries.endpointsText}</p>
        <Loaded of={endpoints}>
          {(rows) => (
            <Endpoints
              rows={rows.map((row) => ({ ...row, ...live?.endpoints.find(({ id }) => id === row.id) }))}
              changed={() => {
                endpoints.reload();
                list.reload();
              }}
            />
          )}
        </Loaded>
      </section>
      {isSettled(endpoints) && (
        <section>
          <h2>{deliveries.sent}</h2>
          <DeliveryFilters endpoints={endpoints.data ?? []} counts={live?.counts} />
          {isMember.value && <RetryAll filter={filterOf(parameters)} changed={list.reload} />}
          {fresh > 0 && (
            <p>
              <span>{common.fresh(fresh)}</span>{' '}
              <button type="button" onClick={list.reload}>
                {deliveries.show}
              </button>
            </p>
          )}
          <Loaded of={list}>
            {({ data, meta }) => (
              <>
                <SendSelected selection={selection} changed={list.reload} />
                <Table
                  caption={deliveries.heading}
                  rows={data}
                  rowKey={({ id }) => id}
                  {...(isMember.value ? { selection } : {})}
                  empty={withoutSelection(parameters).size === 0 ? deliveries.empty : common.noMatch}
                  columns={columns}
                />
                <Pager name={deliveries.heading} meta={meta} />
              </>
            )}
          </Loaded>
        </section>
      )}
    </Page>
  );
}

const aboutOf = ({ held = 0, pending = 0, retrying = 0, delivered = 0 }: Live['counts']): string =>
  deliveries.summary(held + pending + retrying, delivered);

/**
 * How many deliveries came since the list was loaded; they do not push what is being read. Changes of those that are shown are loaded in
 * place.
 */
function useFresh(live: Live | undefined, list: Resource<unknown>, reloadEndpoints: () => void): number {
  const loadedTotal = useRef<number | undefined>(undefined);
  const shown = useRef(list.data);
  const counts = live && JSON.stringify(live.counts);
  const now = live && total(live.counts);
  if (list.data !== shown.current) {
    shown.current = list.data;
    loadedTotal.current = now;
  }
  loadedTotal.current ??= now;
  const fresh = now === undefined ? 0 : Math.max(0, now - (loadedTotal.current ?? now));
  const isFirst = useRef(true);
  useEffect(() => {
    if (counts === undefined) return;
    if (isFirst.current) {
      // Changes between the answer that is shown and this first event are in no later event.
      isFirst.current = false;
      list.reload();
      return;
    }
    reloadEndpoints();
    if (fresh === 0) list.reload();
  }, [counts]);
  return fresh;
}

type FilterProps = { endpoints: ReadonlyArray<{ id: string; url: string }>; counts: Live['counts'] | undefined };

const furtherFilters = ['endpoint_id', 'agent_id', 'event_id', 'since', 'until'];

/** Counts are those of all deliveries, and say nothing where another filter is chosen as well. */
function DeliveryFilters({ endpoints, counts }: FilterProps) {
  const isNarrowed = furtherFilters.some((name) => query.value.get(name));
  const agents = useResource(
    'agents',
    async (signal) => (await listAgents(api, { query: { limit: 500 }, signal })).data,
  );
  return (
    <>
      <ChipFilter
        name="status"
        label={deliveries.status}
        chips={statuses.map((value) => ({
          value,
          text: valueText(value),
          count: isNarrowed ? undefined : counts?.[value],
        }))}
      />
      <details class="more-filters" open={isNarrowed}>
        <summary>{deliveries.moreFilters}</summary>
        <FiltersWithViews page="deliveries">
          <SelectFilter
            name="endpoint_id"
            label={deliveries.endpoint}
            options={endpoints.map(({ id, url }) => ({ value: id, text: url }))}
          />
          <SelectFilter
            name="agent_id"
            label={deliveries.agent}
            options={(agents.data ?? []).map(({ id, agentName }) => ({ value: id, text: agentName }))}
          />
          <InstantFilter name="since" label={deliveries.from} />
          <InstantFilter name="until" label={deliveries.until} />
        </FiltersWithViews>
      </details>
    </>
  );
}

/** Whom a delivery is about, and what came of the call. */
const nameOf = ({ subject, event, id }: ListedWebhookDelivery): string =>
  subject === null
    ? deliveries.named(valueText(event), id.slice(-6))
    : deliveries.about(subject.contact_name ?? subject.phone, subject.outcome && valueText(subject.outcome));

/** The link is named by all of it; the outcome has a column of its own, too. */
function About(row: ListedWebhookDelivery) {
  const { id, event, subject } = row;
  const contact = subject?.contact_name ?? null;
  return (
    <>
      <a href={`/deliveries/${id}`} aria-label={nameOf(row)}>
        {subject === null ? nameOf(row) : deliveries.about(contact ?? subject.phone, null)}
      </a>
      <span class="sub">
        {subject === null || contact === null ? valueText(event) : deliveries.about(subject.phone, valueText(event))}
      </span>
    </>
  );
}

const columns: ReadonlyArray<Column<ListedWebhookDelivery>> = [
  { name: deliveries.subject, cell: About },
  {
    name: deliveries.outcome,
    cell: ({ subject }) => (subject?.outcome ? <Status value={subject.outcome} /> : common.none),
  },
  { name: deliveries.created, cell: ({ created_at: at }) => <Instant at={at} seconds />, instants: true },
  { name: deliveries.endpoint, cell: ({ url }) => shownUrl(url) },
  { name: deliveries.status, cell: ({ status }) => <Status value={status} /> },
  { name: deliveries.attempts, cell: ({ attempt_count: n }) => number(n), numeric: true },
  { name: deliveries.nextTry, cell: ({ next_attempt_at: at }) => <Instant at={at} relative />, instants: true },
];
