import { api, type AuditEntry, listAuditLog } from '../../client.ts';
import { Filters, SearchFilter, SelectFilter } from '../../parts/filters.tsx';
import type { Option } from '../../parts/form.tsx';
import { InstantFilter } from '../../parts/instant-filter.tsx';
import { NotForRole } from '../../parts/not-for-role.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { type Column, Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { pageSize, query } from '../../state/location.ts';
import type { Pages } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isAdmin } from '../../state/session.ts';
import { audit, operationText } from '../../text/audit.ts';
import { common } from '../../text/en.ts';
import { loadNames, type Names, noNames } from './names.ts';
import { Targets } from './targets.tsx';

const filterNames = ['actor_id', 'operation', 'since', 'until'] as const;

function requestOf(parameters: URLSearchParams) {
  const chosen = filterNames.flatMap((name) => {
    const value = parameters.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(chosen), after: parameters.get('after') ?? '', limit: pageSize };
}

function AuditPage() {
  return isAdmin.value ? <AuditList /> : <NotForRole heading={audit.heading} />;
}

function AuditList() {
  const parameters = query.value;
  const list = useResource(parameters.toString(), (signal) =>
    listAuditLog(api, { query: requestOf(parameters), signal }),
  );
  const names = useResource('names', loadNames);
  return (
    <Page heading={audit.heading}>
      <p class="quiet">{audit.text}</p>
      <AuditFilters actors={names.data?.actors ?? []} />
      <Loaded of={list}>
        {({ data, meta }) => (
          <>
            <Table
              caption={audit.heading}
              rows={data}
              rowKey={({ id }) => id}
              empty={parameters.size === 0 ? audit.empty : common.noMatch}
              columns={columnsWith(names.data ?? noNames)}
            />
            <Pager name={audit.heading} meta={meta} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AuditFilters({ actors }: { actors: readonly Option[] }) {
  return (
    <Filters>
      <SelectFilter name="actor_id" label={audit.actor} options={actors} />
      <SearchFilter name="operation" label={audit.operationFilter} />
      <InstantFilter name="since" label={audit.from} />
      <InstantFilter name="until" label={audit.until} />
    </Filters>
  );
}

const columnsWith = (names: Names): ReadonlyArray<Column<AuditEntry>> => [
  { name: audit.time, cell: ({ at }) => <Instant at={at} /> },
  { name: audit.actor, cell: ({ actor: { kind, name } }) => name ?? audit.kinds[kind] },
  { name: audit.operation, cell: ({ operation }) => <span title={operation}>{operationText(operation)}</span> },
  { name: audit.target, cell: (entry) => <Targets entry={entry} names={names} /> },
  { name: audit.address, cell: ({ ip }) => ip ?? common.none },
];

export const pages: Pages = { '/audit': AuditPage };
