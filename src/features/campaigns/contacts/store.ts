import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { prepared, preparedBy, sent, updateById } from '../../../db/prepared.ts';
import type { CampaignContactsTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { firstRowsOf, joinInOrder, listOf, rowsOf, withoutIndex } from '../../../db/sql.ts';
import type { ScriptedCall } from '../../calls/call.ts';
import { isDoNotCallOf } from '../../contacts/service.ts';
import { asSeen, type CampaignContact, type CampaignContactStatus } from '../campaign.ts';
import type { Cause } from './cause.ts';
import {
  calledRows,
  inOrderOfFirstAttempts,
  isCalled,
  isFirstAttempt,
  isRetry,
  pendingParts,
  pendingRows,
} from './indexes.ts';

/** Begins what stands in place of the phone of an erased person, since phones are unique in a campaign. */
const erasedPhone = 'erased:';

export const campaignContactOf = (row: Selectable<CampaignContactsTable>): CampaignContact => ({
  id: row.id,
  campaignId: row.campaign_id,
  contactId: row.contact_id,
  position: row.position,
  name: row.name,
  phone: row.phone.startsWith(erasedPhone) ? '' : row.phone,
  email: row.email,
  timezone: row.timezone,
  tags: JSON.parse(row.tags) as string[],
  status: row.status as CampaignContactStatus,
  attemptCount: row.attempt_count,
  lastAttemptedAt: row.last_attempted_at,
  nextRetryAt: row.next_retry_at,
  callDurationSec: row.call_duration_sec,
  errorMessage: row.error_message,
  numberInvalid: row.number_invalid === 1,
  callSessionId: row.call_session_id,
  unreachableCount: row.unreachable_count,
  unreachableResumptions: row.unreachable_resumptions,
  unreachableTries: row.unreachable_tries,
  cause: row.cause === null ? null : (JSON.parse(row.cause) as Cause),
  simulate: row.simulate === null ? null : (JSON.parse(row.simulate) as ScriptedCall),
});

/** The rows of a contact, or of no contact with a phone, in all campaigns of the organization. */
export async function idsOfPerson(
  tx: Tx,
  orgId: string,
  { contactId, phone }: { contactId: string; phone: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM campaign_contacts WHERE contact_id = ${contactId}
    UNION SELECT cc.id FROM campaigns c ${joinInOrder} campaign_contacts cc ON cc.campaign_id = c.id AND cc.phone = ${phone}
      WHERE c.organization_id = ${orgId} AND cc.contact_id IS NULL`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Removes whom these rows are about, unless they still have a contact; their outcomes stay. */
export async function anonymize(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    UPDATE campaign_contacts SET name = NULL, phone = ${erasedPhone} || id, email = NULL, tags = '[]',
      error_message = NULL, simulate = NULL
    WHERE id IN ${listOf(ids)} AND contact_id IS NULL`.execute(tx);
}

/** SQLite binds at most 32,766 values per statement, and a row has eleven. */
const rowsPerInsert = 1000;

export async function insert(tx: Tx, rows: ReadonlyArray<Insertable<CampaignContactsTable>>): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    await tx
      .insertInto('campaign_contacts')
      .values(rows.slice(at, at + rowsPerInsert))
      .execute();
  }
}

