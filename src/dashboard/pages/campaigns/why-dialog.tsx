import { useRef } from 'preact/hooks';
import { api, type CampaignContact, explainCampaignContact } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/page.tsx';
import { Instant } from '../../parts/time.tsx';
import { useResource } from '../../state/resource.ts';
import { campaigns } from '../../text/campaigns.ts';

type WhyProps = { campaignId: string; contact: CampaignContact; close: () => void };

/** Why a contact is not called at the moment, and when it will be. */
export function WhyDialog({ campaignId, contact, close }: WhyProps) {
  const shown = useRef(contact).current;
  const params = { id: campaignId, contact_id: shown.contact_id ?? shown.id };
  const why = useResource(shown.id, async (signal) => (await explainCampaignContact(api, { params, signal })).data);
  return (
    <Dialog title={campaigns.whyTitle(shown.phone)} close={close}>
      <Loaded of={why}>
        {({ dialable_now: isDialable, reasons, next_attempt_at: next, cause }) => (
          <>
            {isDialable && <p>{campaigns.dialable}</p>}
            <ul>
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
            {cause && (
              <p>
                {campaigns.causeBy(cause.by?.name ?? null, cause.reason)} <Instant at={cause.at} relative />
              </p>
            )}
            <p>
              {next === null ? (
                !isDialable && campaigns.never
              ) : (
                <>
                  {campaigns.nextInstant}: <Instant at={next} relative />
                </>
              )}
            </p>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
