import type { AgentEditionDiff } from '../../client.ts';
import { agents } from '../../text/agents.ts';
import { common } from '../../text/en.ts';
import { fieldText } from '../../text/fields.ts';

export type Difference = AgentEditionDiff['changes'][number];

const kinds = { '=': 'span', '-': 'del', '+': 'ins' } as const;

/** What differs between two settings of an agent: texts line by line, other values as they were and are. */
export function Differences({ changes }: { changes: readonly Difference[] }) {
  return (
    <>
      {changes.length === 0 && <p class="quiet">{agents.noDifference}</p>}
      {changes.map((change) => (
        <Change key={change.field} change={change} />
      ))}
    </>
  );
}

function Change({ change: { field, before, after, lines } }: { change: Difference }) {
  const parts = lines ?? [
    { op: '-' as const, text: textOf(before) },
    { op: '+' as const, text: textOf(after) },
  ];
  return (
    <section>
      <h3>{fieldText(field)}</h3>
      <div class="diff" dir="auto">
        {parts.map(({ op, text }, index) => {
          const Line = kinds[op];
          return <Line key={`${index} ${op}`}>{text === '' ? ' ' : text}</Line>;
        })}
      </div>
    </section>
  );
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? common.none : typeof value === 'string' ? value : JSON.stringify(value);
