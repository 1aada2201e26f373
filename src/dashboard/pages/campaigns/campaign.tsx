import { useEffect } from 'preact/hooks';
import { api, type Campaign, getCampaign } from '../../client.ts';
import { campaigns } from '../../text/campaigns.ts';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { useLive } from '../../state/live.ts';
import type { Params } from '../../state/pages.ts';
import { type Resource, useResource } from '../../state/resource.ts';
import { Actions } from './actions.tsx';
import { Contacts } from './contacts.tsx';
import { History, LatestCalls, OverTime } from './figures.tsx';
import { type LiveCampaign, Progress } from './progress.tsx';
import { Settings } from './settings.tsx';

export function CampaignPage({ params }: { params: Params }) {
  const id = params['id']!;
  const loaded = useResource(id, async (signal) => (await getCampaign(api, { params: { id }, signal })).data);
  return (
    <Loaded of={loaded} heading="…">
      {(campaign) => <Shown campaign={campaign} loaded={loaded} />}
    </Loaded>
  );
}

function Shown({ campaign, loaded }: { campaign: Campaign; loaded: Resource<Campaign> }) {
  const { id } = campaign;
  const live = useLive<LiveCampaign>(`campaign:${id}`);
  const isOld = live !== undefined && live.execution_status !== campaign.executionStatus;
  useEffect(() => {
    if (isOld) loaded.reload();
  }, [isOld, live?.execution_status]);
  // Changes with each outcome, so that lists and figures below are asked for again.
  const version = live === undefined ? '' : JSON.stringify(live.stats);
  // Each part shows those below it once it has loaded, so that nothing that is shown moves.
  return (
    <Page
      heading={campaign.name}
      zone={campaign.schedule.timezone}
      actions={<Actions campaign={campaign} loaded={loaded} />}
    >
      <p>
        <Status
          value={campaign.status === 'active' && campaign.executionStatus === 'paused' ? 'held' : campaign.status}
        />
      </p>
      {campaign.status === 'draft' && (
        <p class="notice">{campaign.contactStats.total === 0 ? campaigns.emptyDraft : campaigns.draft}</p>
      )}
      <Progress campaign={campaign} live={live} />
      <OverTime id={id} version={version} window={campaign.schedule}>
        <Contacts campaign={campaign} version={version}>
          <Settings campaign={campaign} loaded={loaded}>
            <History id={id} version={campaign.updatedAt + campaign.executionStatus}>
              <LatestCalls live={live} />
            </History>
          </Settings>
        </Contacts>
      </OverTime>
    </Page>
  );
}
