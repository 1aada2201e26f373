import { api, type AuditEntry, listApiKeys, listAuditLog, listUsers } from '../../client.ts';
import { Filters, SearchFilter, SelectFilter } from '../../parts/filters.tsx';
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
  return (
    <Page heading={audit.heading}>
      <p class="quiet">{audit.text}</p>
      <AuditFilters />
      <Loaded of={list}>
        {({ data, meta }) => (
          <>
            <Table
              caption={audit.heading}
              rows={data}
              rowKey={({ id }) => id}
              empty={parameters.size === 0 ? audit.empty : common.noMatch}
              columns={columns}
            />
            <Pager name={audit.heading} meta={meta} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AuditFilters() {
  const actors = useResource('actors', async (signal) => {
    const [users, keys] = await Promise.all([listUsers(api, { signal }), listApiKeys(api, { signal })]);
    return [
      ...users.data.map(({ id, email }) => ({ value: id, text: email })),
      ...keys.data.map(({ id, name }) => ({ value: id, text: audit.key(name) })),
    ];
  });
  return (
    <Filters>
      <SelectFilter name="actor_id" label={audit.actor} options={actors.data ?? []} />
      <SearchFilter name="operation" label={audit.operationFilter} />
      <InstantFilter name="since" label={audit.from} />
      <InstantFilter name="until" label={audit.until} />
    </Filters>
  );
}

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { name: audit.time, cell: ({ at }) => <Instant at={at} /> },
  { name: audit.actor, cell: ({ actor: { kind, name } }) => name ?? audit.kinds[kind] },
  { name: audit.operation, cell: ({ operation }) => <span title={operation}>{operationText(operation)}</span> },
  { name: audit.target, cell: (entry) => <Targets entry={entry} /> },
  { name: audit.address, cell: ({ ip }) => ip ?? common.none },
];

/** Pages of things, by the words that name them in operations and ids. */
const pagesOf: ReadonlyArray<readonly [RegExp, string]> = [
  [/campaign/i, '/campaigns'],
  [/agent/i, '/agents'],
  [/contact/i, '/contacts'],
  [/knowledge|^kb/i, '/knowledge'],
  [/deliver/i, '/deliveries'],
  [/call/i, '/calls'],
];

/** The kind of thing that an id belongs to: the name of the id says it, or for `id` the operation. */
const subjectOf = (name: string, operation: string): string => (/^(?:new_)?id$/.test(name) ? operation : name);

function Targets({ entry: { target, operation } }: { entry: AuditEntry }) {
  const { count: times, ...things } = target;
  return (
    <>
      {Object.entries(things).map(([name, value]) => (
        <div key={name}>
          <Target name={name} value={value} subject={subjectOf(name, operation)} />
        </div>
      ))}
      {times !== undefined && <div>{audit.times(Number(times))}</div>}
    </>
  );
}

function Target({ name, value, subject }: { name: string; value: string; subject: string }) {
  const page = pagesOf.find(([word]) => word.test(subject))?.[1];
  const text = audit.targetOf(name.replace(/_?id$/i, '').replaceAll('_', ' '), value);
  return page === undefined ? <>{text}</> : <a href={`${page}/${encodeURIComponent(value)}`}>{text}</a>;
}

export const pages: Pages = { '/audit': AuditPage };
