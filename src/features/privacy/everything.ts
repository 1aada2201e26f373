import { nextMacrotask } from '../../base/clock.ts';
import { parseExactly } from '../../base/json.ts';
import type { App } from '../../kernel/app.ts';
import type { Call } from '../calls/call.ts';
import { callsOfPerson } from '../calls/erasure.ts';
import { findCall } from '../calls/service.ts';
import type { Contact } from '../contacts/contact.ts';
import { type DoNotCallState, doNotCallStateOf } from '../contacts/do-not-call-state.ts';
import { leftoversMentioning } from '../contacts/import/kept-rows.ts';
import { contactOf } from '../contacts/service.ts';
import type { Change } from '../requests/changes.ts';
import { mentionsIn } from './person.ts';
import * as store from './store.ts';

/** More are in no answer that a program could read at once. */
const maxCalls = 10_000;
const callsAtOnce = 50;

export type Everything = {
  contact: Contact;
  doNotCall: DoNotCallState;
  notes: Awaited<ReturnType<typeof store.notesOf>>;
  campaigns: Awaited<ReturnType<typeof store.campaignsOf>>;
  calls: Call[];
  deliveries: Awaited<ReturnType<typeof store.deliveriesOf>>;
  importRows: Awaited<ReturnType<typeof leftoversMentioning>>;
  changes: Array<{ at: number; operation: string; changes: Change[] | null }>;
};

/**
 * All that is known of a person: what an erasure would remove, but for stored answers, which repeat it.
 * @throws notFound when the organization has no such contact
 */
export async function everythingOf(app: App, orgId: string, contactId: string): Promise<Everything> {
  const contact = await contactOf(app.db, orgId, contactId);
  const { phone } = contact;
  const isAlone = phone !== null && !(await store.hasOtherContactWith(app.db, orgId, phone, contactId));
  const person = { ...contact, contactId, phone: isAlone ? phone : null };
  const ids = await callsOfPerson(app.db, orgId, person, maxCalls);
  const calls = await callsWith(app, ids.toSorted().toReversed());
  const stateOf = await doNotCallStateOf(app.db, orgId, [contact], () => ({ contactId, phone }));
  return {
    contact,
    doNotCall: stateOf(contact),
    notes: await store.notesOf(app.db, contactId),
    campaigns: await store.campaignsOf(app.db, contactId),
    calls,
    deliveries: await store.deliveriesOf(app.db, ids),
    importRows: await leftoversMentioning(app, orgId, mentionsIn(person)),
    changes: (await store.changesOf(app.db, contactId)).map(({ changes, ...row }) => ({
      ...row,
      changes: changes === null ? null : (parseExactly(changes) as Change[]),
    })),
  };
}

async function callsWith(app: App, ids: readonly string[]): Promise<Call[]> {
  const calls: Call[] = [];
  for (const [index, id] of ids.entries()) {
    const call = await findCall(app.db, id);
    if (call) calls.push(call);
    if (index % callsAtOnce === 0) await nextMacrotask();
  }
  return calls;
}
