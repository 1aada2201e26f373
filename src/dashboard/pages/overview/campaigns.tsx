import type { Campaign, CampaignOutlook } from '../../client.ts';
import { Moment } from '../../parts/few/moment.tsx';
import { ShareBar } from '../../parts/bar.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { common, pages as names } from '../../text/en.ts';
import { overview } from '../../text/overview.ts';
import { number, percent } from '../../text/plural.ts';
import { type Outlooks, stateOf } from './load.ts';

type Props = {
  campaigns: readonly Campaign[];
  total: number;
  /** Undefined until they are known. */
  outlooks: Outlooks | undefined;
};

export function Campaigns({ campaigns, total, outlooks }: Props) {
  return (
    <section>
      <div class="panel-head">
        <h2>{names.campaigns}</h2>
        <a href="/campaigns">{overview.allCampaigns(total)}</a>
      </div>
      <Table
        caption={names.campaigns}
        rows={campaigns}
        rowKey={({ id }) => id}
        empty={overview.noCampaigns}
        columns={[
          {
            name: overview.campaign,
            cell: (row) => (
              <>
                <a href={`/campaigns/${row.id}`}>{row.name}</a>
                <span class="sub">
                  <State campaign={row} outlook={outlooks?.get(row.id)} />
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
            name: overview.window,
            cell: ({ id, status }) =>
              status === 'completed' ? (
                common.none
              ) : (
                <Window outlook={outlooks?.get(id)} isKnown={outlooks !== undefined} />
              ),
            whole: true,
          },
          {
            name: overview.finishes,
            cell: ({ id }) =>
              outlooks ? <Moment at={outlooks.get(id)?.finishes_at ?? null} none={common.none} /> : waiting,
            whole: true,
          },
        ]}
      />
    </section>
  );
}

const waiting = '…';

type StateProps = { campaign: Campaign; outlook: CampaignOutlook | undefined };

/** A campaign that runs outside of its hours calls nobody now. */
function State({ campaign, outlook }: StateProps) {
  const state = stateOf(campaign);
  const waits = state === 'running' && outlook?.open === false;
  return (
    <>
      {waits ? <Status value="pending">{overview.waitsForWindow}</Status> : <Status value={state} />}
      {outlook?.agent_name && <bdi class="quiet"> · {outlook.agent_name}</bdi>}
    </>
  );
}

/** When the hours end, or begin. */
function Window({ outlook, isKnown }: { outlook: CampaignOutlook | undefined; isKnown: boolean }) {
  if (!outlook) return <>{isKnown ? common.none : waiting}</>;
  const { open, opens_at: opens, closes_at: closes } = outlook;
  if (open && closes === null) return <>{overview.alwaysOpen}</>;
  return (
    <>
      {open ? overview.closes : overview.opens} <Moment at={open ? closes : opens} none={overview.never} />
    </>
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
