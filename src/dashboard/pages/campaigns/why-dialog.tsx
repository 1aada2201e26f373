import { useRef } from 'preact/hooks';
import { api, type CampaignContact, explainCampaignContact } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/page.tsx';
import { RingStrip, RingStatement, WhyFacts } from '../../parts/few/why.tsx';
import { useResource } from '../../state/resource.ts';
import { why as texts } from '../../text/why.ts';

type WhyProps = { campaignId: string; contact: CampaignContact; close: () => void };

const hours = 24;

/** Why a contact is not called at the moment, and when it will be. */
export function WhyDialog({ campaignId, contact, close }: WhyProps) {
  const shown = useRef(contact).current;
  const params = { id: campaignId, contact_id: shown.contact_id ?? shown.id };
  const why = useResource(
    shown.id,
    async (signal) => (await explainCampaignContact(api, { params, query: { hours }, signal })).data,
  );
  return (
    <Dialog title={texts.title(shown.phone ?? '–')} close={close} wide>
      <Loaded of={why}>
        {(data) => (
          <>
            <p class="lead">
              <RingStatement why={data} />
            </p>
            <WhyFacts why={data} />
            {data.strip && <RingStrip strip={data.strip} />}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
