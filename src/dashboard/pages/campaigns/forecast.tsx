import type { CampaignPlan } from '../../client.ts';
import { Chart, type Step } from '../../parts/chart.tsx';
import { Instant, stepText, textIn } from '../../parts/time.tsx';
import { minSteps } from '../../parts/scale.ts';
import { zone } from '../../state/preferences.ts';
import { campaigns } from '../../text/campaigns.ts';

const daySec = 86_400;

function stepsOf(openings: CampaignPlan['openings']): Step[] {
  const busiest = Math.max(0, ...openings.map(({ expected }) => expected));
  return openings.map(({ opens_at: opens, closes_at: closes, expected, capacity }) => ({
    key: opens,
    label: stepText(Date.parse(opens), daySec, zone.value).label,
    title: `${textIn(opens, zone.value)} – ${textIn(closes, zone.value)}`,
    values: [expected],
    // Room far beyond what is needed would leave nothing to be seen of it.
    ghost: Math.min(capacity, Math.ceil(busiest * 1.25)),
  }));
}

/** Openings as bars, and the list of contacts draining to its end. */
export function ForecastChart({ plan }: { plan: CampaignPlan }) {
  const { openings } = plan;
  const room = Math.max(openings.length, minSteps);
  const points = [
    { at: 0, value: plan.eligible },
    ...openings.map(({ left }, index) => ({ at: (index + 1) / room, value: left })),
  ];
  return (
    <Chart
      name={campaigns.forecast}
      series={[{ name: campaigns.expected, kind: 'expected' }]}
      ghost={campaigns.room}
      stepName={campaigns.opening}
      steps={stepsOf(openings)}
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
