import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, type CampaignPlan, isAborted, type NewCampaign, planUnsavedCampaign } from '../../client.ts';
import { Facts } from '../../parts/facts.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { messageOf } from '../../state/form.ts';
import { campaigns } from '../../text/campaigns.ts';
import { number } from '../../text/plural.ts';
import { ForecastChart } from './forecast.tsx';

/** Forecast of a start. */
export function Plan({ plan }: { plan: CampaignPlan }) {
  return (
    <>
      <p>
        <strong>{campaigns.eligible(plan.eligible)}</strong>
      </p>
      {plan.skipped.length > 0 && (
        <ul>
          {plan.skipped.map(({ code, reason, count }) => (
            <li key={code}>{campaigns.skipped(count, reason)}</li>
          ))}
        </ul>
      )}
      <Facts
        facts={[
          [campaigns.firstOpening, <Instant at={plan.openings[0]?.opens_at} none={campaigns.noOpening} relative />],
          [campaigns.finishes, <Instant at={plan.finishes_at} none={campaigns.noFinish} relative />],
        ]}
      />
      <Table
        caption={campaigns.openings}
        titled
        rows={plan.openings.slice(0, 5)}
        rowKey={({ opens_at: at }) => at}
        empty={campaigns.noOpening}
        columns={[
          { name: campaigns.opens, cell: ({ opens_at: at }) => <Instant at={at} /> },
          { name: campaigns.closes, cell: ({ closes_at: at }) => <Instant at={at} /> },
          { name: campaigns.reaches, cell: ({ capacity }) => number(capacity), numeric: true },
        ]}
      />
    </>
  );
}

/** Holds the place of the first answer. */
const nothing: CampaignPlan = {
  openings: [],
  eligible: 0,
  skipped: [],
  finishes_at: null,
  ready: { ok: false, missing: [] },
  by_zone: [],
};

/** Waits until the person stops typing. */
const pauseMs = 400;

/** The plan of settings that are not saved yet. */
export function Forecast({ id, body }: { id: string; body: NewCampaign }) {
  const plan = useSignal<CampaignPlan | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const key = JSON.stringify(body);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => void ask(controller.signal), pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  async function ask(signal: AbortSignal): Promise<void> {
    const { schedule, maxCps, agentId, phoneNumberId } = body;
    const unsaved = { schedule: schedule ?? {}, maxCps: maxCps ?? null, agentId: agentId ?? null };
    try {
      const sent = { ...unsaved, phoneNumberId: phoneNumberId ?? null };
      plan.value = (await planUnsavedCampaign(api, { params: { id }, body: sent, signal })).data;
      problem.value = undefined;
    } catch (error) {
      if (!isAborted(error)) problem.value = messageOf(error);
    }
  }
  return (
    <>
      {problem.value !== undefined && <p class="notice warn">{problem.value}</p>}
      {plan.value ? <ForecastChart plan={plan.value} /> : <ForecastChart plan={nothing} />}
    </>
  );
}
