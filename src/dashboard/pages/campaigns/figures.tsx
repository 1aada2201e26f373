import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { api, type CampaignActivity, getCampaignActivity, getCampaignHours, listCampaignEvents } from '../../client.ts';
import { Chart, type Series } from '../../parts/chart.tsx';
import { LiveLength } from '../../parts/live-length.tsx';
import { Loaded } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useResource } from '../../state/resource.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { number } from '../../text/plural.ts';
import { Hours } from './hours.tsx';
import type { LiveCampaign } from './progress.tsx';
import type { Window } from './week.ts';

const outcomes = ['completed', 'no_answer', 'busy', 'voicemail', 'failed'] as const;
const tones: readonly Series['tone'][] = ['good', 'warn', 'live', 'plain', 'bad'];

/** While calls end, the figures are asked for again after this time. */
const refreshMs = 5000;

type PartProps = { id: string; version: string; children: ComponentChildren };

export function OverTime({ id, version, window, children }: PartProps & { window: Window }) {
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
          <Hours hours={hours} window={window} />
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
        stacks={false}
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
          {
            name: campaigns.length,
            cell: ({ state, started_at: at, duration_sec: seconds }) => (
              <LiveLength since={state === 'ended' ? null : at} seconds={seconds} />
            ),
            numeric: true,
            whole: true,
          },
        ]}
      />
    </section>
  );
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
