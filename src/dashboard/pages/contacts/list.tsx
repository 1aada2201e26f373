import { useSignal } from '@preact/signals';
import { api, createContact, listContacts } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SearchFilter, SelectFilter } from '../../parts/filters.tsx';
import { FiltersWithViews } from '../../parts/views.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { navigate, pageSize, query } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { contacts } from '../../text/contacts.ts';
import { common, pages as names } from '../../text/en.ts';
import { ContactForm, nameOf } from './form.tsx';

export function ContactsPage() {
  const after = query.value.get('after') ?? '';
  const q = query.value.get('q') ?? '';
  const may = query.value.get('may_be_called') ?? '';
  const list = useResource(`${after} ${q} ${may}`, (signal) => {
    const filter = { ...(q === '' ? {} : { q }), ...(may === '' ? {} : { may_be_called: may === 'true' }) };
    return listContacts(api, { query: { limit: pageSize, after, ...filter }, signal });
  });
  const adding = useSignal(false);
  return (
    <Page heading={names.contacts} actions={<Actions add={() => void (adding.value = true)} />}>
      <FiltersWithViews page="contacts">
        <SearchFilter name="q" label={contacts.search} />
        <SelectFilter
          name="may_be_called"
          label={contacts.mayBeCalled}
          options={[
            { value: 'true', text: common.yes },
            { value: 'false', text: common.no },
          ]}
        />
      </FiltersWithViews>
      <Loaded of={list}>
        {({ data, meta }) => (
          <>
            <Table
              caption={names.contacts}
              rows={data}
              rowKey={({ id }) => id}
              empty={`${q}${may}` === '' ? contacts.empty : common.noMatch}
              columns={[
                { name: contacts.name, cell: (row) => <a href={`/contacts/${row.id}`}>{nameOf(row)}</a> },
                { name: contacts.phone, cell: ({ phone }) => phone ?? common.none, whole: true },
                { name: contacts.email, cell: ({ email }) => email ?? common.none },
                { name: contacts.company, cell: ({ company }) => company ?? common.none },
                { name: contacts.zone, cell: ({ timezone }) => timezone ?? common.none },
                {
                  name: contacts.doNotCall,
                  cell: (row) =>
                    row.do_not_call_state.may_be_called ? (
                      common.none
                    ) : (
                      <Status value="do_not_call">{common.yes}</Status>
                    ),
                },
                { name: contacts.added, cell: ({ created_at: at }) => <Instant at={at} />, instants: true },
              ]}
            />
            <Pager name={names.contacts} meta={meta} />
          </>
        )}
      </Loaded>
      {adding.value && <NewContact close={() => void (adding.value = false)} />}
    </Page>
  );
}

function Actions({ add }: { add: () => void }) {
  return (
    <>
      <a class="button" href="/api/v1/contacts/export" download>
        {contacts.export}
      </a>
      {isMember.value && (
        <>
          <a class="button" href="/contacts/import">
            {contacts.import}
          </a>
          <button type="button" class="primary" onClick={add}>
            {contacts.new}
          </button>
        </>
      )}
    </>
  );
}

function NewContact({ close }: { close: () => void }) {
  return (
    <Dialog title={contacts.new} close={close} bare>
      <ContactForm
        cancel={close}
        success={contacts.created}
        save={async (body, { idempotencyKey }) => {
          const { data } = await createContact(api, { body, idempotencyKey });
          close();
          await navigate(`/contacts/${data.id}`);
        }}
      />
    </Dialog>
  );
}
