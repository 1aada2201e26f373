import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  api,
  type CampaignActivity,
  type CampaignHour,
  getCampaignActivity,
  getCampaignHours,
  listCampaignEvents,
} from '../../client.ts';
import { Chart, type Series } from '../../parts/chart.tsx';
import { Loaded } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useResource } from '../../state/resource.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { duration, number, percent } from '../../text/plural.ts';
import type { LiveCampaign } from './progress.tsx';

const outcomes = ['completed', 'no_answer', 'busy', 'voicemail', 'failed'] as const;
const tones: readonly Series['tone'][] = ['good', 'warn', 'live', 'plain', 'bad'];

/** While calls end, the figures are asked for again after this time. */
const refreshMs = 5000;

type PartProps = { id: string; version: string; children: ComponentChildren };

export function OverTime({ id, version, children }: PartProps) {
  const activity = useResource(id, async (signal) => {
    const [steps, hours] = await Promise.all([
      getCampaignActivity(api, { params: { id }, signal }),
      getCampaignHours(api, { params: { id }, signal }),
    ]);
    return { steps: steps.data, hours: hours.data };
  });
  useEffect(() => {
    const timer = setTimeout(activity.reload, refreshMs);
    return () => clearTimeout(timer);
  }, [version]);
  return (
    <Loaded of={activity}>
      {({ steps, hours }) => (
        <>
          <ActivityChart steps={steps} />
          <Hours hours={hours} />
          {children}
        </>
      )}
    </Loaded>
  );
}

function ActivityChart({ steps }: { steps: readonly CampaignActivity[] }) {
  return (
    <Chart
      caption={campaigns.overTime}
      series={outcomes.map((outcome, index) => ({ name: campaigns.calls[outcome], tone: tones[index]! }))}
      bars={steps.map((step) => ({ key: step.at, values: outcomes.map((outcome) => step[outcome]) }))}
    >
      <Table
        caption={campaigns.overTime}
        rows={steps}
        rowKey={({ at }) => at}
        columns={[
          { name: campaigns.step, cell: ({ at }) => <Instant at={at} /> },
          ...(['started', ...outcomes] as const).map((field) => ({
            name: campaigns.calls[field],
            cell: (step: CampaignActivity) => number(step[field]),
            numeric: true,
          })),
        ]}
      />
    </Chart>
  );
}

export function LatestCalls({ live }: { live: LiveCampaign | undefined }) {
  if (!live || live.calls.length === 0) return null;
  return (
    <section>
      <h2>{campaigns.latest}</h2>
      <Table
        caption={campaigns.latest}
        rows={live.calls}
        rowKey={({ call_session_id: id }) => id}
        columns={[
          {
            name: campaigns.phone,
            cell: ({ call_session_id: id, phone }) => <a href={`/calls/${id}`}>{phone}</a>,
            whole: true,
          },
          { name: campaigns.contact, cell: ({ caller_name: name }) => name ?? common.none },
          { name: campaigns.state, cell: ({ state, status }) => <Status value={status ?? state} /> },
          { name: campaigns.started_at, cell: ({ started_at: at }) => <Instant at={at} /> },
          { name: campaigns.length, cell: ({ duration_sec: seconds }) => duration(seconds), numeric: true },
        ]}
      />
    </section>
  );
}

/** When people answer: a row for each weekday, in the campaign's zone. */
function Hours({ hours }: { hours: readonly CampaignHour[] }) {
  if (!hours.some(({ calls }) => calls > 0)) return null;
  const called = [...new Set(hours.filter(({ calls }) => calls > 0).map(({ hour }) => hour))].toSorted((a, b) => a - b);
  const days = campaigns.dayNames.map((name, index) => ({
    name,
    hours: hours.filter(({ weekday }) => weekday === index + 1),
  }));
  return (
    <section class="hours">
      <h2>{campaigns.byHour}</h2>
      <Table
        caption={campaigns.byHour}
        rows={days}
        rowKey={({ name }) => name}
        columns={[
          { name: campaigns.weekday, cell: ({ name }) => name },
          ...called.map((hour) => ({
            name: `${String(hour).padStart(2, '0')}:00`,
            cell: (day: (typeof days)[number]) => rateOf(day.hours.find((each) => each.hour === hour)),
            numeric: true,
          })),
        ]}
      />
    </section>
  );
}

function rateOf(hour: CampaignHour | undefined) {
  if (!hour || hour.calls === 0) return common.none;
  return <span title={campaigns.rate(hour.answered, hour.calls)}>{percent(hour.answered / hour.calls)}</span>;
}

export function History({ id, version, children }: PartProps) {
  const events = useResource(
    `${id} ${version}`,
    async (signal) => (await listCampaignEvents(api, { params: { id }, query: { limit: 50 }, signal })).data,
  );
  return (
    <section>
      <h2>{campaigns.history}</h2>
      <Loaded of={events}>
        {(rows) => (
          <>
            <Table
              caption={campaigns.history}
              rows={rows.map((event, index) => ({ ...event, index }))}
              rowKey={({ index }) => String(index)}
              columns={[
                { name: campaigns.event, cell: ({ type }) => campaigns.events[type] ?? type },
                { name: campaigns.at, cell: ({ at }) => <Instant at={at} /> },
                { name: campaigns.by, cell: ({ actor }) => (actor === null ? campaigns.engine : actor.name) },
              ]}
            />
            {children}
          </>
        )}
      </Loaded>
    </section>
  );
}
