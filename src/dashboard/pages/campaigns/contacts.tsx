import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, type Campaign, type CampaignContact, listCampaignContacts } from '../../client.ts';
import { SearchFilter, SelectFilter } from '../../parts/filters.tsx';
import { FiltersWithViews } from '../../parts/views.tsx';
import { Loaded } from '../../parts/page.tsx';
import { useSelection, withoutSelection } from '../../parts/selection.tsx';
import { valueText } from '../../parts/status.tsx';
import { Pager } from '../../parts/table.tsx';
import { pageSize, query } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { contactStatuses, filterOf } from './contact-filter.ts';
import { ContactTable } from './contact-table.tsx';
import { SelectedContacts } from './selected-contacts.tsx';
import { WhyDialog } from './why-dialog.tsx';

/** While the campaign runs its contacts are asked for again, but not with every call that ends. */
const refreshMs = 3000;

/** Results for spreadsheets; plain CSV is beside the heading. */
const exports = [
  { query: 'format=csv&dialect=excel', text: campaigns.exportForExcel },
  { query: 'format=xlsx', text: campaigns.exportWorkbook },
];

type Props = { campaign: Campaign; version: string };

export function Contacts({ campaign, version }: Props) {
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
  const selection = useSelection<CampaignContact>((row) => row.phone ?? row.id);
  const explained = useSignal<CampaignContact | undefined>(undefined);
  return (
    <>
      <FiltersWithViews page="campaign-contacts">
        <SearchFilter name="q" label={campaigns.searchContacts} />
        <SelectFilter
          name="status"
          label={campaigns.status}
          options={contactStatuses.map((value) => ({ value, text: valueText(value) }))}
        />
      </FiltersWithViews>
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
            {data.length > 0 && (
              <p class="actions">
                {exports.map(({ query: format, text }) => (
                  <a key={format} class="button tiny" href={`/api/v1/campaigns/${id}/results?${format}`} download>
                    {text}
                  </a>
                ))}
              </p>
            )}
          </>
        )}
      </Loaded>
      {explained.value && (
        <WhyDialog campaignId={id} contact={explained.value} close={() => void (explained.value = undefined)} />
      )}
    </>
  );
}
