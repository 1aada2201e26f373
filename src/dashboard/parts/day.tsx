import { common } from '../text/en.ts';
import { day as texts, type Earlier } from '../text/day.ts';
import { money, number, percent } from '../text/plural.ts';
import { Chart, type Series } from './chart.tsx';
import { Spark } from './spark.tsx';
import { answerRate, costOfGoal, goalRate, outcomeValues, type Totals } from './totals.ts';

/** A day by the hours of its zone, and the same weekday a week before. */
export type Day = {
  /** The hour that is going on. */
  hour: number;
  weekday: string;
  totals: Totals;
  /** One for each hour from midnight. */
  hours: readonly Totals[];
  /** The agents that called most. */
  agents: readonly AgentDay[];
  before: { totals: Totals; hours: readonly Totals[] };
};

/** `hours` has its calls in each hour from midnight. */
export type AgentDay = Totals & {
  agent_id: string;
  agent_name: string | null;
  latency: { p50_ms: number | null };
  hours: readonly number[];
};

export const outcomeSeries: readonly Series[] = [
  { name: texts.outcomes.goal, kind: 'goal' },
  { name: texts.outcomes.answered, kind: 'answered' },
  { name: texts.outcomes.voicemail, kind: 'voicemail' },
  { name: texts.outcomes.noAnswer, kind: 'noanswer' },
  { name: texts.outcomes.busy, kind: 'busy' },
  { name: texts.outcomes.failed, kind: 'failed' },
];

type Figure = { name: string; value: string; note: string; valueOf(totals: Totals): number | null };

const rateText = (rate: number | null): string => (rate === null ? common.none : percent(rate));

/** The figures of a span, and of the one before it. */
export type Compared = {
  totals: Totals;
  /** One for each step of the span; the last is going on. */
  steps: readonly Totals[];
  before: { totals: Totals; steps: readonly Totals[] };
  than: Earlier;
};

type FiguresProps = {
  of: Compared | undefined;
  name: string;
  /** The name of the first figure. */
  calls: string;
};

function figuresOf({ totals, before, than }: Compared, nameOfCalls: string): Figure[] {
  const goals = goalRate(totals);
  const perGoal = costOfGoal(totals);
  const minutes = Math.round(totals.talk_sec / 60);
  return [
    {
      name: nameOfCalls,
      value: number(totals.calls),
      note: texts.against(totals.calls, before.totals.calls, than),
      valueOf: ({ calls }) => calls,
    },
    {
      name: texts.answerRate,
      value: rateText(answerRate(totals)),
      note: texts.pointsAgainst(answerRate(totals), answerRate(before.totals), than),
      valueOf: answerRate,
    },
    {
      name: texts.goals,
      value: number(totals.goals_met),
      note: goals === null ? texts.noGoals : texts.goalRate(percent(goals)),
      valueOf: ({ goals_met: met }) => met,
    },
    {
      name: texts.minutes,
      value: number(minutes),
      note: totals.answered === 0 ? texts.noMinutes : texts.perCall(totals.talk_sec / totals.answered),
      valueOf: ({ talk_sec: seconds }) => seconds,
    },
    {
      name: texts.cost,
      value: money(totals.cost),
      note: perGoal === null ? texts.noGoals : texts.perGoal(money(perGoal)),
      valueOf: ({ cost }) => cost,
    },
  ];
}

/** The five figures of a span. Before they are known their places are kept. */
export function Figures({ of, name: title, calls }: FiguresProps) {
  const figures = of
    ? figuresOf(of, calls)
    : [calls, ...texts.names].map((name) => ({ name, value: '…', note: '\u00a0', valueOf: () => 0 }));
  return (
    <ul class="figures" aria-label={title}>
      {figures.map(({ name, value, note, valueOf }) => (
        <li key={name}>
          <span class="label">{name}</span>
          <span class="big">{value}</span>
          <span class="note">{note}</span>
          <Spark values={(of?.steps ?? []).map(valueOf)} then={(of?.before.steps ?? []).map(valueOf)} />
        </li>
      ))}
    </ul>
  );
}

/** The five figures of the day. */
export function DayFigures({ day }: { day: Day | undefined }) {
  const compared = day && {
    totals: day.totals,
    steps: day.hours.slice(0, day.hour + 1),
    before: { totals: day.before.totals, steps: day.before.hours },
    than: texts.lastWeekday(day.weekday),
  };
  return <Figures of={compared} name={texts.figures} calls={texts.calls} />;
}

/** A working day is shown even if less happens in it. */
const [firstHour, lastHour] = [9, 17];

/** From the first hour with a call to the last, of this day or the one before. */
function hoursOf({ hours, before, hour }: Day): number[] {
  const busy = [...hours.keys()].filter((at) => (hours[at]?.calls ?? 0) + (before.hours[at]?.calls ?? 0) > 0);
  const from = Math.min(firstHour, hour, ...busy);
  const to = Math.max(lastHour, hour, ...busy);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const twoDigits = (hour: number): string => String(hour).padStart(2, '0');

/** How the calls of each hour ended, with the same weekday a week before as a shadow. */
export function DayByHour({ day, still = false }: { day: Day | undefined; still?: boolean }) {
  const shown = day ? hoursOf(day) : Array.from({ length: lastHour - firstHour + 1 }, (_, index) => firstHour + index);
  return (
    <Chart
      name={texts.byHour}
      still={still}
      series={outcomeSeries}
      stepName={texts.hour}
      ghost={texts.last(day?.weekday ?? '')}
      totals
      steps={shown.map((hour) => ({
        key: String(hour),
        label: twoDigits(hour),
        title: `${twoDigits(hour)}:00–${twoDigits(hour + 1)}:00`,
        values: day?.hours[hour] ? outcomeValues(day.hours[hour]) : [],
        ghost: day?.before.hours[hour]?.calls ?? 0,
        isNow: hour === day?.hour,
      }))}
    />
  );
}
