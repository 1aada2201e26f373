import { useSignal } from '@preact/signals';
import {
  api,
  type Campaign,
  type CampaignZone,
  deleteCampaign,
  getCampaign,
  listCampaignZones,
  updateCampaign,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/page.tsx';
import { valueText } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { navigate } from '../../state/location.ts';
import { isSettled, type Resource, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common, yesOrNo } from '../../text/en.ts';
import { list, number } from '../../text/plural.ts';
import { CampaignForm, type Choices, loadChoices } from './form.tsx';
import { Forecast } from './plan.tsx';
import { WeekGrid } from './week-grid.tsx';

type Props = { campaign: Campaign; loaded: Resource<Campaign> };

const loadZones = async (id: string, signal: AbortSignal): Promise<CampaignZone[]> =>
  (await listCampaignZones(api, { params: { id }, signal })).data;

/** The settings of a campaign: a form for who may change them, else the facts. */
export function Settings({ campaign, loaded }: Props) {
  const { id } = campaign;
  const zones = useResource(`zones ${id} ${campaign.contactStats.total}`, (signal) => loadZones(id, signal));
  const choices = useResource('choices', loadChoices);
  if (!isSettled(zones)) return null;
  if (!isMember.value || campaign.status === 'completed') {
    return (
      <>
        <SettingFacts campaign={campaign} choices={choices.data} />
        <WeekGrid {...campaign.schedule} zones={zones.data} />
        {isMember.value && <Deletion campaign={campaign} />}
      </>
    );
  }
  return (
    <Loaded of={choices}>
      {(loadedChoices) => (
        <>
          {campaign.executionStatus === 'running' && <p class="notice">{campaigns.editRunning}</p>}
          <CampaignForm
            choices={loadedChoices}
            campaign={campaign}
            zones={zones.data}
            submit={common.save}
            forecast={(body) => <Forecast campaign={campaign} body={body} />}
            reload={async () => (await getCampaign(api, { params: { id } })).data}
            save={async (body, { basedOn }) => {
              const { data } = await updateCampaign(api, { params: { id }, body, ...basedOn });
              loaded.set(data);
              return data;
            }}
          />
          <Deletion campaign={campaign} />
        </>
      )}
    </Loaded>
  );
}

function SettingFacts({ campaign, choices }: { campaign: Campaign; choices: Choices | undefined }) {
  const { schedule } = campaign;
  const phones = campaign.phoneNumberIds?.map((id) => choices?.numbers.find((each) => each.id === id)?.phone);
  const known = phones?.filter((phone) => phone !== undefined) ?? [];
  const { windowStart, windowEnd, windowDays } = schedule;
  return (
    <section>
      <h2>{campaigns.settings}</h2>
      <Facts
        facts={[
          [campaigns.number, known.length > 1 ? list(known) : campaign.fromPhoneNumber],
          ...(known.length > 1 ? [[campaigns.local, yesOrNo(campaign.localPresence)] as const] : []),
          [campaigns.zone, schedule.timezone],
          [
            campaigns.window,
            windowStart === null || windowEnd === null ? campaigns.anyHour : campaigns.from(windowStart, windowEnd),
          ],
          [campaigns.days, list(windowDays.map((day) => common.dayNames[day - 1]!))],
          [campaigns.start, schedule.start && <Instant at={schedule.start} />],
          [campaigns.end, schedule.end && <Instant at={schedule.end} />],
          [campaigns.atATime, number(schedule.maxConcurrent)],
          [campaigns.perSecond, number(campaign.maxCps)],
          [campaigns.retries, campaigns.retriesOf(schedule.retryAttempts, schedule.retryGapMin)],
          [campaigns.retryOn, list(campaign.retryOn.map(valueText))],
        ]}
      />
    </section>
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
    <div class="actions">
      <button type="button" class="danger" onClick={() => void (asking.value = true)}>
        {campaigns.delete}
      </button>
      {asking.value && (
        <Confirm
          title={campaigns.deleteTitle(campaign.name)}
          text={campaigns.deleteText}
          action={campaigns.delete}
          act={remove}
          of={action}
          close={() => void (asking.value = false)}
        />
      )}
    </div>
  );
}
