import { useSignal } from '@preact/signals';
import {
  api,
  type Contact,
  type ContactNote,
  createContactNote,
  deleteContact,
  deleteContactNote,
  getContact,
  listContactCampaigns,
  liftContactOptOut,
  listContactNotes,
  optOutContact,
  updateContact,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { ActionProblem, Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { useForm } from '../../state/form.ts';
import { navigate } from '../../state/location.ts';
import type { Params } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { contacts } from '../../text/contacts.ts';
import { ContactForm, nameOf } from './form.tsx';

export function ContactPage({ params }: { params: Params }) {
  const id = params['id']!;
  const loaded = useResource(id, async (signal) => {
    const [contact, campaigns, notes] = await Promise.all([
      getContact(api, { params: { id }, signal }),
      listContactCampaigns(api, { params: { id }, signal }),
      listContactNotes(api, { params: { id }, query: { limit: 100 }, signal }),
    ]);
    return { contact: contact.data, campaigns: campaigns.data as Membership[], notes: notes.data };
  });
  return (
    <Loaded of={loaded} heading="…">
      {({ contact, campaigns, notes }) => (
        <Page heading={nameOf(contact)}>
          <OptOut contact={contact} show={(fresh) => loaded.set({ contact: fresh, campaigns, notes })} />
          <ContactForm
            contact={contact}
            save={async (body, { basedOn }) => {
              const { data } = await updateContact(api, { params: { id }, body, ...basedOn });
              loaded.set({ contact: data, campaigns, notes });
              return data;
            }}
            reload={async () => (await getContact(api, { params: { id } })).data}
          />
          {Object.keys(contact.metadata).length > 0 && (
            <section>
              <h2>{contacts.metadata}</h2>
              <pre tabIndex={0}>{JSON.stringify(contact.metadata, null, 2)}</pre>
            </section>
          )}
          <Campaigns rows={campaigns} />
          <p>
            <a href={`/calls?contact_id=${id}`}>{contacts.seeCalls}</a>
          </p>
          <Notes id={id} notes={notes} reload={loaded.reload} />
          {isMember.value && <Deletion contact={contact} />}
        </Page>
      )}
    </Loaded>
  );
}

/** Whether the person may be called, and the button that changes it. The opt-out is no field of the form: an old page must not undo it. */
function OptOut({ contact, show }: { contact: Contact; show: (contact: Contact) => void }) {
  const asking = useSignal<'optOut' | 'lift' | undefined>(undefined);
  const action = useAction();
  const { may_be_called: mayBeCalled, since, reason, by } = contact.do_not_call_state;
  const params = { id: contact.id };
  const change = (to: 'optOut' | 'lift'): Promise<boolean> =>
    action.run(
      async () => show((await (to === 'optOut' ? optOutContact : liftContactOptOut)(api, { params })).data),
      contacts.optOut[to].done,
    );
  const to = contact.do_not_call ? 'lift' : 'optOut';
  const asked = asking.value;
  return (
    <section>
      <p class={mayBeCalled ? undefined : 'notice warn'}>
        {mayBeCalled ? contacts.mayBeCalled : contacts.notCalled} {since !== null && <Instant at={since} />}
        {reason !== null && ` ${contacts.optOutReason(reason)}`}
        {by?.name && ` ${contacts.optOutBy(by.name)}`}
      </p>
      <ActionProblem of={action} />
      {isMember.value && (
        <button type="button" onClick={() => void (asking.value = to)}>
          {contacts.optOut[to].action}
        </button>
      )}
      {asked && (
        <Confirm
          title={contacts.optOut[asked].title(nameOf(contact))}
          text={contacts.optOut[asked].text}
          action={contacts.optOut[asked].action}
          act={async () => void (await change(asked))}
          close={() => void (asking.value = undefined)}
        />
      )}
    </section>
  );
}

type Membership = { campaign_id: string; name: string; status: string; last_attempt_at: string | null };

function Campaigns({ rows }: { rows: readonly Membership[] }) {
  return (
    <section>
      <h2>{contacts.campaigns}</h2>
      <Table
        caption={contacts.campaigns}
        rows={rows}
        rowKey={(row) => row.campaign_id}
        empty={contacts.noCampaigns}
        columns={[
          { name: contacts.campaign, cell: (row) => <a href={`/campaigns/${row.campaign_id}`}>{row.name}</a> },
          { name: contacts.status, cell: ({ status }) => <Status value={status} /> },
          { name: contacts.lastAttempt, cell: (row) => <Instant at={row.last_attempt_at} /> },
        ]}
      />
    </section>
  );
}

function Notes({ id, notes, reload }: { id: string; notes: readonly ContactNote[]; reload: () => void }) {
  const action = useAction();
  const form = useForm({
    initial: { content: '' },
    success: contacts.noteAdded,
    async save(body, { idempotencyKey }) {
      await createContactNote(api, { params: { id }, body, idempotencyKey });
      form.reset({ content: '' });
      reload();
    },
  });
  const remove = async (noteId: string): Promise<void> => {
    const isDone = await action.run(
      async () => void (await deleteContactNote(api, { params: { id, note_id: noteId } })),
      contacts.noteDeleted,
    );
    if (isDone) reload();
  };
  return (
    <section>
      <h2>{contacts.notes}</h2>
      <ActionProblem of={action} />
      {isMember.value && (
        <Form form={form}>
          <TextField form={form} name="content" label={contacts.note} lines={3} />
          <Submit form={form} text={contacts.addNote} />
        </Form>
      )}
      {notes.length === 0 && <p class="quiet">{contacts.noNotes}</p>}
      <ul class="plain">
        {notes.map(({ id: noteId, content, created_at: at }) => (
          <li key={noteId}>
            <span class="quiet">
              <Instant at={at} relative />
            </span>
            <p class="lines" dir="auto">
              {content}
            </p>
            {isMember.value && (
              <button type="button" onClick={() => void remove(noteId)}>
                {contacts.deleteNote}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Deletion({ contact }: { contact: Contact }) {
  const asking = useSignal(false);
  const action = useAction();
  const remove = async (): Promise<void> => {
    const isDone = await action.run(
      async () => void (await deleteContact(api, { params: { id: contact.id }, ifMatch: contact.version })),
      contacts.deleted,
    );
    if (isDone) await navigate('/contacts');
  };
  return (
    <section class="apart">
      <ActionProblem of={action} />
      <button type="button" class="danger" onClick={() => void (asking.value = true)}>
        {contacts.delete}
      </button>
      {asking.value && (
        <Confirm
          title={contacts.deleteTitle(nameOf(contact))}
          text={contacts.deleteText}
          action={contacts.delete}
          act={remove}
          close={() => void (asking.value = false)}
        />
      )}
    </section>
  );
}
