import { nextMacrotask, pause } from '../../base/clock.ts';
import { conflict, notFound } from '../../base/errors.ts';
import { faultPoint } from '../../base/fault-points.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { EncryptedTable } from '../../kernel/encrypted-table.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import { type Completion, enqueue, jobKind } from '../../kernel/queue.ts';
import { anonymizeCalls, callsOfPerson, deleteRecordings, forgetRecordings, isOnPhone } from '../calls/erasure.ts';
import { eraseFromCampaigns } from '../campaigns/erasure.ts';
import { keepNumberAlone } from '../contacts/do-not-call.ts';
import { deleteLeftovers } from '../contacts/import/kept-rows.ts';
import { forgetBatch, hideContact } from '../contacts/removal.ts';
import { indexPending } from '../contacts/search.ts';
import { contactOf, isDoNotCall } from '../contacts/service.ts';
import { forgetTarget } from '../requests/audit.ts';
import { forgetAnswers } from '../requests/idempotency.ts';
import { eraseEvents } from '../webhooks/erasure.ts';
import { emptyLogTask } from './background-tasks.ts';
import { isAboutIn, mentionsIn, type Person } from './person.ts';
import * as store from './store.ts';

/** Erases a person; the key is the erasure's id. One of an organization at a time. */
export const erasePerson = jobKind<Record<string, never>>('privacy.erase');
const laneOf = (orgId: string): string => `erase:${orgId}`;

const contextOf = (id: string): string => `erasures:${id}`;

export const encryptedErasures: EncryptedTable = {
  table: 'erasures',
  columns: ['subject_sealed'],
  key: ['id'],
  contextOf: (row) => contextOf(row['id']!),
};

/** Real time between two looks whether something that is under way has ended: a delivery, a read of the log. */
const lookAgainMs = 100;

/** Recognizes a contact or a phone of a backup without telling either. The key stays the same when the encryption key is rotated. */
export const hashOf = (app: App, text: string): string => app.secrets.fingerprint(`erasure ${text}`);

/**
 * Hides a contact at once, and has everything about the person erased by a job. Returns the erasure's id.
 * @throws notFound when the organization has no such contact; conflict while the person is on the phone
 */
export function beginErasure(
  app: App,
  orgId: string,
  contactId: string,
  { keepDoNotCall, id = app.ids.make() }: { keepDoNotCall: boolean; id?: string },
): Promise<string> {
  return transact(app.db, orgId, async (tx) => {
    const { phone, email, firstName, lastName } = await contactOf(tx, orgId, contactId);
    const isAlone = phone !== null && !(await store.hasOtherContactWith(tx, orgId, phone, contactId));
    if (isAlone && (await isOnPhone(tx, orgId, phone)))
      throw conflict('The person is on the phone. Hang up the call or wait for its end.');
    const mayNotBeCalled = phone !== null && (await isDoNotCall(tx, orgId, phone, contactId));
    await hideContact(app, tx, orgId, contactId);
    if (isAlone) await keepNumberAlone(app, tx, orgId, phone, mayNotBeCalled && keepDoNotCall);
    await insertRunning(app, tx, orgId, {
      id,
      keepDoNotCall,
      contactHash: hashOf(app, contactId),
      person: { contactId, phone: isAlone ? phone : null, email, firstName, lastName },
    });
    return id;
  });
}

type NewErasure = { id: string; keepDoNotCall: boolean; contactHash: string; person: Person };

async function insertRunning(
  app: App,
  tx: Tx,
  orgId: string,
  { id, keepDoNotCall, contactHash, person }: NewErasure,
): Promise<void> {
  await store.insertErasure(tx, {
    id,
    organization_id: orgId,
    requested_at: app.clock.now(),
    done_at: null,
    keep_do_not_call: Number(keepDoNotCall),
    contact_hash: contactHash,
    phone_hash: person.phone === null ? null : hashOf(app, person.phone),
    counts: '{}',
    subject_sealed: app.secrets.encrypt(JSON.stringify(person), contextOf(id)),
  });
  await enqueue(app, tx, erasePerson, { key: id, lane: laneOf(orgId), dueAt: app.clock.now(), payload: {} });
}

/** Has everything about a phone number erased that no contact has, as an earlier erasure did whose contact is not known. */
export const beginErasureOfNumber = (
  app: App,
  orgId: string,
  { phone, ...erasure }: Omit<NewErasure, 'person'> & { phone: string },
): Promise<void> =>
  transact(app.db, orgId, async (tx) => {
    const mayNotBeCalled = await isDoNotCall(tx, orgId, phone, null);
    await keepNumberAlone(app, tx, orgId, phone, mayNotBeCalled && erasure.keepDoNotCall);
    const person = { contactId: erasure.id, phone, email: null, firstName: null, lastName: null };
    await insertRunning(app, tx, orgId, { ...erasure, person });
  });

export type Erasure = {
  state: 'running' | 'done';
  requestedAt: number;
  doneAt: number | null;
  counts: Record<string, number>;
};

/** @throws notFound when the organization has no such erasure */
export async function erasureOf(app: App, orgId: string, id: string): Promise<Erasure> {
  const row = await store.erasureById(app.db, id);
  if (row?.organization_id !== orgId) throw notFound('erasure');
  return {
    state: row.done_at === null ? 'running' : 'done',
    requestedAt: row.requested_at,
    doneAt: row.done_at,
    counts: JSON.parse(row.counts) as Record<string, number>,
  };
}

