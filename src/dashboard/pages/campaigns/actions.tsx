import { useSignal } from '@preact/signals';
import {
  api,
  type Campaign,
  importCampaignContacts,
  listCampaignContacts,
  planCampaign,
  redialCampaign,
  updateCampaign,
} from '../../client.ts';
import { countryOfZone } from './country.ts';
import { CsvImport } from '../../parts/few/csv-import.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ActionProblem, Loaded } from '../../parts/page.tsx';
import { hrefOfTab } from '../../parts/tabs.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { isStopped } from '../../state/calling.ts';
import { serverNow } from '../../state/clock.ts';
import { navigate } from '../../state/location.ts';
import { type Resource, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { Plan } from './plan.tsx';

type Props = { campaign: Campaign; loaded: Resource<Campaign> };
type Status = Campaign['status'];

/** Actions that a campaign allows in its present state. */
export function Actions({ campaign, loaded, canStart }: Props & { canStart: boolean }) {
  const { id, status, executionStatus } = campaign;
  const open = useSignal<'import' | 'start' | 'complete' | undefined>(undefined);
  const action = useAction();
  const close = (): void => void (open.value = undefined);
  // Whatever others have changed, calls can be stopped at once.
  const basedOn = (to: Status) => (to === 'paused' ? {} : { ifMatch: campaign.version });
  const setStatus = (to: Status, success: string): Promise<boolean> =>
    action.run(
      async () =>
        loaded.set((await updateCampaign(api, { params: { id }, body: { status: to }, ...basedOn(to) })).data),
      success,
    );
  const redial = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const { data, message } = await redialCampaign(api, { params: { id }, idempotencyKey });
      announce(message);
      await navigate(`/campaigns/${data.id}`);
    });
  const isEmpty = campaign.contactStats.total === 0;
  const isRunning = status === 'active' && executionStatus === 'running';
  // While all calling is stopped, or once its end has passed, no campaign can call.
  const [{ end }, now] = [campaign.schedule, serverNow()];
  const mayCall = isStopped.value !== true && (end === null || (now !== undefined && Date.parse(end) > now));
  const canResume = mayCall && status !== 'completed' && executionStatus === 'paused';
  const canReopen = useReopenable(campaign) && mayCall;
  const button = (text: string, act: () => void, kind?: string) => (
    <button type="button" class={kind} onClick={act}>
      {text}
    </button>
  );
  return (
    <>
      {!(status === 'draft' && isEmpty) && (
        <a class="button" href={`/api/v1/campaigns/${id}/results?format=csv`} download>
          <Icon name="download" />
          {campaigns.exportResults}
        </a>
      )}
      {isMember.value && (
        <>
          {status !== 'draft' && button(campaigns.redial, () => void redial())}
          {status !== 'completed' &&
            !(status === 'draft' && isEmpty) &&
            button(campaigns.complete, () => void (open.value = 'complete'))}
          {button(campaigns.importContacts, () => void (open.value = 'import'), isEmpty ? 'primary' : undefined)}
          {canReopen && button(campaigns.reopen, () => void setStatus('active', campaigns.reopened))}
          {isRunning && button(campaigns.pause, () => void setStatus('paused', campaigns.paused), 'primary')}
          {canResume && button(campaigns.resume, () => void setStatus('active', campaigns.resumed), 'primary')}
          {status === 'draft' &&
            canStart &&
            button(campaigns.startButton, () => void (open.value = 'start'), isEmpty ? undefined : 'primary')}
        </>
      )}
      <ActionProblem of={action} />
      {open.value === 'import' && <ImportDialog campaign={campaign} loaded={loaded} close={close} />}
      {open.value === 'start' && <StartDialog campaign={campaign} loaded={loaded} close={close} />}
      {open.value === 'complete' && (
        <Confirm
          title={campaigns.completeTitle}
          text={campaigns.completeText(campaign.contactStats.pending)}
          action={campaigns.complete}
          act={() => setStatus('completed', campaigns.completed)}
          of={action}
          close={close}
        />
      )}
    </>
  );
}

/** Whether a completed campaign has somebody to call: who waits, or was given up at its end. */
function useReopenable({ id, status, contactStats: { pending, failed } }: Campaign): boolean {
  const found = useResource(`${id} ${status} ${pending} ${failed}`, async (signal) => {
    if (status !== 'completed' || pending + failed === 0) return false;
    const query = { status: ['pending' as const, 'expired' as const], limit: 1, offset: 0 };
    const { meta } = await listCampaignContacts(api, { params: { id }, query, signal });
    return meta.total > 0;
  });
  return found.data === true && status === 'completed';
}

function ImportDialog({ campaign: { id, schedule }, loaded, close }: Props & { close: () => void }) {
  return (
    <Dialog title={campaigns.importContacts} close={close} bare wide>
      <CsvImport
        intoCampaign
        country={countryOfZone(schedule.timezone)}
        cancel={close}
        send={async (query, body, options) =>
          (await importCampaignContacts(api, { params: { id }, query, body, ...options })).data
        }
        done={() => {
          close();
          loaded.reload();
          void navigate(hrefOfTab('contacts'));
        }}
      />
    </Dialog>
  );
}

/** Asks once, showing what the start will do. */
function StartDialog({ campaign, loaded, close }: Props & { close: () => void }) {
  const { id } = campaign;
  const plan = useResource(id, async (signal) => (await planCampaign(api, { params: { id }, signal })).data);
  const action = useAction();
  const start = async (): Promise<void> => {
    const isDone = await action.run(
      async () =>
        loaded.set(
          (await updateCampaign(api, { params: { id }, body: { status: 'active' }, ifMatch: campaign.version })).data,
        ),
      campaigns.started,
    );
    if (!isDone) return;
    close();
    await navigate(hrefOfTab(undefined));
  };
  return (
    <Dialog title={campaigns.startTitle} close={close} bare>
      <Loaded of={plan}>{(data) => <Plan plan={data} />}</Loaded>
      <p class="quiet">{campaigns.limits(campaign.outboundMaxConcurrent, campaign.outboundMaxCps)}</p>
      <ActionProblem of={action} />
      <div class="buttons">
        <button type="button" data-first-focus onClick={close}>
          {common.cancel}
        </button>
        <button type="button" class="primary" onClick={() => void start()}>
          {campaigns.startCalling}
        </button>
      </div>
    </Dialog>
  );
}
