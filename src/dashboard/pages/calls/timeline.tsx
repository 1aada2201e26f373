import type { Call, CallTimelineEntry } from '../../client.ts';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { calls } from '../../text/calls.ts';

/** What happened in the call, oldest first, to the second. */
export function Timeline({ call, entries }: { call: Call; entries: readonly CallTimelineEntry[] }) {
  const rows = entries.length > 0 ? entries : stateChanges(call);
  return (
    <section>
      <h2>{calls.timeline}</h2>
      <Table
        caption={calls.timeline}
        rows={rows.map((row, index) => ({ ...row, index }))}
        rowKey={({ index }) => String(index)}
        columns={[
          {
            name: calls.what,
            cell: ({ type, detail }) => (
              <>
                {calls.happened[type] ?? type}
                {detail !== null && <span class="sub">{detail}</span>}
              </>
            ),
          },
          { name: calls.when, cell: ({ at }) => <Instant at={at} seconds />, numeric: true, instants: true },
        ]}
      />
    </section>
  );
}

/** A carrier that reports nothing in between leaves at least these. */
function stateChanges(call: Call): Array<{ at: string; type: string; detail: string | null }> {
  const known = [
    ['invite', call.started_at],
    ['answered', call.answered_at],
    ['hangup', call.ended_at],
  ] as const;
  return known.flatMap(([type, at]) => (at === null ? [] : [{ at, type, detail: null }]));
}
