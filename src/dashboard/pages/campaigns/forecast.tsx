import type { CampaignPlan } from '../../client.ts';
import { Chart, type Drain, type Step } from '../../parts/chart.tsx';
import { Instant, stepText, textIn } from '../../parts/time.tsx';
import { minSteps } from '../../parts/scale.ts';
import { zone } from '../../state/preferences.ts';
import { campaigns } from '../../text/campaigns.ts';
import { stepsOfCourse } from './course.ts';

const [hourSec, daySec] = [3600, 86_400];
/** Places on the axis, however few openings there are. */
const minOpenings = 5;

type Drawn = { steps: Step[]; points: Drain['points']; least: number; stepName: string; ghost?: string };

/** Room far beyond what is needed would leave nothing to be seen of it. */
const shownRoom = (room: number, busiest: number): number => Math.min(room, Math.ceil(busiest * 1.25));

function byOpening({ openings, eligible }: CampaignPlan): Drawn {
  const busiest = Math.max(0, ...openings.map(({ expected }) => expected));
  const steps = openings.map(({ opens_at: opens, closes_at: closes, expected, capacity }) => ({
    key: opens,
    label: stepText(Date.parse(opens), daySec, zone.value).label,
    title: `${textIn(opens, zone.value)} – ${textIn(closes, zone.value)}`,
    values: [expected],
    ghost: shownRoom(capacity, busiest),
  }));
  const room = Math.max(openings.length, minOpenings);
  const points = [
    { at: 0, value: eligible },
    ...openings.map(({ left }, index) => ({ at: (index + 1) / room, value: left })),
  ];
  return { steps, points, least: minOpenings, stepName: campaigns.opening, ghost: campaigns.room };
}

/** A list that is done within one opening is drawn by hours or minutes of it. */
function withinOpening(plan: CampaignPlan): Drawn {
  const { steps, stepSec, points } = stepsOfCourse(plan);
  return {
    least: minSteps,
    stepName: campaigns.time,
    points,
    steps: steps.map(({ atMs, calls }) => ({
      key: String(atMs),
      ...stepText(atMs, stepSec, zone.value, stepSec >= hourSec),
      values: [calls],
    })),
  };
}

function drawnOf(plan: CampaignPlan): Drawn {
  return plan.openings.length === 1 && plan.course.length > 0 ? withinOpening(plan) : byOpening(plan);
}

/** Openings as bars, and the list of contacts draining to its end. */
export function ForecastChart({ plan }: { plan: CampaignPlan }) {
  const { steps, points, least, stepName, ghost } = drawnOf(plan);
  return (
    <Chart
      name={campaigns.forecast}
      series={[{ name: campaigns.expected, kind: 'expected' }]}
      {...(ghost === undefined ? {} : { ghost })}
      labels={5}
      stepName={stepName}
      least={least}
      steps={steps}
      drain={plan.eligible > 0 ? { name: campaigns.draining, points } : undefined}
    >
      <p>
        {plan.eligible === 0 ? (
          campaigns.nobodyWaits
        ) : (
          <>
            {campaigns.finishes}: <Instant at={plan.finishes_at} none={campaigns.noFinish} relative />
          </>
        )}
      </p>
    </Chart>
  );
}
