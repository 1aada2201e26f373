import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import {
  api,
  type Campaign,
  type CampaignZone,
  deleteCampaign,
  getCampaign,
  listCampaignZones,
  updateCampaign,
} from '../../client.ts';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ActionProblem, Loaded } from '../../parts/page.tsx';
import { valueText } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { navigate } from '../../state/location.ts';
import { isSettled, type Resource, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { list, number } from '../../text/plural.ts';
import { CampaignForm, loadChoices } from './form.tsx';
import { Forecast } from './plan.tsx';
import { WeekGrid } from './week-grid.tsx';

type Props = { campaign: Campaign; loaded: Resource<Campaign> };

const loadZones = async (id: string, signal: AbortSignal): Promise<CampaignZone[]> =>
  (await listCampaignZones(api, { params: { id }, signal })).data;

/** The settings of a campaign, and below them `children`, both shown once nothing of them moves any more. */
export function Settings({ campaign, loaded, children }: Props & { children: ComponentChildren }) {
  const editing = useSignal(false);
  const { schedule } = campaign;
  const choices = useResource('choices', loadChoices);
  const zones = useResource(`zones ${campaign.id} ${campaign.contactStats.total}`, (signal) =>
    loadZones(campaign.id, signal),
  );
  const agent = choices.data?.agents.find(({ id }) => id === campaign.agentId);
  const { windowStart, windowEnd, windowDays } = schedule;
  if (!isSettled(zones)) return null;
  return (
    <>
      <section>
        <h2>{campaigns.settings}</h2>
        <Facts
          facts={[
            [
              campaigns.agent,
              campaign.agentId && <a href={`/agents/${campaign.agentId}`}>{agent?.agentName ?? common.none}</a>,
            ],
            [campaigns.number, campaign.fromPhoneNumber],
            [campaigns.zone, schedule.timezone],
            [
              campaigns.window,
              windowStart === null || windowEnd === null ? campaigns.anyHour : campaigns.from(windowStart, windowEnd),
            ],
            [campaigns.days, list(windowDays.map((day) => campaigns.dayNames[day - 1]!))],
            [campaigns.start, schedule.start && <Instant at={schedule.start} />],
            [campaigns.end, schedule.end && <Instant at={schedule.end} />],
            [campaigns.atATime, number(schedule.maxConcurrent)],
            [campaigns.perSecond, number(campaign.maxCps)],
            [campaigns.retries, campaigns.retriesOf(schedule.retryAttempts, schedule.retryGapMin)],
            [campaigns.retryOn, list(campaign.retryOn.map(valueText))],
          ]}
        />
        <WeekGrid {...schedule} zones={zones.data} />
        {isMember.value && (
          <div class="actions">
            {campaign.status !== 'completed' && (
              <button type="button" onClick={() => void (editing.value = true)}>
                {campaigns.edit}
              </button>
            )}
            <Deletion campaign={campaign} />
          </div>
        )}
        {editing.value && (
          <EditDialog
            campaign={campaign}
            loaded={loaded}
            zones={zones.data}
            close={() => void (editing.value = false)}
          />
        )}
      </section>
      {children}
    </>
  );
}

type EditProps = Props & { zones: readonly CampaignZone[] | undefined; close: () => void };

function EditDialog({ campaign, loaded, zones, close }: EditProps) {
  const { id } = campaign;
  const choices = useResource('choices', loadChoices);
  return (
    <Dialog title={campaigns.editTitle} close={close} bare wide>
      {campaign.executionStatus === 'running' && <p class="notice warn">{campaigns.editRunning}</p>}
      <Loaded of={choices}>
        {(loadedChoices) => (
          <CampaignForm
            choices={loadedChoices}
            campaign={campaign}
            zones={zones}
            submit={common.save}
            cancel={close}
            forecast={(body) => <Forecast id={id} body={body} />}
            reload={async () => (await getCampaign(api, { params: { id } })).data}
            save={async (body, { basedOn }) => {
              const { data } = await updateCampaign(api, { params: { id }, body, ...basedOn });
              loaded.set(data);
              close();
            }}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

function Deletion({ campaign }: { campaign: Campaign }) {
  const asking = useSignal(false);
  const action = useAction();
  const remove = async (): Promise<void> => {
    const isDone = await action.run(
      async () => void (await deleteCampaign(api, { params: { id: campaign.id }, ifMatch: campaign.version })),
      campaigns.deleted,
    );
    if (isDone) await navigate('/campaigns');
  };
  if (campaign.executionStatus === 'running') return null;
  return (
    <>
      <button type="button" class="danger" onClick={() => void (asking.value = true)}>
        {campaigns.delete}
      </button>
      <ActionProblem of={action} />
      {asking.value && (
        <Confirm
          title={campaigns.deleteTitle(campaign.name)}
          text={campaigns.deleteText}
          action={campaigns.delete}
          act={remove}
          close={() => void (asking.value = false)}
        />
      )}
    </>
  );
}
