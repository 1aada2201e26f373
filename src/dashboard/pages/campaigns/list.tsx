import { api, type Campaign, listCampaigns } from '../../client.ts';
import { ShareBar } from '../../parts/bar.tsx';
import { Filters, SearchFilter, SelectFilter } from '../../parts/filters.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status, valueText } from '../../parts/status.tsx';
import { type Column, Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { pageSize, query } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common, pages as names } from '../../text/en.ts';
import { number } from '../../text/plural.ts';
import { stateOf } from './state.ts';

const statuses = ['draft', 'active', 'paused', 'completed'] as const;
const filterNames = ['q', 'status', 'agent_id', 'phone_number_id'];

const filtersOf = (parameters: URLSearchParams): object =>
  Object.fromEntries(filterNames.map((name) => [name, parameters.get(name) ?? '']).filter(([, value]) => value !== ''));

export function CampaignsPage() {
  const parameters = query.value;
  const offset = Number(parameters.get('offset') ?? 0);
  const list = useResource(parameters.toString(), (signal) =>
    listCampaigns(api, { query: { ...filtersOf(parameters), limit: pageSize, offset }, signal }),
  );
  return (
    <Page
      heading={names.campaigns}
      actions={
        isMember.value && (
          <a class="button primary" href="/campaigns/new">
            {campaigns.new}
          </a>
        )
      }
    >
      <Filters>
        <SearchFilter name="q" label={campaigns.search} />
        <SelectFilter
          name="status"
          label={campaigns.status}
          options={statuses.map((value) => ({ value, text: valueText(value) }))}
        />
      </Filters>
      <Loaded of={list}>
        {({ data, meta }) => (
          <>
            <Table
              caption={names.campaigns}
              rows={data}
              rowKey={({ id }) => id}
              empty={parameters.size === 0 ? campaigns.empty : common.noMatch}
              columns={columns}
            />
            <Pager name={names.campaigns} meta={meta} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Campaign>> = [
  { name: campaigns.name, cell: ({ id, name }) => <a href={`/campaigns/${id}`}>{name}</a> },
  { name: campaigns.status, cell: (campaign) => <Status value={stateOf(campaign)} /> },
  { name: campaigns.number, cell: ({ fromPhoneNumber: phone }) => phone ?? common.none, whole: true },
  {
    name: campaigns.progress,
    cell: ({ contactStats: { total, pending, inProgress, contacted, noAnswer, failed } }) => (
      <>
        <ShareBar
          parts={[
            { kind: 'answered', value: contacted },
            { kind: 'noanswer', value: noAnswer },
            { kind: 'failed', value: failed },
            { kind: 'waiting', value: pending + inProgress },
          ]}
        />
        <span class="sub">{campaigns.progressOf(total - pending - inProgress, total)}</span>
      </>
    ),
  },
  { name: campaigns.rows.contacted, cell: ({ contactStats }) => number(contactStats.contacted), numeric: true },
  { name: campaigns.started_at, cell: ({ startedAt }) => <Instant at={startedAt} />, instants: true },
];
