import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { api, type Campaign, type CampaignContact, listCampaignContacts } from '../../client.ts';
import { Filters, SearchFilter, SelectFilter } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/page.tsx';
import { useSelection, withoutSelection } from '../../parts/selection.tsx';
import { valueText } from '../../parts/status.tsx';
import { Pager } from '../../parts/table.tsx';
import { pageSize, query } from '../../state/location.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { contactStatuses, filterOf } from './contact-filter.ts';
import { ContactTable } from './contact-table.tsx';
import { SelectedContacts } from './selected-contacts.tsx';
import { WhyDialog } from './why-dialog.tsx';

/** While the campaign runs its contacts are asked for again, but not with every call that ends. */
const refreshMs = 3000;

type Props = { campaign: Campaign; version: string; children: ComponentChildren };

export function Contacts({ campaign, version, children }: Props) {
  const { id } = campaign;
  const parameters = query.value;
  const list = useResource(`${id} ${withoutSelection(parameters).toString()}`, (signal) =>
    listCampaignContacts(api, {
      params: { id },
      query: { ...filterOf(parameters), after: parameters.get('after') ?? '', limit: pageSize },
      signal,
    }),
  );
  useEffect(() => {
    const timer = setTimeout(list.reload, refreshMs);
    return () => clearTimeout(timer);
  }, [version]);
  const selection = useSelection<CampaignContact>(({ phone }) => phone);
  const explained = useSignal<CampaignContact | undefined>(undefined);
  return (
    <>
      <section>
        <h2>{campaigns.contacts}</h2>
        <Filters>
          <SearchFilter name="q" label={campaigns.searchContacts} />
          <SelectFilter
            name="status"
            label={campaigns.status}
            options={contactStatuses.map((value) => ({ value, text: valueText(value) }))}
          />
        </Filters>
        <Loaded of={list}>
          {({ data, meta }) => (
            <>
              <SelectedContacts campaign={campaign} selection={selection} changed={list.reload} />
              <ContactTable
                campaignId={id}
                rows={data}
                reload={list.reload}
                selection={isMember.value ? selection : undefined}
                explain={(contact) => void (explained.value = contact)}
              />
              <Pager name={campaigns.contacts} meta={meta} />
            </>
          )}
        </Loaded>
        {explained.value && (
          <WhyDialog campaignId={id} contact={explained.value} close={() => void (explained.value = undefined)} />
        )}
      </section>
      {isSettled(list) && children}
    </>
  );
}
