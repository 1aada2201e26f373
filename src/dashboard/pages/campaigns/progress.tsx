import type { Campaign } from '../../client.ts';
import { ShareBar } from '../../parts/bar.tsx';
import { Swatch } from '../../parts/chart.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useSummary } from '../../state/summary.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { number, percent } from '../../text/plural.ts';

/** The live topic of a campaign. */
export type LiveCampaign = {
  status: Campaign['status'];
  execution_status: Campaign['executionStatus'];
  stats: {
    total: number;
    contacted: number;
    successful: number;
    failed: number;
    pending: number;
    no_answer: number;
    in_progress: number;
  };
  in_flight: number;
  started_per_min: number;
  calls: LiveCall[];
  next_opening_at: string | null;
  open: boolean;
};

export type LiveCall = {
  call_session_id: string;
  phone: string;
  caller_name: string | null;
  state: string;
  status: string | null;
  duration_sec: number;
  created_at: string;
  started_at: string | null;
};

type Props = { campaign: Campaign; live: LiveCampaign | undefined };

/** The latest figures, by the names of the campaign. */
export function figuresOf({ campaign: { contactStats }, live }: Props) {
  const { total, contacted, successful, failed, pending } = live?.stats ?? contactStats;
  const noAnswer = live?.stats.no_answer ?? contactStats.noAnswer;
  const inProgress = live?.stats.in_progress ?? contactStats.inProgress;
  return { total, contacted, successful, failed, pending, noAnswer, inProgress };
}

/** How many contacts ended how; who reached the goal is no longer merely answered. */
const sharesOf = ({ successful, contacted, noAnswer, failed }: Campaign['contactStats']) =>
  [
    { kind: 'goal', name: campaigns.goalMet, value: successful },
    { kind: 'answered', name: campaigns.answered, value: contacted - successful },
    { kind: 'noanswer', name: campaigns.rows.noAnswer, value: noAnswer },
    { kind: 'failed', name: campaigns.rows.failed, value: failed },
  ] as const;

/** How far the campaign is, by outcome. `finishesAt`: undefined where the plan is older than the contacts that wait. */
export function Progress({ finishesAt, ...props }: Props & { finishesAt: string | null | undefined }) {
  const { campaign, live } = props;
  const figures = figuresOf(props);
  const { total, pending, inProgress } = figures;
  const done = total - pending - inProgress;
  useSummary(campaigns.summary(done, total, live?.in_flight ?? inProgress));
  return (
    <section aria-label={campaigns.progress}>
      <div class="panel-head">
        <p>
          <strong>{campaigns.done(done, total)}</strong>
          {campaigns.doneRest(inProgress, pending)}
        </p>
        {campaign.status !== 'completed' && pending > 0 && finishesAt !== undefined && (
          <p class="quiet">
            {campaigns.finishes} <Instant at={finishesAt} none={campaigns.noFinish} relative />
          </p>
        )}
      </div>
      <ShareBar tall parts={[...sharesOf(figures), { kind: 'waiting' as const, value: pending + inProgress }]} />
      <ul class="legend" aria-hidden="true">
        {sharesOf(figures).map(({ kind, name, value }) => (
          <li key={kind}>
            <Swatch kind={kind} />
            {name} <b>{number(value)}</b>
          </li>
        ))}
        <li>
          <Swatch kind="waiting" />
          {campaigns.rows.pending} <b>{number(pending)}</b>
        </li>
      </ul>
    </section>
  );
}

/** How fast the agent replied in the last seven days; undefined without calls. */
type Latency = { p50_ms: number | null; p95_ms: number | null } | undefined;

/** The campaign's figures of the moment. */
export function InFlight({ latency, ...props }: Props & { latency: Latency }) {
  const { campaign, live } = props;
  const { outboundMaxConcurrent: limit, contactStats } = campaign;
  const { contacted, successful, noAnswer, failed } = figuresOf(props);
  const reached = contacted + noAnswer + failed;
  const inFlight = live?.in_flight ?? contactStats.inProgress;
  return (
    <ul class="figures" aria-label={campaigns.figures}>
      <li>
        <span class="label">{campaigns.answerRate}</span>
        <span class="big">{reached === 0 ? common.none : percent(contacted / reached)}</span>
        <span class="note">{campaigns.ofContacts(contacted, reached)}</span>
      </li>
      <li>
        <span class="label">{campaigns.goalsMet}</span>
        <span class="big">{number(successful)}</span>
        <span class="note">
          {contacted === 0 ? campaigns.noGoals : campaigns.goalShare(percent(successful / contacted))}
        </span>
      </li>
      <li>
        <label class="label" for="in-flight">
          {campaigns.inFlight}
        </label>
        <span class="big">
          {number(inFlight)} <small>{campaigns.ofLimit(limit)}</small>
        </span>
        <meter id="in-flight" min={0} max={limit} value={inFlight} />
      </li>
      <li>
        <span class="label">{campaigns.pace}</span>
        <span class="big">
          {number(live?.started_per_min ?? 0)} <small>{campaigns.aMinute}</small>
        </span>
        <span class="note">{campaigns.paceLimit(campaign.outboundMaxCps)}</span>
      </li>
      <li>
        <span class="label">{campaigns.reply}</span>
        <span class="big">{campaigns.ms(latency?.p50_ms ?? null)}</span>
        <span class="note">{campaigns.mostReplies(latency?.p95_ms ?? null)}</span>
      </li>
      <li>
        <span class="label">{campaigns.window}</span>
        <WindowState campaign={campaign} live={live} />
      </li>
    </ul>
  );
}

function WindowState({ campaign, live }: Props) {
  if (campaign.executionStatus !== 'running') return <span class="big">{common.none}</span>;
  if (!live) return <span class="big">…</span>;
  return (
    <>
      <span class="big">{live.open ? campaigns.open : campaigns.closed}</span>
      {!live.open && (
        <span class="note">
          {campaigns.opensNext} <Instant at={live.next_opening_at} relative />
        </span>
      )}
    </>
  );
}

export function OutcomeTable(props: Props) {
  const figures = figuresOf(props);
  const rows = Object.entries(campaigns.rows).map(([key, name]) => ({
    name,
    value: figures[key as keyof typeof campaigns.rows],
  }));
  return (
    <section>
      <h2>{campaigns.outcomes}</h2>
      <Table
        caption={campaigns.outcomes}
        rows={[...rows, { name: campaigns.total, value: figures.total }]}
        rowKey={({ name }) => name}
        columns={[
          { name: campaigns.outcome, cell: ({ name }) => name },
          { name: campaigns.contactsCount, cell: ({ value }) => number(value), numeric: true },
        ]}
      />
    </section>
  );
}
