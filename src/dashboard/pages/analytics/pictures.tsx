import { useId } from 'preact/hooks';
import type { Analytics } from '../../client.ts';
import { ShareBar } from '../../parts/bar.tsx';
import { Chart, type Series, type Step } from '../../parts/chart.tsx';
import { outcomeSeries } from '../../parts/day.tsx';
import { HeatGrid } from '../../parts/few/heat-grid.tsx';
import { Spark } from '../../parts/spark.tsx';
import { Table } from '../../parts/table.tsx';
import { stepText } from '../../parts/time.tsx';
import { answerRate, costOfGoal, goalRate, outcomeValues } from '../../parts/totals.ts';
import { hourOfWeek } from '../../parts/wall-clock.ts';
import { hrefWith } from '../../state/location.ts';
import { analytics } from '../../text/analytics.ts';
import { common } from '../../text/en.ts';
import { money, number, percent } from '../../text/plural.ts';

type Row = Analytics['rows'][number];
type Counts = Row['totals'];

const secondsOf = { hour: 3600, day: 86_400, week: 604_800 };

/** The steps of the span with what is drawn of each. */
const stepsOf = (
  { buckets, timezone, step }: Analytics,
  row: Row | undefined,
  valuesOf: (counts: Counts) => Step['values'],
): Step[] =>
  buckets.map((at, index) => ({
    key: at,
    ...stepText(Date.parse(at), secondsOf[step], timezone),
    values: row?.series[index] ? valuesOf(row.series[index]) : [],
  }));

const rateText = (rate: number | null): string => (rate === null ? common.none : percent(rate));

/** The five figures of the span. */
export function Figures({ whole }: { whole: Analytics }) {
  const [row] = whole.rows;
  const totals = row?.totals;
  const series = row?.series ?? [];
  const goal = totals && costOfGoal(totals);
  const figures: Array<[string, string, string, (counts: Counts) => number | null]> = [
    [analytics.calls, number(totals?.calls ?? 0), analytics.answered(totals?.answered ?? 0), ({ calls }) => calls],
    [
      analytics.answerRate,
      rateText(totals ? answerRate(totals) : null),
      analytics.answered(totals?.answered ?? 0),
      answerRate,
    ],
    [
      analytics.goalRate,
      rateText(totals ? goalRate(totals) : null),
      analytics.judged(totals?.goals_judged ?? 0),
      goalRate,
    ],
    [
      analytics.costOfGoal,
      goal === null || goal === undefined ? common.none : money(goal),
      analytics.perCall(money(totals?.cost ?? 0)),
      ({ cost }) => cost,
    ],
    [
      analytics.reply,
      analytics.ms(totals?.latency.p50_ms ?? null),
      analytics.p95(totals?.latency.p95_ms ?? null),
      ({ latency }) => latency.p50_ms,
    ],
  ];
  return (
    <ul class="figures" aria-label={analytics.figures}>
      {figures.map(([name, value, note, valueOf]) => (
        <li key={name}>
          <span class="label">{name}</span>
          <span class="big">{value}</span>
          <span class="note">{note}</span>
          <Spark values={series.map(valueOf)} />
        </li>
      ))}
    </ul>
  );
}

const rateSeries: readonly Series[] = [
  { name: analytics.answerRate, kind: 'line' },
  { name: analytics.goalRate, kind: 'line b' },
];

export function Rates({ whole }: { whole: Analytics }) {
  return (
    <Chart
      name={analytics.rates}
      as="lines"
      format={percent}
      series={rateSeries}
      stepName={analytics.step}
      steps={stepsOf(whole, whole.rows[0], (counts) => [answerRate(counts), goalRate(counts)])}
    />
  );
}

const speedSeries: readonly Series[] = [
  { name: analytics.half, kind: 'line' },
  { name: analytics.most, kind: 'line b' },
];

export function HowFast({ whole }: { whole: Analytics }) {
  return (
    <Chart
      name={analytics.howFast}
      as="lines"
      format={analytics.ms}
      series={speedSeries}
      stepName={analytics.step}
      steps={stepsOf(whole, whole.rows[0], ({ latency }) => [latency.p50_ms, latency.p95_ms])}
    />
  );
}

/** A working day is shown even if less happens in it. */
const [firstHour, lastHour] = [9, 16];

