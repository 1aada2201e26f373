import type { CallTurn } from '../../client.ts';
import { Swatch } from '../../parts/chart.tsx';
import { Table } from '../../parts/table.tsx';
import { calls } from '../../text/calls.ts';
import { clock, number } from '../../text/plural.ts';

/** A reply that takes longer is felt as a pause. */
export const slowMs = 1500;

type Latency = NonNullable<CallTurn['latency']>;

/** The parts of a reply, in the order in which they happen; what is not told apart is left out. */
const partsOf = ({ hearing_ms: hearing, thinking_ms: thinking, tools_ms: tools, voice_ms: voice }: Latency) =>
  [
    ['hearing', hearing ?? 0],
    ['thinking', (thinking ?? 0) + (tools ?? 0)],
    ['voice', voice ?? 0],
  ] as const;

/** How long each reply of the agent took, and with what. */
export function TimeWent({ turns, isLive }: { turns: readonly CallTurn[]; isLive: boolean }) {
  const replies = turns.flatMap(({ latency, ...turn }, index) => (latency ? [{ ...turn, latency, index }] : []));
  if (replies.length === 0) {
    return isLive ? null : (
      <section>
        <h2>{calls.timeWent}</h2>
        <p class="quiet">{calls.notTimed}</p>
      </section>
    );
  }
  const longest = Math.max(...replies.map(({ latency }) => latency.total_ms), 1);
  return (
    <section>
      <h2>{calls.timeWent}</h2>
      <Table
        caption={calls.timeWent}
        rows={replies}
        rowKey={({ index }) => String(index)}
        columns={[
          { name: calls.turn, cell: ({ from_ms: from }) => clock(from / 1000) },
          { name: calls.reply, cell: ({ latency }) => <Bar latency={latency} longest={longest} /> },
          {
            name: calls.ms,
            cell: ({ latency: { total_ms: total } }) =>
              total > slowMs ? <strong class="bad-text">{calls.slow(number(total))}</strong> : number(total),
            numeric: true,
          },
        ]}
      />
      <ul class="legend">
        {(['hearing', 'thinking', 'voice'] as const).map((part) => (
          <li key={part}>
            <Swatch kind={part} />
            {calls.parts[part]}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Bar({ latency, longest }: { latency: Latency; longest: number }) {
  let x = 0;
  const parts = partsOf(latency).map(([part, ms]) => {
    const from = x;
    x += (ms / longest) * 100;
    return { part, from, width: x - from };
  });
  const told = partsOf(latency).map(([part, ms]) => `${calls.parts[part]} ${number(ms)} ms`);
  return (
    <>
      <svg class="reply-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="deny" width="100" height="10" />
        {parts.map(({ part, from, width }) => (
          <rect key={part} class={part} x={from} width={width} height="10" />
        ))}
      </svg>
      <span class="visually-hidden">{told.join(', ')}</span>
    </>
  );
}
