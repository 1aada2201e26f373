import { nextMacrotask } from '../../base/clock.ts';
import { parseExactly } from '../../base/json.ts';
import type { App } from '../../kernel/app.ts';
import type { Call } from '../calls/call.ts';
import { idsOfPerson } from '../calls/of-person.ts';
import { findCall } from '../calls/service.ts';
import type { Contact } from '../contacts/contact.ts';
import { type DoNotCallState, doNotCallStateOf } from '../contacts/do-not-call-state.ts';
import { leftoversWith } from '../contacts/import/kept-rows.ts';
import { contactOf } from '../contacts/service.ts';
import type { Change } from '../requests/changes.ts';
import { mentionsIn, type Person } from './person.ts';
import * as store from './store.ts';

type Pages<T> = AsyncGenerator<T[]>;
type RowsOf<F extends (...args: never[]) => Promise<unknown[]>> = Pages<Awaited<ReturnType<F>>[number]>;

/** The lists are read a page at a time while somebody takes them, so each is up to date when it is its turn. */
export type Everything = {
  contact: Contact;
  doNotCall: DoNotCallState;
  notes: RowsOf<typeof store.notesPage>;
  campaigns: RowsOf<typeof store.campaignsPage>;
  calls: Pages<Call>;
  deliveries: RowsOf<typeof store.deliveriesOf>;
  importRows: ReturnType<typeof leftoversWith>;
  changes: Pages<{ at: number; operation: string; changes: Change[] | null }>;
};

/**
 * All that is known of a person: what an erasure would remove, but for stored answers, which repeat it.
 * @throws notFound when the organization has no such contact
 */
export async function everythingOf(app: App, orgId: string, contactId: string): Promise<Everything> {
  const { db } = app;
  const contact = await contactOf(db, orgId, contactId);
  const { phone } = contact;
  const isAlone = phone !== null && !(await store.hasOtherContactWith(db, orgId, phone, contactId));
  const person = { ...contact, contactId, phone: isAlone ? phone : null };
  const stateOf = await doNotCallStateOf(db, orgId, [contact], () => ({ contactId, phone }));
  return {
    contact,
    doNotCall: stateOf(contact),
    notes: pagesOf((after) => store.notesPage(db, contactId, after)),
    campaigns: pagesOf((after) => store.campaignsPage(db, contactId, after)),
    calls: callsOf(app, orgId, person),
    deliveries: deliveriesOf(app, orgId, person),
    importRows: leftoversWith(app, orgId, mentionsIn(person)),
    changes: changesOf(app, contactId),
  };
}

/** All pages of a list; `read` gets the last row of the page before. */
async function* pagesOf<T>(read: (after: T | undefined) => Promise<T[]>): Pages<T> {
  for (let after: T | undefined; ; await nextMacrotask()) {
    const page = await read(after);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1);
  }
}

/** One at a time, because a transcript may be long. */
async function* callsOf(app: App, orgId: string, person: Person): Pages<Call> {
  for await (const ids of idsOfPerson(app.db, orgId, person)) {
    for (const id of ids) {
      const call = await findCall(app.db, id);
      if (call) yield [call];
      await nextMacrotask();
    }
  }
}

/** Deliveries about the person's calls, then those whose calls have been deleted. */
async function* deliveriesOf(app: App, orgId: string, person: Person): Everything['deliveries'] {
  for await (const ids of idsOfPerson(app.db, orgId, person)) yield await store.deliveriesOf(app.db, ids);
  const subjects = [person.contactId, person.phone].filter((subject) => subject !== null);
  for await (const events of pagesOf<store.EventSubject>((after) => store.eventsAfter(app.db, orgId, after?.number))) {
    const about = events.filter(({ subject }) => subject !== null && subjects.includes(subject)).map(({ id }) => id);
    const alone = about.length === 0 ? [] : await store.withoutCalls(app.db, about);
    if (alone.length > 0) yield await store.deliveriesOf(app.db, alone);
  }
}

/** Changes by requests about the contact, then those by imports; both newest first. */
async function* changesOf(app: App, contactId: string): Everything['changes'] {
  for await (const page of pagesOf<store.ChangesRow>((after) => store.changesPage(app.db, contactId, after)))
    yield page.map(presentChanges);
  const imported = pagesOf<store.ImportedChangesRow>((after) => store.importedChangesPage(app.db, contactId, after));
  for await (const page of imported) yield page.map(presentChanges);
}

const presentChanges = ({ at, operation, changes }: Omit<store.ChangesRow, 'id'>) => ({
  at,
  operation,
  changes: changes === null ? null : (parseExactly(changes) as Change[]),
});
