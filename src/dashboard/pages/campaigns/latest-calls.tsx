import { LiveLength } from '../../parts/live-length.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import type { LiveCampaign } from './progress.tsx';

/** So many rows that they are about as high as the charts beside them. */
const maxShown = 10;

/** Calls that began first stand last; those that are live count on. */
export function LatestCalls({ live }: { live: LiveCampaign | undefined }) {
  return (
    <section>
      <h2>{campaigns.latest}</h2>
      <Table
        caption={campaigns.latest}
        rows={(live?.calls ?? []).slice(0, maxShown)}
        rowKey={({ call_session_id: id }) => id}
        columns={[
          {
            name: campaigns.phone,
            whole: true,
            cell: ({ call_session_id: id, phone, caller_name: name }) => (
              <>
                <a href={`/calls/${id}`}>{phone}</a>
                <span class="sub">{name ?? common.none}</span>
              </>
            ),
          },
          { name: campaigns.state, cell: ({ state, status }) => <Status value={status ?? state} /> },
          {
            name: campaigns.length,
            cell: ({ state, started_at: at, duration_sec: seconds }) => (
              <LiveLength since={state === 'ended' ? null : at} seconds={seconds} />
            ),
            numeric: true,
            whole: true,
          },
        ]}
      />
    </section>
  );
}
