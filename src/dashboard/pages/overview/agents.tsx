import type { Day } from '../../parts/day.tsx';
import { Spark } from '../../parts/spark.tsx';
import { Table } from '../../parts/table.tsx';
import { goalRate } from '../../parts/totals.ts';
import { common } from '../../text/en.ts';
import { overview } from '../../text/overview.ts';
import { ms, number, percent } from '../../text/plural.ts';

/** The agents that called most today. */
export function AgentsToday({ day }: { day: Day | undefined }) {
  const until = (day?.hour ?? 0) + 1;
  return (
    <section>
      <h2>{overview.agentsToday}</h2>
      <Table
        caption={overview.agentsToday}
        rows={day?.agents ?? []}
        rowKey={({ agent_id: id }) => id}
        empty={day ? overview.noAgentsToday : '…'}
        columns={[
          {
            name: overview.agent,
            cell: ({ agent_id: id, agent_name: name }) =>
              name === null ? overview.deletedAgent : <a href={`/agents/${id}`}>{name}</a>,
          },
          { name: overview.calls, cell: ({ calls }) => number(calls), numeric: true },
          {
            name: overview.goals,
            cell(agent) {
              const rate = goalRate(agent);
              return rate === null ? common.none : percent(rate);
            },
            numeric: true,
          },
          { name: overview.reply, cell: ({ latency }) => ms(latency.p50_ms), numeric: true },
          { name: overview.byHour, cell: ({ hours }) => <Spark values={hours.slice(0, until)} />, numeric: true },
        ]}
      />
    </section>
  );
}