/** A running erasure: whose data, of whom, and how to record a part of it together with its count. */
type Work = {
  app: App;
  id: string;
  orgId: string;
  person: Person;
  count: (kind: string, part: (tx: Tx) => Promise<number>) => Promise<number>;
};

/**
 * Erases everything about a person in short transactions. Each part finds only what is left, so after a crash the job begins again.
 */
export async function runErasure(app: App, id: string): Promise<Completion> {
  const row = await store.erasureById(app.db, id);
  if (!row || row.subject_sealed === null) return { write: () => Promise.resolve() };
  const orgId = row.organization_id;
  const person = JSON.parse(app.secrets.decrypt(row.subject_sealed, contextOf(id))) as Person;
  const count: Work['count'] = (kind, part) =>
    transact(app.db, orgId, async (tx) => {
      const done = await part(tx);
      if (done > 0) await store.addCounts(tx, id, { [kind]: done });
      return done;
    });
  const work: Work = { app, id, orgId, person, count };
  await eraseMentions(work);
  await eraseCalls(work);
  await eraseEventsOf(work);
  await eraseContact(work);
  await emptyLog(app);
  return {
    async write(tx) {
      await store.endErasure(tx, id, app.clock.now());
    },
  };
}

/** What was kept beside the data: stored answers, rows of imports, and targets of the audit log. First, since it is found by the data. */
async function eraseMentions({ app, orgId, person, count }: Work): Promise<void> {
  const notes = await store.noteIdsOf(app.db, person.contactId);
  const calls = await callsOfPerson(app.db, orgId, person, maxCallsLookedFor);
  const ids = new Set([...notes, ...calls]);
  const answers = await forgetAnswers(app, orgId, isAboutIn(person, ids));
  await count('stored_answers', () => Promise.resolve(answers));
  const rows = await deleteLeftovers(app, orgId, mentionsIn(person));
  await count('import_rows', () => Promise.resolve(rows));
  if (person.phone !== null) await forgetTarget(app, orgId, person.phone);
}

/** Answers that mention only the id of an older call hold nothing else of the person. */
const maxCallsLookedFor = 10_000;

/** Calls with their events, whose ids are the calls'. */
async function eraseCalls({ app, id, orgId, person, count }: Work): Promise<void> {
  for (;;) {
    const ids = await callsOfPerson(app.db, orgId, person, maxBatchRows);
    if (ids.length === 0) break;
    const erased = await count('calls', async (tx) => {
      const deliveries = await eraseEvents(app, tx, ids);
      if (deliveries === undefined) return 0; // one of them is being sent
      await store.addCounts(tx, id, { deliveries });
      await anonymizeCalls(tx, ids);
      return ids.length;
    });
    faultPoint('erasure.calls-erased');
    await (erased === 0 ? pause(lookAgainMs) : nextMacrotask());
  }
  const recorded = await deleteRecordings(app, orgId);
  faultPoint('erasure.recordings-deleted');
  await count('recordings', async (tx) => {
    await forgetRecordings(tx, recorded);
    return recorded.length;
  });
}

/** Events may outlive their calls. */
async function eraseEventsOf({ app, orgId, person, count }: Work): Promise<void> {
  const subjects = new Set([person.contactId, person.phone]);
  let after = 0;
  for (;;) {
    const events = await store.eventsAfter(app.db, orgId, after);
    const ids = events.filter(({ subject }) => subject !== null && subjects.has(subject)).map((event) => event.id);
    for (let at = 0; at < ids.length; at += maxBatchRows) {
      const part = ids.slice(at, at + maxBatchRows);
      let isDone = false;
      while (!isDone) {
        await count('deliveries', async (tx) => {
          const erased = await eraseEvents(app, tx, part);
          isDone = erased !== undefined;
          return erased ?? 0;
        });
        if (!isDone) await pause(lookAgainMs);
      }
    }
    if (events.length === 0) return;
    after = events.at(-1)!.number;
    await nextMacrotask();
  }
}

async function eraseContact({ app, orgId, person, count }: Work): Promise<void> {
  const { contactId, phone } = person;
  const joining = [contactId, ...(phone === null ? [] : [phone])];
  while (await store.isJoining(app.db, joining)) await pause(lookAgainMs);
  const notes = await store.noteIdsOf(app.db, contactId);
  await count('notes', () => Promise.resolve(notes.length));
  const rows = await eraseFromCampaigns(app, orgId, person);
  await count('campaign_contacts', () => Promise.resolve(rows));
  let isGone = false;
  while (!isGone) {
    isGone = await transact(app.db, orgId, (tx) => forgetBatch(app, tx, orgId, contactId));
    await nextMacrotask();
  }
  faultPoint('erasure.contact-deleted');
  while (await store.isBeingIndexed(app.db, orgId, contactId)) {
    await indexPending(app);
    await pause(lookAgainMs);
  }
}

async function emptyLog(app: App): Promise<void> {
  while (!(await app.background.run(emptyLogTask, {}))) await pause(lookAgainMs);
}
