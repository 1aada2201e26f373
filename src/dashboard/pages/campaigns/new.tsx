import { useSignal } from '@preact/signals';
import { api, createCampaign, type NewCampaign } from '../../client.ts';
import { NotForRole } from '../../parts/not-for-role.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { navigate } from '../../state/location.ts';
import { isMember } from '../../state/session.ts';
import { useResource } from '../../state/resource.ts';
import { campaigns } from '../../text/campaigns.ts';
import { CampaignForm, loadChoices } from './form.tsx';
import { NewForecast } from './plan.tsx';

export function NewCampaignPage() {
  return isMember.value ? <NewCampaignForm /> : <NotForRole least="member" />;
}

function NewCampaignForm() {
  const choices = useResource('choices', loadChoices);
  const zone = useSignal<string | undefined>(undefined);
  return (
    <Page heading={campaigns.new} zone={zone.value}>
      <Loaded of={choices}>
        {(data) => (
          <CampaignForm
            choices={data}
            submit={campaigns.saveDraft}
            success={campaigns.savedDraft}
            forecast={(body) => <NewForecast body={body} setZone={(chosen) => void (zone.value = chosen)} />}
            save={async (body, { idempotencyKey }) => {
              const { data: campaign } = await createCampaign(api, { body: body as NewCampaign, idempotencyKey });
              await navigate(`/campaigns/${campaign.id}`);
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}
