import { api, listAgents } from '../../client.ts';
import { SearchFilter, Filters } from '../../parts/filters.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { pageSize, query } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { agents } from '../../text/agents.ts';
import { common, pages as names } from '../../text/en.ts';
import { number } from '../../text/plural.ts';

export function AgentsPage() {
  const offset = Number(query.value.get('offset') ?? 0);
  const q = query.value.get('q') ?? '';
  const list = useResource(`${offset} ${q}`, (signal) =>
    listAgents(api, { query: { limit: pageSize, offset, ...(q === '' ? {} : { q }) }, signal }),
  );
  return (
    <Page
      heading={names.agents}
      actions={
        isMember.value && (
          <a class="button primary" href="/agents/new">
            {agents.new}
          </a>
        )
      }
    >
      <Filters>
        <SearchFilter name="q" label={agents.search} />
      </Filters>
      <Loaded of={list}>
        {({ data, meta }) => (
          <>
            <Table
              caption={names.agents}
              rows={data}
              rowKey={({ id }) => id}
              empty={q === '' ? agents.empty : common.noMatch}
              columns={[
                { name: agents.name, cell: ({ id, agentName }) => <a href={`/agents/${id}`}>{agentName}</a> },
                { name: agents.status, cell: ({ status }) => <Status value={status} /> },
                { name: agents.model, cell: ({ model }) => model },
                { name: agents.calls, cell: ({ callStats }) => number(callStats.totalCalls ?? 0), numeric: true },
                {
                  name: agents.completed,
                  cell: ({ callStats }) => number(callStats.completedCalls ?? 0),
                  numeric: true,
                },
                { name: agents.changed, cell: ({ updatedAt }) => <Instant at={updatedAt} />, instants: true },
              ]}
            />
            <Pager name={names.agents} meta={meta} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
