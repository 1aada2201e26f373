import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { api, listCampaigns } from '../../client.ts';
import { Loaded } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { useLive } from '../../state/live.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { number } from '../../text/plural.ts';
import { overview } from '../../text/overview.ts';

/** The figures are loaded again this often while something happens. */
export const reloadEveryMs = 10_000;

export function RunningCampaigns({ children }: { children: ComponentChildren }) {
  const campaigns = useResource(
    'running',
    async (signal) => (await listCampaigns(api, { query: { status: 'active', limit: 100 }, signal })).data,
  );
  const live = useLive<{ in_flight: number; running_campaigns: number }>('overview');
  useEffect(() => {
    if (live) campaigns.reload();
  }, [live?.running_campaigns]);
  const isBusy = (live?.in_flight ?? 0) > 0;
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(campaigns.reload, reloadEveryMs);
    return () => clearInterval(timer);
  }, [isBusy]);
  return (
    <>
      <section>
        <h2>{overview.runs}</h2>
        <Loaded of={campaigns}>
          {(rows) => (
            <Table
              caption={overview.runs}
              rows={rows}
              rowKey={({ id }) => id}
              empty={overview.nothingRuns}
              columns={[
                { name: overview.campaign, cell: ({ id, name }) => <a href={`/campaigns/${id}`}>{name}</a> },
                { name: overview.onThePhone, cell: ({ contactStats: n }) => number(n.inProgress), numeric: true },
                { name: overview.reached, cell: ({ contactStats: n }) => number(n.contacted), numeric: true },
                { name: overview.waiting, cell: ({ contactStats: n }) => number(n.pending), numeric: true },
              ]}
            />
          )}
        </Loaded>
      </section>
      {isSettled(campaigns) && children}
    </>
  );
}
