import type { CallTurn } from '../../client.ts';
import { Swatch } from '../../parts/chart.tsx';
import { calls } from '../../text/calls.ts';
import { slowMs } from './time-went.tsx';

type Mark = { kind: 'slow' | 'cut-off'; from: number; to: number };

/** Shortest mark of an interruption, in seconds, so that it can be seen. */
const markSec = 0.6;

/** Where the person waited for a slow reply, and where somebody was interrupted, in seconds. */
export const marksOf = (turns: readonly CallTurn[]): Mark[] =>
  turns.flatMap(({ from_ms: from, to_ms: to, latency, interrupted }) => [
    ...(latency && latency.total_ms > slowMs
      ? [{ kind: 'slow' as const, from: (from - latency.total_ms) / 1000, to: from / 1000 }]
      : []),
    ...(interrupted === true && to !== null
      ? [{ kind: 'cut-off' as const, from: to / 1000 - markSec, to: to / 1000 }]
      : []),
  ]);

/** Over a picture of this many seconds. */
export function Marks({ marks, length }: { marks: readonly Mark[]; length: number }) {
  const percent = (seconds: number): number => (Math.max(0, seconds) / Math.max(length, 0.001)) * 100;
  return (
    <>
      {marks.map(({ kind, from, to }) => (
        <rect
          key={`${kind} ${from}`}
          class={kind}
          x={percent(from)}
          width={Math.max(0.4, percent(to) - percent(from))}
          height="100"
        />
      ))}
    </>
  );
}

/** Which voice is whose, and what the marks mean that there are. */
export function VoicesLegend({ marks }: { marks: readonly Mark[] }) {
  return (
    <ul class="legend">
      <li>
        <Swatch kind="agent" />
        {calls.roles.agent}
      </li>
      <li>
        <Swatch kind="person" />
        {calls.roles.user}
      </li>
      {(['slow', 'cut-off'] as const).map(
        (kind) =>
          marks.some((mark) => mark.kind === kind) && (
            <li key={kind}>
              <Swatch kind={kind} />
              {calls.marks[kind]}
            </li>
          ),
      )}
    </ul>
  );
}
