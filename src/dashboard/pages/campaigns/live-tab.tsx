import { useEffect, useRef } from 'preact/hooks';
import {
  api,
  type Campaign,
  type CampaignPlan,
  getAnalytics,
  getCampaignActivity,
  getCampaignHours,
  planCampaign,
} from '../../client.ts';
import { stepFor, minSteps } from '../../parts/scale.ts';
import { Loaded } from '../../parts/page.tsx';
import { isoOf } from '../../parts/wall-clock.ts';
import { knownNow } from '../../state/clock.ts';
import { useResource } from '../../state/resource.ts';
import { loadActuals } from './actuals.ts';
import { ActivityChart } from './activity-chart.tsx';
import { LatestCalls } from './latest-calls.tsx';
import { ForecastChart, NobodyWaits } from './forecast.tsx';
import { Hours } from './hours.tsx';
import { InFlight, type LiveCampaign, OutcomeTable, Progress } from './progress.tsx';

/** While calls end, the figures are asked for again after this time. */
const refreshMs = 5000;

/** `version`: changes with each outcome. `plan`: the one that the page has asked for already. */
type Props = { campaign: Campaign; live: LiveCampaign | undefined; version: string; plan: CampaignPlan | undefined };

/** The span of a campaign's calls by a step that fits it. */
function spanOf({ startedAt, completedAt }: Pick<Campaign, 'startedAt' | 'completedAt'>, nowMs: number) {
  if (startedAt === null) return undefined;
  const [first, last] = [Date.parse(startedAt), completedAt === null ? nowMs : Date.parse(completedAt)];
  const step = stepFor(Math.max(0, last - first) / 1000);
  const stepMs = step * 1000;
  const from = Math.floor(first / stepMs) * stepMs;
  const count = Math.max(minSteps, Math.ceil((last + 1 - from) / stepMs));
  return { step, from, to: from + count * stepMs };
}

async function loadFigures(campaign: Campaign, known: CampaignPlan | undefined, signal: AbortSignal) {
  const params = { id: campaign.id };
  const span = spanOf(campaign, knownNow());
  const query = span ? { step: span.step, from: isoOf(span.from), to: isoOf(span.to) } : {};
  const [steps, hours, plan, analytics] = await Promise.all([
    getCampaignActivity(api, { params, query, signal }),
    getCampaignHours(api, { params, signal }),
    known ?? planCampaign(api, { params, signal }).then(({ data }) => data),
    getAnalytics(api, { query: { campaign_id: campaign.id }, signal }),
  ]);
  return {
    steps: steps.data,
    stepSec: span?.step ?? 3600,
    hours: hours.data,
    plan,
    actuals: await loadActuals(campaign, plan, signal),
    latency: analytics.data.rows[0]?.totals.latency,
  };
}

/** How the campaign goes, as it happens. Below the first figures everything is shown at once, so that nothing that is shown moves. */
export function LiveTab({ campaign, live, version, plan: first }: Props) {
  const known = useRef(first);
  const shown = useRef(version);
  const figures = useResource(`${campaign.id} ${campaign.version} ${campaign.status}`, (signal) => {
    const plan = known.current;
    known.current = undefined;
    return loadFigures(campaign, plan, signal);
  });
  useEffect(() => {
    if (shown.current === version) return undefined;
    shown.current = version;
    const timer = setTimeout(figures.reload, refreshMs);
    return () => clearTimeout(timer);
  }, [version]);
  return (
    <Loaded of={figures}>
      {({ steps, stepSec, hours, plan, actuals, latency }) => (
        <>
          <Progress campaign={campaign} live={live} finishesAt={plan.eligible > 0 ? plan.finishes_at : undefined} />
          <InFlight campaign={campaign} live={live} latency={latency} />
          <div class="columns two-one">
            <div class="stack">
              <ActivityChart steps={steps} stepSec={stepSec} zone={campaign.schedule.timezone} />
              {campaign.status !== 'completed' &&
                (plan.eligible > 0 ? <ForecastChart plan={plan} actuals={actuals} /> : <NobodyWaits />)}
              <Hours hours={hours} window={campaign.schedule} />
            </div>
            <div class="stack">
              <OutcomeTable campaign={campaign} live={live} />
              <LatestCalls live={live} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  );
}
