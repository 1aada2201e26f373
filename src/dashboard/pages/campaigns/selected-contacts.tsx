import { useSignal } from '@preact/signals';
import {
  api,
  type Campaign,
  type CampaignContact,
  listCampaignContacts,
  ParleyError,
  redialCampaign,
  removeCampaignContact,
  removeCampaignContacts,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ActionProblem } from '../../parts/page.tsx';
import { Selected, type Selection } from '../../parts/selection.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { navigate, query } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { type ContactStatus, filterOf, finalStatuses } from './contact-filter.ts';

type Props = { campaign: Campaign; selection: Selection<CampaignContact>; changed(): void };

export const SelectedContacts = (props: Props) => (isMember.value ? <ForMembers {...props} /> : null);

/**
 * Buttons that remove or redial the selected contacts of a campaign. If all that match are selected, the server finds them by the filter, so
 * that those on other pages are included.
 */
function ForMembers({ campaign: { id, status: campaignStatus }, selection, changed }: Props) {
  const filter = filterOf(query.value);
  const matching = useMatching(id, filter, selection.isAll || selection.selected.size > 0);
  const asking = useSignal<{ removed: number } | undefined>(undefined);
  const action = useAction();
  const isOver = campaignStatus === 'completed';
  const canRemove = !isOver && (!selection.isAll || (filter.status?.[0] ?? 'pending') === 'pending');
  const waiting: Waiting = { ...filter, status: ['pending'] };
  const ask = (): Promise<boolean> =>
    action.run(async () => {
      asking.value = { removed: selection.isAll ? await countOf(id, waiting) : selection.selected.size };
    });
  const remove = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      if (selection.isAll) {
        announce(campaigns.removedAll(await removeAll(id, waiting, idempotencyKey)));
      } else {
        announce(await removeEach(id, [...selection.selected]));
      }
      selection.choose([]);
      changed();
    });
  const redial = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const statuses = filter.status ? finalStatuses.filter((each) => each === filter.status![0]) : [...finalStatuses];
      const { status: _, ...found } = filter;
      const { data } = await redialCampaign(api, { params: { id }, body: { ...found, statuses }, idempotencyKey });
      await navigate(`/campaigns/${data.id}`);
    });
  return (
    <>
      <ActionProblem of={action} />
      <Selected selection={selection} all={{ matching }}>
        {canRemove && (
          <button type="button" class="danger" onClick={() => void ask()}>
            {campaigns.removeSelected}
          </button>
        )}
        {isOver && selection.isAll && (
          <button type="button" onClick={() => void redial()}>
            {campaigns.redialAll}
          </button>
        )}
      </Selected>
      {asking.value && (
        <Confirm
          title={campaigns.removeTitle(asking.value.removed)}
          text={campaigns.removeText}
          action={campaigns.remove}
          act={remove}
          of={action}
          close={() => void (asking.value = undefined)}
        />
      )}
    </>
  );
}

type Filter = { status?: [ContactStatus]; q?: string };
type Waiting = Filter & { status: ['pending'] };

const countOf = async (id: string, filter: Filter, signal?: AbortSignal): Promise<number> => {
  const page = { ...filter, limit: 1, offset: 0 };
  const { meta } = await listCampaignContacts(api, { params: { id }, query: page, ...(signal ? { signal } : {}) });
  return meta.total;
};

/** How many contacts match, asked for once something is selected. */
function useMatching(id: string, filter: Filter, isNeeded: boolean): number | undefined {
  const key = `${id} ${JSON.stringify(filter)} ${isNeeded}`;
  const counted = useResource(key, async (signal) => ({
    key,
    total: isNeeded ? await countOf(id, filter, signal) : 0,
  }));
  return counted.data?.key === key && isNeeded ? counted.data.total : undefined;
}

/** Removes all that match, and returns how many; the server removes a bounded number at a time. */
async function removeAll(id: string, body: Waiting, key: string): Promise<number> {
  for (let removed = 0, request = 0; ; request++) {
    const options = { params: { id }, body, idempotencyKey: `${key} ${request}` };
    const { data } = await removeCampaignContacts(api, options);
    removed += data.removed;
    if (!data.has_more) return removed;
  }
}

/** Removes contacts one by one, and tells how many of them were. */
async function removeEach(campaignId: string, ids: readonly string[]): Promise<string> {
  let removed = 0;
  for (const id of ids) if (await removeOne(campaignId, id)) removed++;
  return campaigns.removedOf(removed, ids.length);
}

/** Whether it was removed: one that is on the phone, was called or is gone already stays as it is. */
async function removeOne(campaignId: string, contactId: string): Promise<boolean> {
  try {
    await removeCampaignContact(api, { params: { id: campaignId, contact_id: contactId } });
    return true;
  } catch (error) {
    if (error instanceof ParleyError && (error.status === 404 || error.status === 409)) return false;
    throw error;
  }
}