/** Each hour of the day by the weekdays of the span. */
export function WhenAnswered({ hours }: { hours: Analytics }) {
  const id = useId();
  const cells = new Map<string, { weekday: number; hour: number; calls: number; answered: number; goals: number }>();
  for (const { key, series } of hours.rows) {
    for (const [index, { calls, answered, goals_met: goals }] of series.entries()) {
      const { day: weekday } = hourOfWeek(hours.timezone, Date.parse(hours.buckets[index]!));
      const at = `${weekday} ${key}`;
      const cell = cells.get(at) ?? { weekday, hour: Number(key), calls: 0, answered: 0, goals: 0 };
      cells.set(at, {
        ...cell,
        calls: cell.calls + calls,
        answered: cell.answered + answered,
        goals: cell.goals + goals,
      });
    }
  }
  const called = [...cells.values()].filter(({ calls }) => calls > 0).map(({ hour }) => hour);
  const columns = called.length === 0 ? [] : rangeOf(Math.min(firstHour, ...called), Math.max(lastHour, ...called));
  if (columns.length > 0) {
    return (
      <HeatGrid
        name={analytics.whenAnswered}
        cells={[...cells.values()]}
        columns={columns}
        note={analytics.whenText(hours.timezone)}
        answer={bestHourOf(hours.rows)}
      />
    );
  }
  return (
    <figure aria-labelledby={id}>
      <figcaption id={id}>{analytics.whenAnswered}</figcaption>
      <p class="quiet">{analytics.noCalls}</p>
    </figure>
  );
}

/** An hour with fewer of the judged calls than this share of them says too little. */
const leastShare = 0.02;

/** At which hour calls reached their goal most often; undefined where none did. */
function bestHourOf(rows: readonly Row[]): string | undefined {
  const judged = rows.reduce((sum, { totals }) => sum + totals.goals_judged, 0);
  const [best] = rows
    .filter(({ totals }) => totals.goals_met > 0 && totals.goals_judged >= judged * leastShare)
    .toSorted((a, b) => goalRate(b.totals)! - goalRate(a.totals)!);
  if (!best) return undefined;
  return analytics.bestHour(Number(best.key), percent(goalRate(best.totals)!), best.totals.goals_judged);
}

const rangeOf = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

type TableProps = { of: Analytics };

/** Each name leads to the figures of that agent alone. */
export function ByAgent({ of: { rows } }: TableProps) {
  return (
    <section>
      <h2>{analytics.byAgent}</h2>
      <Table
        caption={analytics.byAgent}
        rows={rows}
        rowKey={({ key }) => key}
        empty={analytics.noCalls}
        columns={[
          {
            name: analytics.agent,
            cell: ({ key, name }) =>
              name === null || key === 'other' ? (
                (name ?? analytics.unknown)
              ) : (
                <a href={hrefWith({ agent_id: key, edition: undefined })}>{name}</a>
              ),
          },
          { name: analytics.calls, cell: ({ totals }) => number(totals.calls), numeric: true },
          { name: analytics.goals, cell: ({ totals }) => rateText(goalRate(totals)), numeric: true },
        ]}
      />
    </section>
  );
}

export function WhichVersion({ of: { rows } }: TableProps) {
  return (
    <section>
      <h2>{analytics.whichVersion}</h2>
      <Table
        caption={analytics.whichVersion}
        rows={rows}
        rowKey={({ key }) => key}
        empty={analytics.noCalls}
        columns={[
          { name: analytics.version, cell: ({ name }) => name ?? analytics.unknown },
          { name: analytics.calls, cell: ({ totals }) => number(totals.calls), numeric: true },
          { name: analytics.goals, cell: ({ totals }) => rateText(goalRate(totals)), numeric: true },
          { name: analytics.costOfGoal, cell: ({ totals }) => amountOf(costOfGoal(totals)), numeric: true },
        ]}
      />
    </section>
  );
}

const amountOf = (amount: number | null): string => (amount === null ? common.none : money(amount));

export function ByCampaign({ of: { rows } }: TableProps) {
  return (
    <section>
      <h2>{analytics.byCampaign}</h2>
      <Table
        caption={analytics.byCampaign}
        rows={rows}
        rowKey={({ key }) => key}
        empty={analytics.noCalls}
        columns={[
          { name: analytics.campaign, cell: ({ key, name }) => linkTo(key, name) },
          { name: analytics.calls, cell: ({ totals }) => number(totals.calls), numeric: true },
          { name: analytics.outcomes, cell: ({ totals }) => <Outcomes totals={totals} /> },
          { name: analytics.answerRate, cell: ({ totals }) => rateText(answerRate(totals)), numeric: true },
          { name: analytics.goals, cell: ({ totals }) => rateText(goalRate(totals)), numeric: true },
          { name: analytics.minutes, cell: ({ totals }) => number(Math.round(totals.talk_sec / 60)), numeric: true },
          { name: analytics.cost, cell: ({ totals }) => money(totals.cost), numeric: true },
        ]}
      />
    </section>
  );
}

function linkTo(key: string, name: string | null) {
  if (key === 'none' || key === 'other') return name ?? analytics.none;
  return <a href={`/campaigns/${key}`}>{name ?? analytics.unknown}</a>;
}

function Outcomes({ totals }: { totals: Counts }) {
  const values = outcomeValues(totals);
  return <ShareBar parts={outcomeSeries.map(({ kind }, index) => ({ kind, value: values[index]! }))} />;
}
