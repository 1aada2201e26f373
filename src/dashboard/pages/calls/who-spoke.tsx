import type { Call, CallTurn } from '../../client.ts';
import { Figure } from '../../parts/chart.tsx';
import { useReading } from '../../parts/few/reading.ts';
import { system } from '../../state/session.ts';
import { calls } from '../../text/calls.ts';
import { clock } from '../../text/plural.ts';
import { Marks, marksOf, VoicesLegend } from './marks.tsx';

/** Of a call by telephone, where no carrier of the server rings one. */
const isSimulated = ({ channel }: Call): boolean => channel === 'voice' && (system.value?.carrier.simulated ?? false);

type Said = CallTurn & { to_ms: number };

const maxTicks = 6;

/** Both voices over time, as their turns tell, for a call of which there is no recording. Pointer and arrow keys read a turn. */
export function WhoSpoke({ call, turns }: { call: Call; turns: readonly CallTurn[] }) {
  const said = turns.filter((turn): turn is Said => turn.to_ms !== null);
  const length = Math.max(0, ...said.map(({ to_ms: to }) => to));
  if (said.length < 2 || length === 0) return null;
  return (
    <Figure
      name={calls.whoSpoke}
      figures={{
        rows: said,
        rowKey: ({ from_ms: from, role }) => `${from} ${role}`,
        columns: [
          { name: calls.who, cell: ({ role }) => calls.roles[role] },
          { name: calls.begins, cell: ({ from_ms: from }) => clock(from / 1000), numeric: true },
          { name: calls.ends, cell: ({ to_ms: to }) => clock(to / 1000), numeric: true },
        ],
      }}
    >
      <Lanes said={said} length={length} />
      {call.recording_url === null && (
        <p class="quiet">{isSimulated(call) ? calls.simulatedSound : calls.noRecording}</p>
      )}
    </Figure>
  );
}

function Lanes({ said, length }: { said: readonly Said[]; length: number }) {
  const textAt = (index: number): string => {
    const { role, from_ms: from, to_ms: to, text } = said[index]!;
    return calls.spoke(calls.roles[role], clock(from / 1000), clock(to / 1000), text);
  };
  const { at, text, attributes } = useReading({ name: calls.whoSpoke, count: said.length, textAt });
  const percent = (ms: number): number => (ms / length) * 100;
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent): void => {
    const plot = (currentTarget as Element).querySelector('.plot')!.getBoundingClientRect();
    const ms = ((clientX - plot.left) / plot.width) * length;
    const index = said.findIndex(({ from_ms: from, to_ms: to }) => ms >= from && ms < to);
    at.value = index === -1 ? undefined : index;
  };
  const marks = marksOf(said);
  return (
    <div class="read" {...attributes} onPointerMove={onPointerMove} onPointerDown={onPointerMove}>
      <div class="chart who">
        <div class="area">
          <svg class="plot" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            <Marks marks={marks} length={length / 1000} />
            <path class="rule" d="M0 50H100" />
            {said.map(({ role, from_ms: from, to_ms: to }, index) => (
              <rect
                key={from}
                class={role === 'agent' ? 'agent' : 'person'}
                x={percent(from)}
                width={Math.max(0.3, percent(to - from) - 0.3)}
                y={role === 'agent' ? 8 : 54}
                height="38"
                opacity={at.value === undefined || at.value === index ? 1 : 0.4}
              />
            ))}
          </svg>
        </div>
        <div class="x" aria-hidden="true">
          {Array.from({ length: maxTicks }, (_, index) => (
            <span key={index}>{clock((length / 1000 / maxTicks) * index)}</span>
          ))}
        </div>
      </div>
      <VoicesLegend marks={marks} />
      <p class="reading small">{text}</p>
    </div>
  );
}
