import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useLive } from '../../state/live.ts';
import { common } from '../../text/en.ts';
import { overview } from '../../text/overview.ts';

type LiveCall = {
  call_session_id: string;
  phone: string;
  caller_name: string | null;
  state: string;
  created_at: string;
  started_at: string | null;
};

/** The calls that began first stand first, so that one that begins moves no row. */
export function CallsInFlight() {
  const live = useLive<{ in_flight: readonly LiveCall[] }>('calls');
  return (
    <section>
      <h2>{overview.calls}</h2>
      <Table
        caption={overview.calls}
        rows={(live?.in_flight ?? []).toReversed()}
        rowKey={({ call_session_id: id }) => id}
        empty={overview.noCalls}
        columns={[
          {
            name: overview.phone,
            cell: ({ call_session_id: id, phone }) => <a href={`/calls/${id}`}>{phone}</a>,
            whole: true,
          },
          { name: overview.contact, cell: ({ caller_name: name }) => name ?? common.none },
          { name: overview.state, cell: ({ state }) => <Status value={state} /> },
          {
            name: overview.since,
            cell: ({ started_at: at, created_at: made }) => <Instant at={at ?? made} relative />,
          },
        ]}
      />
    </section>
  );
}
