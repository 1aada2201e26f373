import { useId } from 'preact/hooks';
import type { CampaignActivity, CampaignPlan } from '../../client.ts';
import { Chart, type Drain, type Step } from '../../parts/chart.tsx';
import { Instant, stepText, textIn } from '../../parts/time.tsx';
import { minSteps } from '../../parts/scale.ts';
import { isoOf } from '../../parts/wall-clock.ts';
import { zone } from '../../state/preferences.ts';
import { campaigns } from '../../text/campaigns.ts';
import { callSeries } from './activity-chart.tsx';
import { type Actuals, isWithinOpening } from './actuals.ts';
import { stepsOfCourse } from './course.ts';

const [hourSec, daySec] = [3600, 86_400];
/** Places on the axis, however few openings there are. */
const minOpenings = 5;

type Drawn = { steps: Step[]; points: Drain['points']; least: number; stepName: string; ghost?: string };

/** Room far beyond what is needed would leave nothing to be seen of it. */
const shownRoom = (room: number, busiest: number): number => Math.min(room, Math.ceil(busiest * 1.25));

type Outcomes = ReadonlyArray<number | null>;
const nothingYet: Outcomes = callSeries.map(() => null);
const outcomesOf = (steps: readonly CampaignActivity[]): Outcomes =>
  callSeries.map(({ field }) => steps.reduce((sum, step) => sum + step[field], 0));
const sumOf = (values: Outcomes): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** The first bar is that of the opening under way, if there is one: how its calls ended, and above that what is still likely in it. */
function byOpening({ openings, eligible }: CampaignPlan, actuals: Actuals | undefined): Drawn {
  const done = actuals && outcomesOf(actuals.steps);
  const bars = openings.map((opening, index) => {
    const outcomes = (index === 0 && done) || nothingYet;
    return { ...opening, outcomes, calls: sumOf(outcomes) };
  });
  const busiest = Math.max(0, ...bars.map(({ expected, calls }) => expected + calls));
  const steps = bars.map(({ opens_at: opens, closes_at: closes, expected, capacity, outcomes, calls }, index) => {
    const isNow = index === 0 && done !== undefined;
    const from = isNow ? isoOf(actuals!.sinceMs) : opens;
    return {
      key: opens,
      label: stepText(Date.parse(from), daySec, zone.value).label,
      title: `${textIn(from, zone.value)} – ${textIn(closes, zone.value)}`,
      values: [...(done ? outcomes : []), expected],
      ghost: shownRoom(calls + capacity, busiest),
      isNow,
    };
  });
  const room = Math.max(openings.length, minOpenings);
  const points = [
    { at: 0, value: eligible },
    ...openings.map(({ left }, index) => ({ at: (index + 1) / room, value: left })),
  ];
  return { steps, points, least: minOpenings, stepName: campaigns.opening, ghost: campaigns.room };
}

/** A list that is done within one opening is drawn by hours or minutes of it, from its beginning on if it is under way. */
function withinOpening(plan: CampaignPlan, actuals: Actuals | undefined): Drawn {
  const { steps, stepSec, points } = stepsOfCourse(plan, actuals?.sinceMs);
  const done = new Map(actuals?.steps.map((step) => [Date.parse(step.at), outcomesOf([step])]));
  return {
    least: minSteps,
    stepName: campaigns.time,
    points,
    steps: steps.map(({ atMs, calls }) => ({
      key: String(atMs),
      ...stepText(atMs, stepSec, zone.value, stepSec >= hourSec),
      values: [...(actuals ? (done.get(atMs) ?? nothingYet) : []), calls],
      isNow: actuals !== undefined && atMs <= actuals.nowMs && actuals.nowMs < atMs + stepSec * 1000,
    })),
  };
}

type Props = { plan: CampaignPlan; actuals?: Actuals | undefined };

/** In place of a drawing without anything in it. */
export function NobodyWaits() {
  const id = useId();
  return (
    <figure aria-labelledby={id}>
      <div class="panel-head">
        <figcaption id={id}>{campaigns.forecast}</figcaption>
      </div>
      <p class="quiet">{campaigns.nothingToForecast}</p>
    </figure>
  );
}

/** Openings as bars, and the list of contacts draining to its end. */
export function ForecastChart({ plan, actuals }: Props) {
  const draw = isWithinOpening(plan) ? withinOpening : byOpening;
  const { steps, points, least, stepName, ghost } = draw(plan, actuals);
  return (
    <Chart
      name={campaigns.forecast}
      series={[...(actuals ? callSeries : []), { name: campaigns.expected, kind: 'expected' }]}
      {...(ghost === undefined ? {} : { ghost })}
      labels={5}
      stepName={stepName}
      least={least}
      steps={steps}
      drain={plan.eligible > 0 ? { name: campaigns.draining, points } : undefined}
    >
      <p>
        {campaigns.finishes}: <Instant at={plan.finishes_at} none={campaigns.noFinish} relative />
      </p>
    </Chart>
  );
}
