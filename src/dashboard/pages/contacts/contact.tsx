import { useSignal } from '@preact/signals';
import {
  api,
  type Call,
  type Contact,
  type ContactNote,
  createContactNote,
  deleteContact,
  deleteContactNote,
  getContact,
  listContactCampaigns,
  listCalls,
  listContactNotes,
  updateContact,
  type WhyInCampaign,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { ThingHistory } from '../../parts/few/history.tsx';
import { ActionProblem, Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { useForm } from '../../state/form.ts';
import { navigate } from '../../state/location.ts';
import type { Params } from '../../state/pages.ts';
import { type Resource, useResource } from '../../state/resource.ts';
import { isAdmin, isMember } from '../../state/session.ts';
import { contacts } from '../../text/contacts.ts';
import { pages as names } from '../../text/en.ts';
import { duration } from '../../text/plural.ts';
import { CallNow } from './call-now.tsx';
import { Erasure } from './erasure.tsx';
import { ContactForm, nameOf } from './form.tsx';
import { MayBeCalled, OptOutButton } from './opt-out.tsx';
import { loadWhy, WhenItRings } from './when-it-rings.tsx';

type Loading = {
  contact: Contact;
  campaigns: readonly Membership[];
  notes: readonly ContactNote[];
  calls: readonly Call[];
  whys: readonly WhyInCampaign[];
};

async function load(id: string, signal: AbortSignal): Promise<Loading> {
  const [contact, campaigns, notes, calls, whys] = await Promise.all([
    getContact(api, { params: { id }, signal }),
    listContactCampaigns(api, { params: { id }, signal }),
    listContactNotes(api, { params: { id }, query: { limit: 100 }, signal }),
    listCalls(api, { query: { contact_id: id, after: '', limit: maxCalls }, signal }),
    loadWhy(id, signal),
  ]);
  return {
    contact: contact.data,
    campaigns: campaigns.data as Membership[],
    notes: notes.data,
    calls: calls.data,
    whys,
  };
}

/** So many of the latest calls are shown. */
const maxCalls = 20;

export function ContactPage({ params }: { params: Params }) {
  const id = params['id']!;
  const loaded = useResource(id, (signal) => load(id, signal));
  return (
    <Loaded of={loaded} heading="…">
      {(loading) => <Shown {...loading} loaded={loaded} />}
    </Loaded>
  );
}

function Shown({ loaded, ...loading }: Loading & { loaded: Resource<Loading> }) {
  const { contact, campaigns, notes, calls, whys } = loading;
  const { id } = contact;
  const show = (fresh: Contact): void => {
    loaded.set({ ...loading, contact: fresh });
    loaded.reload();
  };
  return (
    <Page
      heading={nameOf(contact)}
      crumb={{ href: '/contacts', name: names.contacts }}
      state={<MayBeCalled state={contact.do_not_call_state} />}
      about={[contact.phone, contact.company, contact.timezone].filter(Boolean).join(' · ')}
      actions={
        isMember.value && (
          <>
            <CallNow contact={contact} />
            <OptOutButton contact={contact} show={show} />
          </>
        )
      }
    >
      <div class="columns two-one">
        <div class="stack">
          <WhenItRings rows={whys} />
          <Calls id={id} rows={calls} />
          <Campaigns rows={campaigns} />
          <Notes id={id} notes={notes} reload={loaded.reload} />
          <ThingHistory kind="contact" id={id} version={contact.version} />
        </div>
        <div class="stack">
          <section>
            <h2>{contacts.details}</h2>
            {isMember.value ? (
              <ContactForm
                contact={contact}
                save={async (body, { basedOn }) => {
                  const { data } = await updateContact(api, { params: { id }, body, ...basedOn });
                  show(data);
                  return data;
                }}
                reload={async () => (await getContact(api, { params: { id } })).data}
              />
            ) : (
              <ContactFacts contact={contact} />
            )}
          </section>
          {Object.keys(contact.metadata).length > 0 && (
            <section>
              <h2>{contacts.metadata}</h2>
              <pre tabIndex={0}>{JSON.stringify(contact.metadata, null, 2)}</pre>
            </section>
          )}
          {isMember.value && <Deletion contact={contact} />}
          {isAdmin.value && <Erasure contact={contact} />}
        </div>
      </div>
    </Page>
  );
}

function ContactFacts({ contact }: { contact: Contact }) {
  return (
    <Facts
      facts={[
        [contacts.firstName, contact.first_name],
        [contacts.lastName, contact.last_name],
        [contacts.phone, contact.phone],
        [contacts.email, contact.email],
        [contacts.company, contact.company],
        [contacts.zone, contact.timezone],
      ]}
    />
  );
}

function Calls({ id, rows }: { id: string; rows: readonly Call[] }) {
  return (
    <section>
      <div class="panel-head">
        <h2>{contacts.calls}</h2>
        <a href={`/calls?contact_id=${id}`}>{contacts.seeCalls}</a>
      </div>
      <Table
        caption={contacts.calls}
        rows={rows}
        rowKey={({ call_id: call }) => call}
        empty={contacts.noCalls}
        columns={[
          {
            name: contacts.when,
            cell: ({ call_id: call, started_at: at, created_at: made }) => (
              <a href={`/calls/${call}`}>
                <Instant at={at ?? made} seconds />
              </a>
            ),
            instants: true,
          },
          {
            name: contacts.outcome,
            cell: ({ status, state, post_call_analysis: analysis }) => (
              <Status value={analysis?.goals_met ? 'goal_met' : (status ?? state)} />
            ),
          },
          { name: contacts.agent, cell: ({ agent_name: agent }) => agent },
          { name: contacts.length, cell: ({ duration_sec: seconds }) => duration(seconds), numeric: true, whole: true },
        ]}
      />
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
          { name: contacts.lastAttempt, cell: (row) => <Instant at={row.last_attempt_at} />, instants: true },
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
    <div class="actions">
      <button type="button" class="danger" onClick={() => void (asking.value = true)}>
        {contacts.delete}
      </button>
      {asking.value && (
        <Confirm
          title={contacts.deleteTitle(nameOf(contact))}
          text={contacts.deleteText}
          action={contacts.delete}
          act={remove}
          of={action}
          close={() => void (asking.value = false)}
        />
      )}
    </div>
  );
}
