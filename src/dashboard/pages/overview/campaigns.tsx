import type { Campaign } from '../../client.ts';
import { ShareBar } from '../../parts/bar.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { common, pages as names } from '../../text/en.ts';
import { overview } from '../../text/overview.ts';
import { number, percent } from '../../text/plural.ts';

const maxShown = 8;
const order = ['running', 'paused', 'draft', 'completed'];

const stateOf = ({ status, executionStatus }: Campaign): string =>
  status === 'draft' || status === 'completed' ? status : executionStatus;

const rankOf = (campaign: Campaign): number => order.indexOf(stateOf(campaign));

type Finish = { campaignId: string | undefined; at: string | null };
type Props = { campaigns: readonly Campaign[]; total: number; finish: Finish };

/** Those that run stand first. */
export function Campaigns({ campaigns, total, finish }: Props) {
  const rows = campaigns.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, maxShown);
  return (
    <section>
      <div class="panel-head">
        <h2>{names.campaigns}</h2>
        <a href="/campaigns">{overview.allCampaigns(total)}</a>
      </div>
      <Table
        caption={names.campaigns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={overview.noCampaigns}
        columns={[
          {
            name: overview.campaign,
            cell: (row) => (
              <>
                <a href={`/campaigns/${row.id}`}>{row.name}</a>
                <span class="sub">
                  <Status value={stateOf(row)} />
                </span>
              </>
            ),
          },
          { name: overview.progress, cell: (row) => <Progress campaign={row} /> },
          { name: overview.answered, cell: ({ contactStats }) => answeredOf(contactStats), numeric: true },
          { name: overview.goals, cell: ({ contactStats }) => number(contactStats.successful), numeric: true },
          {
            name: overview.onThePhone,
            cell: ({ contactStats, schedule }) => overview.of(contactStats.inProgress, schedule.maxConcurrent),
            numeric: true,
          },
          {
            name: overview.finishes,
            cell: ({ id }) => <Instant at={id === finish.campaignId ? finish.at : null} />,
          },
        ]}
      />
    </section>
  );
}

function Progress({ campaign: { contactStats } }: { campaign: Campaign }) {
  const { total, pending, inProgress, contacted, noAnswer, failed } = contactStats;
  return (
    <>
      <ShareBar
        parts={[
          { kind: 'answered', value: contacted },
          { kind: 'noanswer', value: noAnswer },
          { kind: 'failed', value: failed },
          { kind: 'waiting', value: pending + inProgress },
        ]}
      />
      <span class="sub">{overview.of(total - pending - inProgress, total)}</span>
    </>
  );
}

function answeredOf({ contacted, noAnswer, failed }: Campaign['contactStats']): string {
  const reached = contacted + noAnswer + failed;
  return reached === 0 ? common.none : percent(contacted / reached);
}
