import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import {
  api,
  type Campaign,
  type CampaignPlan,
  isAborted,
  type NewCampaign,
  planNewCampaign,
  planUnsavedCampaign,
} from '../../client.ts';
import { Facts } from '../../parts/facts.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { isZone } from '../../parts/wall-clock.ts';
import { messageOf } from '../../state/form.ts';
import { campaigns } from '../../text/campaigns.ts';
import { number } from '../../text/plural.ts';
import { ForecastChart, NobodyWaits } from './forecast.tsx';

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
          { name: campaigns.opens, cell: ({ opens_at: at }) => <Instant at={at} />, instants: true },
          { name: campaigns.closes, cell: ({ closes_at: at }) => <Instant at={at} />, instants: true },
          { name: campaigns.expected, cell: ({ expected }) => number(expected), numeric: true },
          { name: campaigns.left, cell: ({ left }) => number(left), numeric: true },
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
  course: [],
  ready: { ok: false, missing: [] },
  by_zone: [],
};

/** Waits until the person stops typing. */
const pauseMs = 400;

type Asked = { data: CampaignPlan };

/** The answer for the fields as they are; asked for once they rest, and not for those of before. */
function usePlan(body: NewCampaign, rest: string, ask: (sent: Unsaved, signal: AbortSignal) => Promise<Asked>) {
  const plan = useSignal<CampaignPlan | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const sent = unsavedOf(body);
  const key = `${JSON.stringify(sent)} ${rest}`;
  useEffect(() => {
    const controller = new AbortController();
    const answer = async (): Promise<void> => {
      try {
        plan.value = (await ask(sent, controller.signal)).data;
        problem.value = undefined;
      } catch (error) {
        if (!isAborted(error)) problem.value = messageOf(error);
      }
    };
    const timer = isPlannable(sent) ? setTimeout(() => void answer(), pauseMs) : undefined;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return { plan: plan.value, problem: problem.value };
}

/** The fields that change a plan. */
const unsavedOf = ({ schedule, maxCps, retryOn, agentId, phoneNumberId, phoneNumberIds }: NewCampaign) => ({
  schedule: schedule ?? {},
  maxCps: maxCps ?? null,
  retryOn: retryOn ?? null,
  agentId: agentId ?? null,
  ...(phoneNumberIds === undefined ? { phoneNumberId: phoneNumberId ?? null } : { phoneNumberIds }),
});
type Unsaved = ReturnType<typeof unsavedOf>;

const isWithin = (value: number | null | undefined, min: number, max: number): boolean =>
  value === undefined || (value !== null && value >= min && value <= max);

/** Whether the fields can be planned. In the midst of typing many cannot, and the server is not asked about them. */
function isPlannable({ schedule, maxCps }: Unsaved): boolean {
  const { timezone, windowStart, windowEnd, windowDays, start, end } = schedule;
  return (
    isZone(timezone ?? '') &&
    (windowStart === null) === (windowEnd === null) &&
    (windowStart === null || windowStart !== windowEnd) &&
    windowDays?.length !== 0 &&
    (!start || !end || start < end) &&
    isWithin(maxCps, 1, 100) &&
    isWithin(schedule.maxConcurrent, 1, 1000) &&
    isWithin(schedule.retryAttempts, 0, 10) &&
    isWithin(schedule.retryGapMin, 1, 10_080)
  );
}

/** `waits`: whether anybody waits to be called, as far as that is known before the first answer. */
function Shown({ plan, problem, waits }: ReturnType<typeof usePlan> & { waits: boolean }) {
  const isEmpty = plan ? plan.eligible === 0 : !waits;
  return (
    <>
      {problem !== undefined && <p class="notice warn">{problem}</p>}
      {isEmpty ? <NobodyWaits /> : <ForecastChart plan={plan ?? nothing} />}
    </>
  );
}

/** The plan of settings that are not saved yet. */
export function Forecast({ campaign, body }: { campaign: Campaign; body: NewCampaign }) {
  const { id, contactStats } = campaign;
  const shown = usePlan(body, id, (sent, signal) => planUnsavedCampaign(api, { params: { id }, body: sent, signal }));
  return <Shown {...shown} waits={contactStats.pending > 0} />;
}

/** People that a new campaign is planned for until somebody says how many. */
const assumedContacts = '200';
const maxContacts = 10_000_000;

/** The plan of a campaign that does not exist yet, for a number of people. */
export function NewForecast({ body, setZone }: { body: NewCampaign; setZone(zone: string | undefined): void }) {
  const written = useSignal(assumedContacts);
  const id = useId();
  const contacts = Math.min(Math.max(Math.trunc(Number(written.value)) || 0, 0), maxContacts);
  const zone = body.schedule?.timezone ?? '';
  useEffect(() => setZone(isZone(zone) ? zone : undefined), [zone]);
  const shown = usePlan(body, String(contacts), (sent, signal) =>
    planNewCampaign(api, { body: { ...sent, contacts }, signal }),
  );
  return (
    <>
      <div class="field">
        <label for={id}>{campaigns.plannedContacts}</label>
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={0}
          max={maxContacts}
          value={written.value}
          onInput={({ currentTarget }) => void (written.value = currentTarget.value)}
        />
      </div>
      <Shown {...shown} waits={contacts > 0} />
    </>
  );
}
