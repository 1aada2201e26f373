import { useSignal } from '@preact/signals';
import { api, type CampaignContact, ParleyError, removeCampaignContact } from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ActionProblem } from '../../parts/page.tsx';
import { Selected, type Selection } from '../../parts/selection.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';

type Props = { campaignId: string; selection: Selection<CampaignContact>; changed(): void };

/** Removes the selected contacts of a page from their campaign. */
export function RemoveSelected({ campaignId, selection, changed }: Props) {
  const asking = useSignal(false);
  const action = useAction();
  if (!isMember.value) return null;
  const ids = [...selection.selected];
  const remove = (): Promise<boolean> =>
    action.run(async () => {
      let removed = 0;
      for (const id of ids) if (await removeOne(campaignId, id)) removed++;
      announce(campaigns.removedOf(removed, ids.length));
      selection.choose([]);
      changed();
    });
  return (
    <>
      <ActionProblem of={action} />
      <Selected selection={selection}>
        <button type="button" class="danger" onClick={() => void (asking.value = true)}>
          {campaigns.removeSelected}
        </button>
      </Selected>
      {asking.value && (
        <Confirm
          title={campaigns.removeTitle(ids.length)}
          text={campaigns.removeText}
          action={campaigns.remove}
          act={async () => void (await remove())}
          close={() => void (asking.value = false)}
        />
      )}
    </>
  );
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