/** Deletes the cancelled rows of these phones, which are about to be added again, and returns how many rows there were. */
export async function deleteCancelled(tx: Tx, campaignId: string, phones: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('campaign_contacts')
    .where('campaign_id', '=', campaignId)
    .where('phone', 'in', listOf(phones))
    .where('status', '=', 'cancelled')
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Those of the phones that the campaign already contains and that are not cancelled. */
export async function activePhonesIn(
  db: Queryable,
  campaignId: string,
  phones: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('campaign_contacts')
    .select('phone')
    .where('campaign_id', '=', campaignId)
    .where('phone', 'in', listOf(phones))
    .where('status', '!=', 'cancelled')
    .execute();
  return new Set(rows.map((row) => row.phone));
}

/** Those of the phones that the campaign already contains, whatever their status. */
export async function phonesIn(tx: Tx, campaignId: string, phones: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('campaign_contacts')
    .select('phone')
    .where('campaign_id', '=', campaignId)
    .where('phone', 'in', listOf(phones))
    .execute();
  return new Set(rows.map((row) => row.phone));
}

const byId = prepared((db, p: { id: string }) => db.selectFrom('campaign_contacts').selectAll().where('id', '=', p.id));

async function findById(db: Queryable, id: string): Promise<CampaignContact | undefined> {
  const [row] = (await byId(db, { id })).rows;
  return row && campaignContactOf(row);
}

const byContact = prepared((db, p: { campaignId: string; contactId: string }) =>
  db
    .selectFrom('campaign_contacts')
    .selectAll()
    .where('contact_id', '=', p.contactId)
    .where(sql<boolean>`${withoutIndex('campaign_id')} = ${p.campaignId}`)
    .orderBy('id', 'desc')
    .limit(1),
);

/**
 * Finds a campaign contact by its own id or by its contact's id, because lists show both. A contact whose phone was changed may have joined
 * the campaign again: the newest one is found, because the earlier ones have ended. Two queries, because SQLite would walk the whole
 * campaign for an OR.
 */
export async function find(db: Queryable, campaignId: string, id: string): Promise<CampaignContact | undefined> {
  const itself = await findById(db, id);
  if (itself?.campaignId === campaignId) return itself;
  const [row] = (await byContact(db, { campaignId, contactId: id })).rows;
  return row && campaignContactOf(row);
}

export const update = updateById('campaign_contacts');

/** The campaign contacts of a contact in all campaigns that were not removed, newest first. */
export async function ofContact(db: Queryable, contactId: string): Promise<CampaignContact[]> {
  const rows = await db
    .selectFrom('campaign_contacts as cc')
    .innerJoin('campaigns as c', 'c.id', 'cc.campaign_id')
    .selectAll('cc')
    .select('c.contacts_change')
    .where('cc.contact_id', '=', contactId)
    .where('c.removed_at', 'is', null)
    .orderBy('cc.id', 'desc')
    .execute();
  return rows.map((row) => asSeen({ isExpiring: row.contacts_change === 'expiring' }, campaignContactOf(row)));
}

/**
 * Up to `limit` campaign contacts of a contact, newest first: those with ids below `before`. Those of removed campaigns are among them, so
 * that a batch reads no more rows than it returns.
 */
export async function someOfContact(
  db: Queryable,
  contactId: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<CampaignContact[]> {
  const newestFirst = db
    .selectFrom('campaign_contacts as cc')
    .innerJoin('campaigns as c', 'c.id', 'cc.campaign_id')
    .selectAll('cc')
    .select('c.contacts_change')
    .where('cc.contact_id', '=', contactId)
    .orderBy('cc.id', 'desc')
    .limit(limit);
  const rows = await (before === undefined ? newestFirst : newestFirst.where('cc.id', '<', before)).execute();
  return rows.map((row) => asSeen({ isExpiring: row.contacts_change === 'expiring' }, campaignContactOf(row)));
}

type Wanted = { orgId: string; campaignId: string; now: number; resumptions: number };

/** A contact that is to be called now, and whether it may not be called at all. */
export type NextContact = CampaignContact & { isDoNotCall: boolean };
type NextRow = Selectable<CampaignContactsTable> & { is_do_not_call: number };

const offLimits = (p: Wanted) =>
  isDoNotCallOf({ orgId: p.orgId, phone: sql.ref('c.phone'), contactId: sql.ref('c.contact_id') });

const nextOf = ([row]: readonly NextRow[]): NextContact | undefined =>
  row && { ...campaignContactOf(row), isDoNotCall: row.is_do_not_call === 1 };

/** All pending contacts, or those for which the carrier has not been out of reach since its last pause ended. */
type Candidates = 'all' | 'untried';
const isWanted = (candidates: Candidates, p: Wanted) =>
  candidates === 'all' ? sql`TRUE` : sql`unreachable_resumptions IS DISTINCT FROM ${p.resumptions}`;

const head = preparedBy((candidates: Candidates) => (_db, p: Wanted) => {
  const pending = (isInQueue: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    firstRowsOf(
      pendingParts.map(({ rows, isPart }) => ({
        select: sql`SELECT id, next_retry_at, position FROM ${rows}
          WHERE campaign_id = ${p.campaignId} AND ${isPart} AND ${isInQueue} AND ${isWanted(candidates, p)}`,
        order,
      })),
      order,
      { limit: sql.lit(1) },
    );
  return sql<NextRow>`
    SELECT c.*, ${offLimits(p)} AS is_do_not_call FROM campaign_contacts AS c WHERE c.id = coalesce(
      (SELECT id FROM (${pending(sql`${isRetry} AND next_retry_at <= ${p.now}`, sql`next_retry_at, position`)}) AS found),
      (SELECT id FROM (${pending(isFirstAttempt, inOrderOfFirstAttempts)}) AS found))`;
});

/** With `resumptions` (`CarrierState`), only contacts for which the carrier has not been out of reach since that count was reached. */
type Asked = Omit<Wanted, 'resumptions'> & { resumptions: number | null };

const candidatesOf = ({ resumptions }: Asked): Candidates => (resumptions === null ? 'all' : 'untried');

/**
 * The next contact to call if the windows of all time zones are open: the retry that has been due longest, else the contact that was
 * added first.
 */
export const nextInCampaign = async (tx: Queryable, asked: Asked): Promise<NextContact | undefined> =>
  nextOf((await head(candidatesOf(asked))(tx, { ...asked, resumptions: asked.resumptions ?? 0 })).rows);

const headOfZones = preparedBy((candidates: Candidates) => (_db, p: Wanted & { zones: Iterable<string> }) => {
  const wanted = isWanted(candidates, p);
  return sql<NextRow>`
    SELECT c.*, ${offLimits(p)} AS is_do_not_call
    FROM ${rowsOf(p.zones)} AS zone ${joinInOrder} campaign_contacts c ON c.id = coalesce(
      (SELECT id FROM ${pendingRows}
       WHERE campaign_id = ${p.campaignId} AND timezone = zone.value AND ${isRetry} AND next_retry_at <= ${p.now} AND ${wanted}
       ORDER BY next_retry_at, position LIMIT 1),
      (SELECT id FROM ${pendingRows}
       WHERE campaign_id = ${p.campaignId} AND timezone = zone.value AND ${isFirstAttempt} AND ${wanted}
       ORDER BY ${inOrderOfFirstAttempts} LIMIT 1))
    ORDER BY c.next_retry_at IS NULL, c.next_retry_at, c.position LIMIT 1`;
});

/** Like `nextInCampaign`, among the contacts in these time zones. */
export const nextInZones = async (
  tx: Queryable,
  asked: Asked & { zones: readonly string[] },
): Promise<NextContact | undefined> =>
  nextOf((await headOfZones(candidatesOf(asked))(tx, { ...asked, resumptions: asked.resumptions ?? 0 })).rows);

const retriesAfter = prepared(
  (_db, p: { campaignId: string; zones: Iterable<string>; now: number }) => sql<{
    timezone: string;
    nextRetryAt: number;
  }>`
    SELECT c.timezone, c.next_retry_at AS "nextRetryAt"
    FROM ${rowsOf(p.zones)} AS zone ${joinInOrder} campaign_contacts c ON c.id = (
      SELECT id FROM ${pendingRows}
      WHERE campaign_id = ${p.campaignId} AND timezone = zone.value AND ${isRetry} AND next_retry_at > ${p.now}
      ORDER BY next_retry_at, position LIMIT 1)`,
);

/** When the next retry after `now` falls due in each of the time zones; those without one are left out. */
export const nextRetries = async (tx: Queryable, campaignId: string, zones: readonly string[], now: number) =>
  (await retriesAfter(tx, { campaignId, zones, now })).rows;

type ZoneKey = { campaignId: string; zone: string };

/** The number of pending contacts in a time zone. */
export type Zone = { timezone: string; pending: number };

const zonesWithPending = prepared((db, p: { campaignId: string }) =>
  db
    .selectFrom('campaign_zones')
    .select(['timezone', 'pending'])
    .where('campaign_id', '=', p.campaignId)
    .where('pending', '>', 0),
);

export const pendingZones = async (db: Queryable, campaignId: string): Promise<Zone[]> =>
  (await zonesWithPending(db, { campaignId })).rows;

const countZone = sent((db, p: ZoneKey & { by: number; initial: number }) =>
  db
    .insertInto('campaign_zones')
    .values({ campaign_id: p.campaignId, timezone: p.zone, pending: p.initial })
    .onConflict((conflict) =>
      conflict
        .columns(['campaign_id', 'timezone'])
        .doUpdateSet({ pending: sql<number>`campaign_zones.pending + ${p.by}` }),
    ),
);

export async function addPending(tx: Tx, campaignId: string, zone: string, by: number): Promise<void> {
  await countZone(tx, { campaignId, zone, by, initial: Math.max(by, 0) });
}

export async function forgetZones(tx: Tx, campaignId: string): Promise<void> {
  await tx.deleteFrom('campaign_zones').where('campaign_id', '=', campaignId).execute();
}

/** Sets up to `limit` pending contacts to `expired`, and returns how many it changed. */
export async function expirePending(tx: Tx, campaignId: string, limit: number): Promise<number> {
  const result = await sql`
    UPDATE campaign_contacts SET status = 'expired', next_retry_at = NULL
    WHERE id IN (
      SELECT id FROM ${pendingRows} WHERE campaign_id = ${campaignId} AND status = 'pending' LIMIT ${limit}
    )`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Cancels a contact that expired, or is about to. Returns the status that its row had. */
export async function cancelExpired(tx: Tx, id: string, cause: Cause): Promise<'expired' | 'pending' | undefined> {
  for (const status of ['expired', 'pending'] as const) {
    const { numUpdatedRows } = await tx
      .updateTable('campaign_contacts')
      .set({ status: 'cancelled', next_retry_at: null, cause: JSON.stringify(cause) })
      .where('id', '=', id)
      .where('status', '=', status)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return status;
  }
  return undefined;
}

export type Reopened = { id: string; timezone: string; unreachableTries: number };

/** Makes up to `limit` expired contacts pending again. */
export async function reopenExpired(tx: Tx, campaignId: string, limit: number): Promise<Reopened[]> {
  const { rows } = await sql<Reopened>`
    UPDATE campaign_contacts SET status = 'pending'
    WHERE id IN (
      SELECT id FROM ${calledRows}
      WHERE campaign_id = ${campaignId} AND ${isCalled} AND status = 'expired' ORDER BY position LIMIT ${limit}
    ) RETURNING id, timezone, unreachable_tries AS "unreachableTries"`.execute(tx);
  return rows;
}

/** Deletes up to `limit` contacts of a campaign, in the order of its queue, and returns how many it deleted. */
export async function deleteBatch(tx: Tx, campaignId: string, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM campaign_contacts WHERE id IN (
      SELECT id FROM campaign_contacts WHERE campaign_id = ${campaignId} ORDER BY position LIMIT ${limit}
    )`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Cancels those of these campaign contacts that are pending, and returns how many of each time zone it cancelled. */
export async function cancelPendingOf(
  tx: Tx,
  campaignId: string,
  ids: readonly string[],
  cause: Cause,
): Promise<Zone[]> {
  const { rows } = await sql<{ timezone: string }>`
    UPDATE campaign_contacts SET status = 'cancelled', next_retry_at = NULL, cause = ${JSON.stringify(cause)}
    WHERE id IN ${listOf(ids)} AND status = 'pending' AND ${withoutIndex('campaign_id')} = ${campaignId}
    RETURNING timezone`.execute(tx);
  const byZone = Map.groupBy(rows, ({ timezone }) => timezone);
  return [...byZone].map(([timezone, { length }]) => ({ timezone, pending: length }));
}
