import { useEffect } from 'preact/hooks';
import {
  type Agent,
  api,
  type Campaign,
  type CampaignPlan,
  getAgent,
  getCampaign,
  planCampaign,
} from '../../client.ts';
import { ThingHistory } from '../../parts/few/history.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { PageTabs } from '../../parts/tabs.tsx';
import { useLive } from '../../state/live.ts';
import type { Params } from '../../state/pages.ts';
import { type Resource, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { pages as names } from '../../text/en.ts';
import { Actions } from './actions.tsx';
import { BeforeStart, missingOf, numberFaultOf } from './before-start.tsx';
import { Contacts } from './contacts.tsx';
import { History } from './history.tsx';
import { LiveTab } from './live-tab.tsx';
import { figuresOf, type LiveCampaign } from './progress.tsx';
import { Settings } from './settings.tsx';
import { stateOf } from './state.ts';

/** `draft`: a draft as it was planned, which its checklist and its forecast share. */
type Loading = {
  campaign: Campaign;
  agent: Agent | undefined;
  draft: { campaign: Campaign; plan: CampaignPlan } | undefined;
};

export function CampaignPage({ params }: { params: Params }) {
  const id = params['id']!;
  const loaded = useResource(id, async (signal): Promise<Loading> => {
    const { data: campaign } = await getCampaign(api, { params: { id }, signal });
    const { agentId, status } = campaign;
    const [plan, agent] = await Promise.all([
      status === 'draft' ? planCampaign(api, { params: { id }, signal }) : undefined,
      // An agent that is gone takes nothing of the page away.
      agentId === null ? undefined : getAgent(api, { params: { agent_id: agentId }, signal }).catch(() => undefined),
    ]);
    return { campaign, agent: agent?.data, draft: plan && { campaign, plan: plan.data } };
  });
  return (
    <Loaded of={loaded} heading="…">
      {({ campaign, ...rest }) => (
        <Shown
          campaign={campaign}
          {...rest}
          loaded={{ ...loaded, data: campaign, set: (fresh) => loaded.set({ campaign: fresh, ...rest }) }}
        />
      )}
    </Loaded>
  );
}

type Props = Loading & { loaded: Resource<Campaign> };

function Shown({ campaign, agent, draft, loaded }: Props) {
  const { id } = campaign;
  const live = useLive<LiveCampaign>(`campaign:${id}`);
  const isOld = live !== undefined && live.execution_status !== campaign.executionStatus;
  useEffect(() => {
    if (isOld) loaded.reload();
  }, [isOld, live?.execution_status]);
  // Changes with each outcome, so that lists and figures are asked for again.
  const version = JSON.stringify(figuresOf({ campaign, live }));
  const number = draft && numberFaultOf(draft.campaign, draft.plan);
  const missing = isMember.value ? missingOf({ campaign, agent, number }) : [];
  const plan = draft?.campaign.version === campaign.version ? draft.plan : undefined;
  return (
    <Page
      heading={campaign.name}
      crumb={{ href: '/campaigns', name: names.campaigns }}
      state={<Status value={stateOf(campaign)} pill />}
      about={<About campaign={campaign} agent={agent} />}
      zone={campaign.schedule.timezone}
      actions={<Actions campaign={campaign} loaded={loaded} canStart={missing.length === 0} />}
    >
      <BeforeStart missing={missing} />
      {campaign.status === 'draft' && missing.length === 0 && <p class="notice">{campaigns.draft}</p>}
      <PageTabs
        label={campaign.name}
        tabs={[
          {
            id: 'live',
            name: campaigns.tabs.live,
            show: () => <LiveTab campaign={campaign} live={live} version={version} plan={plan} />,
          },
          {
            id: 'contacts',
            name: campaigns.tabs.contacts,
            show: () => <Contacts campaign={campaign} version={`${version} ${campaign.contactStats.total}`} />,
          },
          {
            id: 'settings',
            name: campaigns.tabs.settings,
            show: () => <Settings campaign={campaign} loaded={loaded} />,
          },
          {
            id: 'history',
            name: campaigns.tabs.history,
            show: () => (
              <>
                <History id={id} version={campaign.updatedAt + campaign.executionStatus} />
                <ThingHistory kind="campaign" id={id} version={campaign.version} caption={campaigns.changes} />
              </>
            ),
          },
        ]}
      />
    </Page>
  );
}

/** Who calls from where, and when. */
function About({ campaign: { agentId, fromPhoneNumber, schedule }, agent }: Omit<Loading, 'draft'>) {
  const { windowStart, windowEnd, windowDays, timezone } = schedule;
  return (
    <>
      {agentId !== null && (
        <>
          <a href={`/agents/${agentId}`}>{agent?.agentName ?? campaigns.agent}</a>
          {' · '}
        </>
      )}
      {fromPhoneNumber !== null && `${campaigns.fromPhone(fromPhoneNumber)} · `}
      {campaigns.hoursIn(windowDays, windowStart, windowEnd, timezone)}
    </>
  );
}
