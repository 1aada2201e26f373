import { api, listCampaignEvents } from '../../client.ts';
import { Loaded } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useResource } from '../../state/resource.ts';
import { campaigns } from '../../text/campaigns.ts';

export function History({ id, version }: { id: string; version: string }) {
  const events = useResource(
    `${id} ${version}`,
    async (signal) => (await listCampaignEvents(api, { params: { id }, query: { limit: 50 }, signal })).data,
  );
  return (
    <Loaded of={events}>
      {(rows) => (
        <Table
          caption={campaigns.history}
          rows={rows.map((event, index) => ({ ...event, index }))}
          rowKey={({ index }) => String(index)}
          columns={[
            { name: campaigns.event, cell: ({ type }) => campaigns.events[type] ?? type },
            { name: campaigns.at, cell: ({ at }) => <Instant at={at} seconds />, instants: true },
            { name: campaigns.by, cell: ({ actor }) => (actor === null ? campaigns.engine : actor.name) },
          ]}
        />
      )}
    </Loaded>
  );
}
