import { AppError, notFound } from '../../../base/errors.ts';
import { faultPoint } from '../../../base/fault-points.ts';
import { isInTransaction, onCommit, transact, type Tx, unguarded } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { inBatches, partsOf } from '../../../kernel/batches.ts';
import { nodeState } from '../../../kernel/node.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { type Actor, appendAudit, type NewAuditEntry } from '../../requests/audit.ts';
import { joinContacts, type JoinPayload } from '../kinds.ts';
import { recordEvent } from '../results/history.ts';
import * as store from '../store.ts';
import { addBatch, type AddedContacts, type ContactsToAdd, openCampaignOf } from './campaign-contacts.ts';
import * as joins from './joining-store.ts';

/** `entry` is written together with the decision to add the contacts. */
type Author = { actor?: Actor | null; entry?: NewAuditEntry };

/** The number of contacts that one transaction creates and adds, in 5 to 10 ms of the main thread. */
const partSize = 128;
/** After this time of the server's clock, parts of a request that has not decided are discarded. */
const maxStagingMs = 3_600_000;

/**
 * Adds contacts to a campaign: existing ones by id, new ones by their fields. Skips, with the reason, contacts that do not exist, have no
 * phone or are on the do-not-call list, and contacts whose phone the campaign already contains.
 *
 * All of them are added or none. Outside of a transaction, many contacts are first stored in parts that nobody sees. One transaction then
 * decides: it adds the first part and enqueues a job for the others, which finishes whatever happens to the request.
 * @throws notFound when the organization has no such campaign; conflict when the campaign was completed a moment ago
 */
export async function addCampaignContacts(
  app: App,
  orgId: string,
  campaignId: string,
  input: ContactsToAdd,
  author: Author = {},
): Promise<AddedContacts> {
  const [first, ...others] = split(input);
  if (!isInTransaction(app.db) && others.length > 0)
    return addInParts(app, orgId, campaignId, { first: first!, others }, author);
  return transact(app.db, orgId, async (tx) => {
    const total: AddedContacts = { added: 0, skipped: [], unscripted: 0 };
    for (const part of [first!, ...others]) {
      count(total, await addBatch(app, tx, await openCampaignOf(tx, orgId, campaignId), part));
    }
    const { actor = null, entry } = author;
    await recordAdded(app, tx, campaignId, actor, { added: total.added, skipped: total.skipped.length });
    if (entry) await appendAudit(app, tx, entry);
    return total;
  });
}

function count(total: AddedContacts, { added, skipped, unscripted }: AddedContacts): void {
  total.added += added;
  total.skipped.push(...skipped);
  total.unscripted += unscripted;
}

/** Splits a request into parts. Contacts by id come before contacts by fields. */
function split({ contactIds, contacts }: ContactsToAdd): joins.Part[] {
  if (contactIds.length + contacts.length <= partSize) return [{ contactIds, contacts, firstIndex: 0 }];
  return [
    ...partsOf(contactIds, partSize).map((ids) => ({ contactIds: ids, contacts: [], firstIndex: 0 })),
    ...partsOf(contacts, partSize).map((part, index) => ({
      contactIds: [],
      contacts: part,
      firstIndex: index * partSize,
    })),
  ];
}

async function recordAdded(
  app: App,
  tx: Tx,
  campaignId: string,
  actor: Actor | null,
  counts: { added: number; skipped: number },
): Promise<void> {
  if (counts.added > 0) await recordEvent(app, tx, campaignId, 'contacts_added', actor, counts);
}

/** A request that waits until its contacts have been added. */
type Waiting = AddedContacts & PromiseWithResolvers<AddedContacts>;
const waitingById = nodeState('joins', () => new Map<string, Waiting>());

type Parts = { first: joins.Part; others: readonly joins.Part[] };

