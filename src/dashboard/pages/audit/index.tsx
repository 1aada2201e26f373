import { api, type AuditEntry, listAuditLog } from '../../client.ts';
import { ChangesOf } from '../../parts/few/changes.tsx';
import { loadTitles, titleOf } from '../../parts/few/history.tsx';
import { NotForRole } from '../../parts/not-for-role.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { type Column, Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { pageSize, query } from '../../state/location.ts';
import type { Pages } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isAdmin } from '../../state/session.ts';
import { audit } from '../../text/audit.ts';
import { common } from '../../text/en.ts';
import { AuditFilters } from './filters.tsx';
import { Targets } from './targets.tsx';

const filterNames = ['actor_id', 'operation', 'since', 'until'] as const;
type Query = NonNullable<NonNullable<Parameters<typeof listAuditLog>[1]>['query']>;

function requestOf(parameters: URLSearchParams): Query {
  const chosen = filterNames.flatMap((name) => {
    const value = parameters.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  const listed = (name: string): string[] => parameters.getAll(name).filter((value) => value !== '');
  const kinds = listed('target_kind') as NonNullable<Query['target_kind']>;
  const ids = listed('target_id');
  return {
    ...Object.fromEntries(chosen),
    ...(kinds.length > 0 ? { target_kind: kinds } : {}),
    ...(ids.length > 0 ? { target_id: ids } : {}),
    after: parameters.get('after') ?? '',
    limit: pageSize,
  };
}

function AuditPage() {
  return isAdmin.value ? <AuditList /> : <NotForRole />;
}

function AuditList() {
  const parameters = query.value;
  const list = useResource(parameters.toString(), (signal) =>
    listAuditLog(api, { query: requestOf(parameters), signal }),
  );
  const titles = useResource('titles', loadTitles);
  return (
    <Page heading={audit.heading}>
      <p class="quiet">{audit.text}</p>
      <AuditFilters titles={titles.data} />
      {/* Titles that came later would change the rows' heights. */}
      <Loaded of={titles}>
        {(known) => (
          <Loaded of={list}>
            {({ data, meta }) => (
              <>
                <Table
                  caption={audit.heading}
                  rows={data}
                  rowKey={({ id }) => id}
                  empty={parameters.size === 0 ? audit.empty : common.noMatch}
                  columns={columnsWith(known)}
                />
                <Pager name={audit.heading} meta={meta} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

const columnsWith = (titles: ReadonlyMap<string, string>): ReadonlyArray<Column<AuditEntry>> => [
  { name: audit.time, cell: ({ at }) => <Instant at={at} seconds />, instants: true },
  { name: audit.actor, cell: ({ actor: { kind, name } }) => name ?? audit.kinds[kind] },
  { name: audit.what, cell: ({ operation }) => titleOf(titles, operation) },
  { name: audit.thing, cell: (entry) => <Targets entry={entry} /> },
  { name: audit.changed, cell: ({ changes }) => <ChangesOf changes={changes} /> },
  { name: audit.address, cell: ({ ip }) => ip ?? common.none },
];

export const pages: Pages = { '/audit': AuditPage };
