import type { CampaignActivity } from '../../client.ts';
import { Chart, type Series } from '../../parts/chart.tsx';
import { stepText } from '../../parts/time.tsx';
import { serverNow } from '../../state/clock.ts';
import { campaigns } from '../../text/campaigns.ts';

/** In the order of every picture of outcomes. */
export const callSeries: ReadonlyArray<
  Series & { field: 'completed' | 'voicemail' | 'no_answer' | 'busy' | 'failed' }
> = [
  { field: 'completed', kind: 'answered', name: campaigns.calls.completed },
  { field: 'voicemail', kind: 'voicemail', name: campaigns.calls.voicemail },
  { field: 'no_answer', kind: 'noanswer', name: campaigns.calls.no_answer },
  { field: 'busy', kind: 'busy', name: campaigns.calls.busy },
  { field: 'failed', kind: 'failed', name: campaigns.calls.failed },
];

type Props = { steps: readonly CampaignActivity[]; stepSec: number; zone: string };

/** From this step on, the axis has several days. */
const hourSec = 3600;

/** How the calls of a campaign ended, over the time since it was started. */
export function ActivityChart({ steps, stepSec, zone }: Props) {
  const now = serverNow();
  return (
    <Chart
      name={campaigns.overTime}
      series={callSeries}
      stepName={campaigns.step}
      totals
      labels={8}
      steps={steps.map((step) => {
        const at = Date.parse(step.at);
        return {
          key: step.at,
          ...stepText(at, stepSec, zone, stepSec >= hourSec),
          values: callSeries.map(({ field }) => step[field]),
          isNow: now !== undefined && at <= now && now < at + stepSec * 1000,
        };
      })}
    />
  );
}