async function addInParts(
  app: App,
  orgId: string,
  campaignId: string,
  { first, others }: Parts,
  author: Author,
): Promise<AddedContacts> {
  await openCampaignOf(app.db, orgId, campaignId);
  const id = app.ids.make();
  const waiting: Waiting = { added: 0, skipped: [], unscripted: 0, ...Promise.withResolvers<AddedContacts>() };
  waiting.promise.catch(() => undefined); // it may fail before the request waits for it
  waitingById(app).set(id, waiting);
  try {
    try {
      await storeParts(app, orgId, id, others);
      await decide(app, orgId, { id, campaignId, parts: others.length }, first, author);
    } catch (error) {
      await unguarded(() => discard(app, orgId, id));
      throw error;
    }
    faultPoint('join.decided');
    return await waiting.promise;
  } finally {
    waitingById(app).delete(id);
  }
}

async function storeParts(app: App, orgId: string, id: string, parts: readonly joins.Part[]): Promise<void> {
  await inBatches(app.db, [...parts.entries()], async ([index, part]) => {
    await transact(app.db, orgId, async (tx) => {
      await joins.insertPart(tx, id, index, part);
      // Deletes the parts if the process dies before it decides.
      if (index === 0) await discardAt(app, tx, id, app.clock.now() + maxStagingMs);
    });
    faultPoint('join.stored');
  });
}

const discardAt = (app: App, tx: Tx, id: string, dueAt: number): Promise<void> =>
  enqueue(app, tx, joinContacts, { key: id, dueAt, payload: { discards: true }, onConflict: 'replace' });

const discard = (app: App, orgId: string, id: string): Promise<void> =>
  transact(app.db, orgId, (tx) => discardAt(app, tx, id, app.clock.now()));

type Decided = Exclude<JoinPayload, { discards: true }>;
type Join = { id: string; campaignId: string; parts: number };

function decide(
  app: App,
  orgId: string,
  join: Join,
  first: joins.Part,
  { actor = null, entry }: Author,
): Promise<void> {
  const { id, campaignId, parts } = join;
  return transact(app.db, orgId, async (tx) => {
    if ((await joins.countParts(tx, id)) < parts)
      throw new AppError('unavailable', 'The request took too long, and no contact was added. Send it again.');
    const result = await addBatch(app, tx, await openCampaignOf(tx, orgId, campaignId), first);
    if (entry) await appendAudit(app, tx, entry);
    await proceed(app, tx, id, { campaignId, actor, added: 0, skipped: 0 }, result);
  });
}

/** Adds a part, and enqueues the next one. */
async function proceed(app: App, tx: Tx, id: string, before: Decided, result: AddedContacts): Promise<void> {
  const payload = {
    ...before,
    added: before.added + result.added,
    skipped: before.skipped + result.skipped.length,
  };
  onCommit(tx, () => {
    const waiting = waitingById(app).get(id);
    if (waiting) count(waiting, result);
  });
  await enqueue(app, tx, joinContacts, { key: id, dueAt: app.clock.now(), payload, onConflict: 'replace' });
}

/**
 * Adds the next stored part to the campaign, or records the end after the last one. If that fails, the job is tried again later, and the
 * request that waits for it is answered with the error.
 */
export async function joinNextPart(app: App, tx: Tx, id: string, payload: JoinPayload): Promise<void> {
  if ('discards' in payload) return joins.deleteParts(tx, id);
  try {
    await addNextPart(app, tx, id, payload);
  } catch (error) {
    waitingById(app).get(id)?.reject(error);
    throw error;
  }
}

/** A campaign that has been deleted takes no more. */
async function addNextPart(app: App, tx: Tx, id: string, payload: Decided): Promise<void> {
  const { campaignId, actor, added, skipped } = payload;
  const campaign = await store.campaignById(tx, campaignId);
  const waiting = waitingById(app).get(id);
  if (!campaign) {
    await joins.deleteParts(tx, id);
    return onCommit(tx, () => waiting?.reject(notFound('campaign')));
  }
  // Completed while its contacts join: they follow when those before them have expired.
  if (campaign.contactsChange === 'expiring')
    return proceed(app, tx, id, payload, { added: 0, skipped: [], unscripted: 0 });
  const part = await joins.takePart(tx, id);
  if (part) return proceed(app, tx, id, payload, await addBatch(app, tx, campaign, part));
  await recordAdded(app, tx, campaignId, actor, { added, skipped });
  onCommit(tx, () =>
    waiting?.resolve({ added: waiting.added, skipped: waiting.skipped, unscripted: waiting.unscripted }),
  );
}
