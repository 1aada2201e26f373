import { type Selectable, sql } from 'kysely';
import type { ErasuresTable } from '../../db/schema.generated.ts';
import { contains, listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';

export type ErasureRow = Selectable<ErasuresTable>;

export async function insertErasure(tx: Tx, row: ErasureRow): Promise<void> {
  await tx.insertInto('erasures').values(row).execute();
}

export const erasureById = (db: Queryable, id: string): Promise<ErasureRow | undefined> =>
  db.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst();

/** Adds to the counts of an erasure. */
export async function addCounts(tx: Tx, id: string, added: Readonly<Record<string, number>>): Promise<void> {
  const row = await erasureById(tx, id);
  if (!row) return;
  const counts = JSON.parse(row.counts) as Record<string, number>;
  for (const [kind, count] of Object.entries(added)) counts[kind] = (counts[kind] ?? 0) + count;
  await tx
    .updateTable('erasures')
    .set({ counts: JSON.stringify(counts) })
    .where('id', '=', id)
    .execute();
}

export async function endErasure(tx: Tx, id: string, at: number): Promise<void> {
  await tx.updateTable('erasures').set({ done_at: at, subject_sealed: null }).where('id', '=', id).execute();
}

export async function hasOtherContactWith(
  db: Queryable,
  orgId: string,
  phone: string,
  contactId: string,
): Promise<boolean> {
  const others = db.selectFrom('contacts').select('id').where('organization_id', '=', orgId).where('phone', '=', phone);
  return (await others.where('id', '<>', contactId).limit(1).executeTakeFirst()) !== undefined;
}

export const noteIdsOf = async (db: Queryable, contactId: string): Promise<string[]> =>
  (await db.selectFrom('contact_notes').select('id').where('contact_id', '=', contactId).execute()).map(({ id }) => id);

/** Whether a request that adds the person to a campaign is still being carried out. */
export async function isJoining(db: Queryable, texts: readonly string[]): Promise<boolean> {
  const mentions = texts.map((text) => contains('entries', text));
  const { rows } = await sql`SELECT 1 FROM campaign_joins WHERE ${sql.join(mentions, sql` OR `)} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Whether the search still has to take out a contact. */
export async function isBeingIndexed(db: Queryable, orgId: string, contactId: string): Promise<boolean> {
  const pending = db.selectFrom('contact_search_pending').select('id').where('organization_id', '=', orgId);
  return (await pending.where('campaign_id', '=', '').where('id', '=', contactId).executeTakeFirst()) !== undefined;
}

export type EventSubject = { number: number; id: string; subject: string | null };
const eventsAtOnce = 1000;

/** The next events of an organization, without their bodies. */
export const eventsAfter = (db: Queryable, orgId: string, after = 0): Promise<EventSubject[]> =>
  db
    .selectFrom('webhook_events')
    .select(['number', 'id', 'subject'])
    .where('organization_id', '=', orgId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(eventsAtOnce)
    .execute();

/** Rows of a page of what is known of a person. A note may have 40 kB, and so may the changes of a request. */
const rowsAtOnce = 50;

export const notesPage = (db: Queryable, contactId: string, after: { id: string } | undefined) =>
  db
    .selectFrom('contact_notes')
    .select(['id', 'content', 'created_at as createdAt'])
    .where('contact_id', '=', contactId)
    .$if(after !== undefined, (notes) => notes.where('id', '<', after!.id))
    .orderBy('id', 'desc')
    .limit(rowsAtOnce)
    .execute();

export const campaignsPage = (db: Queryable, contactId: string, after: { row: string } | undefined) =>
  db
    .selectFrom('campaign_contacts as cc')
    .innerJoin('campaigns as c', 'c.id', 'cc.campaign_id')
    .select([
      'cc.id as row',
      'c.id as campaignId',
      'c.name as campaignName',
      'cc.name',
      'cc.phone',
      'cc.email',
      'cc.status',
      'cc.attempt_count as attemptCount',
      'cc.last_attempted_at as lastAttemptedAt',
      'cc.tags',
      'cc.error_message as errorMessage',
    ])
    .where('cc.contact_id', '=', contactId)
    .where('c.removed_at', 'is', null)
    .$if(after !== undefined, (rows) => rows.where('cc.id', '>', after!.row))
    .orderBy('cc.id')
    .limit(rowsAtOnce)
    .execute();

export const deliveriesOf = (db: Queryable, eventIds: readonly string[]) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as p', 'p.id', 'd.endpoint_id')
    .select(['d.id', 'd.event_id as eventId', 'p.url', 'd.created_at as createdAt', 'd.delivered_at as deliveredAt'])
    .where('d.event_id', 'in', listOf(eventIds))
    .orderBy('d.id', 'desc')
    .execute();

/** Those of the events whose call has been deleted; an event of a call has its id. */
export async function withoutCalls(db: Queryable, eventIds: readonly string[]): Promise<string[]> {
  const kept = await db.selectFrom('calls').select('id').where('id', 'in', listOf(eventIds)).execute();
  const calls = new Set(kept.map(({ id }) => id));
  return eventIds.filter((id) => !calls.has(id));
}

export type ChangesRow = { id: string; at: number; operation: string; changes: string | null };

export const changesPage = (
  db: Queryable,
  contactId: string,
  after: { id: string } | undefined,
): Promise<ChangesRow[]> =>
  db
    .selectFrom('audit_log as a')
    .innerJoin('audit_changes as c', 'c.audit_id', 'a.id')
    .select(['a.id', 'a.at', 'a.operation', 'c.changes'])
    .where('a.target_id', '=', contactId)
    .$if(after !== undefined, (rows) => rows.where('a.id', '<', after!.id))
    .orderBy('a.id', 'desc')
    .limit(rowsAtOnce)
    .execute();

export type ImportedChangesRow = { version: number; at: number; operation: string; changes: string };

export const importedChangesPage = (
  db: Queryable,
  contactId: string,
  after: { version: number } | undefined,
): Promise<ImportedChangesRow[]> =>
  db
    .selectFrom('imported_changes')
    .select(['version', 'at', 'operation', 'changes'])
    .where('contact_id', '=', contactId)
    .$if(after !== undefined, (rows) => rows.where('version', '<', after!.version))
    .orderBy('version', 'desc')
    .limit(rowsAtOnce)
    .execute();

export async function contactIdsAfter(
  db: Queryable,
  orgId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const contacts = db.selectFrom('contacts').select('id').where('organization_id', '=', orgId).where('id', '>', after);
  return (await contacts.where('removed_at', 'is', null).orderBy('id').limit(limit).execute()).map(({ id }) => id);
}

export async function organizationIdsAfter(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const organizations = db.selectFrom('organizations').select('id').where('id', '>', after).orderBy('id');
  return (await organizations.limit(limit).execute()).map(({ id }) => id);
}

/** Of the next contacts that are older than an instant: those with neither change, campaign, call nor note since then. */
export async function unusedSince(
  db: Queryable,
  orgId: string,
  { ids, before }: { ids: readonly string[]; before: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM contacts c WHERE id IN ${listOf(ids)} AND organization_id = ${orgId} AND updated_at < ${before}
      AND NOT EXISTS (SELECT 1 FROM contact_notes n WHERE n.contact_id = c.id AND n.created_at >= ${before})
      AND NOT EXISTS (SELECT 1 FROM calls WHERE contact_id = c.id AND created_at >= ${before})
      AND NOT EXISTS (SELECT 1 FROM campaign_contacts cc JOIN campaigns ON campaigns.id = cc.campaign_id
        WHERE cc.contact_id = c.id AND campaigns.removed_at IS NULL
          AND (campaigns.status <> 'completed' OR campaigns.completed_at >= ${before}))`.execute(db);
  return rows.map(({ id }) => id);
}

/** A phone, and where to go on behind it. */
type PhoneAt = { at: string; phone: string };
type Slice = { after: string; limit: number };

/** The phones of an organization's calls without a contact, in the order of the calls. */
const phonesOfCalls = (db: Queryable, orgId: string, { after, limit }: Slice): Promise<PhoneAt[]> =>
  db
    .selectFrom('calls')
    .select(['id as at', sql<string>`CASE direction WHEN 'outbound' THEN to_phone ELSE from_phone END`.as('phone')])
    .where('organization_id', '=', orgId)
    .where('contact_id', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

const phonesOfCampaign = (db: Queryable, campaignId: string, { after, limit }: Slice): Promise<PhoneAt[]> =>
  db
    .selectFrom('campaign_contacts')
    .select(['phone as at', 'phone'])
    .where('campaign_id', '=', campaignId)
    .where('phone', '>', after)
    .orderBy('phone')
    .limit(limit)
    .execute();

const phonesOfList = (db: Queryable, orgId: string, { after, limit }: Slice): Promise<PhoneAt[]> =>
  db
    .selectFrom('do_not_call')
    .select(['phone as at', 'phone'])
    .where('organization_id', '=', orgId)
    .where('phone', '>', after)
    .orderBy('phone')
    .limit(limit)
    .execute();

/**
 * All phones that calls without a contact, campaigns and the do-not-call list of an organization have, in portions. Each row is read once;
 * a phone may come repeatedly.
 */
export async function* phonesOf(db: Queryable, orgId: string, limit: number): AsyncGenerator<string[]> {
  const campaigns = await db.selectFrom('campaigns').select('id').where('organization_id', '=', orgId).execute();
  const sources = [
    (slice: Slice) => phonesOfCalls(db, orgId, slice),
    ...campaigns.map(
      ({ id }) =>
        (slice: Slice) =>
          phonesOfCampaign(db, id, slice),
    ),
    (slice: Slice) => phonesOfList(db, orgId, slice),
  ];
  for (const read of sources) {
    for (let after = ''; ;) {
      const found = await read({ after, limit });
      if (found.length === 0) break;
      yield found.map(({ phone }) => phone);
      after = found.at(-1)!.at;
    }
  }
}

export async function hasContactWith(db: Queryable, orgId: string, phone: string): Promise<boolean> {
  const contacts = db.selectFrom('contacts').select('id').where('organization_id', '=', orgId);
  return (await contacts.where('phone', '=', phone).limit(1).executeTakeFirst()) !== undefined;
}
