import type { Campaign } from '../../client.ts';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useSummary } from '../../state/summary.ts';
import { campaigns } from '../../text/campaigns.ts';
import { number } from '../../text/plural.ts';

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

/** How far the campaign is, as it happens. */
export function Progress({ campaign, live }: { campaign: Campaign; live: LiveCampaign | undefined }) {
  const { contactStats, outboundMaxConcurrent: limit } = campaign;
  const {
    no_answer: noAnswer,
    in_progress: inProgress,
    ...rest
  } = live?.stats ?? {
    ...contactStats,
    no_answer: contactStats.noAnswer,
    in_progress: contactStats.inProgress,
  };
  const figures = { ...rest, noAnswer, inProgress };
  const rows = Object.entries(campaigns.rows).map(([key, name]) => ({
    name,
    value: figures[key as keyof typeof figures],
  }));
  useSummary(
    live &&
      campaigns.summary(
        live.stats.total - live.stats.pending - live.stats.in_progress,
        live.stats.total,
        live.in_flight,
      ),
  );
  const inFlight = live?.in_flight ?? contactStats.inProgress;
  return (
    <div class="columns">
      <Table
        caption={campaigns.outcomes}
        titled
        rows={[...rows, { name: campaigns.total, value: figures.total }]}
        rowKey={({ name }) => name}
        columns={[
          { name: campaigns.outcome, cell: ({ name }) => name },
          { name: campaigns.contactsCount, cell: ({ value }) => number(value), numeric: true },
        ]}
      />
      <div>
        <p class="meter-line">
          <label for="in-flight">{campaigns.inFlight}</label>
          <meter id="in-flight" min={0} max={limit} value={inFlight} />
          <span class="figure">{campaigns.progressOf(inFlight, limit)}</span>
        </p>
        {campaign.executionStatus === 'running' && (
          <div class="live-facts">
            {live && (
              <>
                <p>{campaigns.startedPerMin(live.started_per_min)}</p>
                <p>
                  {live.open ? (
                    campaigns.openNow
                  ) : (
                    <>
                      {campaigns.opensNext} <Instant at={live.next_opening_at} relative />
                    </>
                  )}
                </p>
              </>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
