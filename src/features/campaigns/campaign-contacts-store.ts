import { type Insertable, type Selectable, sql } from 'kysely';
import { prepared, preparedBy, readPage, updateById } from '../../db/prepared.ts';
import type { CampaignContactsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { listOf } from '../../db/sql.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { CampaignContact, CampaignContactStatus } from './campaign.ts';

const campaignContactOf = (row: Selectable<CampaignContactsTable>): CampaignContact => ({
  id: row.id,
  campaignId: row.campaign_id,
  contactId: row.contact_id,
  position: row.position,
  name: row.name,
  phone: row.phone,
  email: row.email,
  timezone: row.timezone,
  tags: JSON.parse(row.tags) as string[],
  status: row.status as CampaignContactStatus,
  attemptCount: row.attempt_count,
  lastAttemptedAt: row.last_attempted_at,
  nextRetryAt: row.next_retry_at,
  callDurationSec: row.call_duration_sec,
  errorMessage: row.error_message,
  callSessionId: row.call_session_id,
  unreachableCount: row.unreachable_count,
  unreachableResumptions: row.unreachable_resumptions,
});

/** SQLite binds at most 32,766 values per statement, and a row has ten. */
const rowsPerInsert = 1000;

export async function insert(tx: Tx, rows: ReadonlyArray<Insertable<CampaignContactsTable>>): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    await tx
      .insertInto('campaign_contacts')
      .values(rows.slice(at, at + rowsPerInsert))
      .execute();
  }
}

/** Removes the cancelled rows of these phones, which are about to join again, and returns how many there were. */
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
export async function activePhonesIn(tx: Tx, campaignId: string, phones: readonly string[]): Promise<Set<string>> {
  const rows = await tx
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

export async function findById(db: Queryable, id: string): Promise<CampaignContact | undefined> {
  const [row] = (await byId(db, { id })).rows;
  return row && campaignContactOf(row);
}

/** By the id of the contact or of the campaign contact: lists show both. */
export async function find(db: Queryable, campaignId: string, id: string): Promise<CampaignContact | undefined> {
  const row = await db
    .selectFrom('campaign_contacts')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .where((eb) => eb.or([eb('contact_id', '=', id), eb('id', '=', id)]))
    .executeTakeFirst();
  return row && campaignContactOf(row);
}

export async function list(
  db: Queryable,
  campaignId: string,
  status: CampaignContactStatus | undefined,
  page: Page,
): Promise<Paged<CampaignContact>> {
  let query = db.selectFrom('campaign_contacts').where('campaign_id', '=', campaignId);
  if (status !== undefined) query = query.where('status', '=', status);
  const rows = await readPage(db, query.selectAll().orderBy('position'), page);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { items: rows.map(campaignContactOf), total };
}

export const update = updateById('campaign_contacts');

/** The campaign contacts of a contact in all campaigns, newest first. */
export async function ofContact(db: Queryable, contactId: string): Promise<CampaignContact[]> {
  const rows = await db
    .selectFrom('campaign_contacts')
    .selectAll()
    .where('contact_id', '=', contactId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(campaignContactOf);
}

type ZoneKey = { campaignId: string; zone: string };

const pendingIn = (db: Queryable, p: ZoneKey) =>
  db
    .selectFrom('campaign_contacts')
    .where('campaign_id', '=', p.campaignId)
    .where('timezone', '=', p.zone)
    // As a literal: with a bound value SQLite would not use the partial indexes of the two queues.
    .where(sql<boolean>`status = 'pending'`);

/** All pending contacts, or those for which the carrier has not been out of reach since its last pause ended. */
type Candidates = 'all' | 'untried';

const candidatesIn = (db: Queryable, candidates: Candidates, p: ZoneKey & { resumptions: number }) => {
  const pending = pendingIn(db, p);
  return candidates === 'all' ? pending : pending.where('unreachable_resumptions', 'is distinct from', p.resumptions);
};

const firstDue = preparedBy((candidates: Candidates) => (db, p: ZoneKey & { now: number; resumptions: number }) => {
  const retry = candidatesIn(db, candidates, p)
    .where('next_retry_at', 'is not', null)
    .where('next_retry_at', '<=', p.now)
    .orderBy('next_retry_at')
    .orderBy('position')
    .limit(1);
  const first = candidatesIn(db, candidates, p).where('next_retry_at', 'is', null).orderBy('position').limit(1);
  return db
    .selectFrom('campaign_contacts')
    .selectAll()
    .where('id', '=', (eb) => eb.fn.coalesce(retry.select('id'), first.select('id')));
});

/**
 * The next contact to call in a time zone: the retry that has been due longest, else the contact that was added first. With `resumptions`
 * only contacts that have not been tried since then.
 */
export async function nextInZone(
  tx: Queryable,
  zone: ZoneKey,
  now: number,
  resumptions: number | null = null,
): Promise<CampaignContact | undefined> {
  const candidates = resumptions === null ? 'all' : 'untried';
  const [row] = (await firstDue(candidates)(tx, { ...zone, now, resumptions: resumptions ?? 0 })).rows;
  return row && campaignContactOf(row);
}

const retryAfter = prepared((db, p: ZoneKey & { now: number }) =>
  pendingIn(db, p)
    .select('next_retry_at')
    .where('next_retry_at', '>', p.now)
    .orderBy('next_retry_at')
    .orderBy('position')
    .limit(1),
);

/** When the next retry in a time zone falls due, if any does after `now`. */
export async function nextRetryAt(
  tx: Queryable,
  campaignId: string,
  zone: string,
  now: number,
): Promise<number | null> {
  const [row] = (await retryAfter(tx, { campaignId, zone, now })).rows;
  return row?.next_retry_at ?? null;
}

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

const countZone = prepared((db, p: ZoneKey & { by: number; initial: number }) =>
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
      SELECT id FROM campaign_contacts WHERE campaign_id = ${campaignId} AND status = 'pending' LIMIT ${limit}
    )`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Pending contacts per time zone that must not be called: flagged, or with a phone that is listed or belongs to a flagged contact. */
export async function doNotCallByZone(db: Queryable, orgId: string, campaignId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ timezone: string; n: number }>`
    SELECT cc.timezone, count(*) AS n FROM campaign_contacts cc LEFT JOIN contacts c ON c.id = cc.contact_id
    WHERE cc.campaign_id = ${campaignId} AND cc.status = 'pending' AND (c.do_not_call = 1
      OR EXISTS (SELECT 1 FROM do_not_call d WHERE d.organization_id = ${orgId} AND d.phone = cc.phone)
      OR EXISTS (SELECT 1 FROM contacts f WHERE f.organization_id = ${orgId} AND f.phone = cc.phone AND f.do_not_call = 1))
    GROUP BY cc.timezone`.execute(db);
  return new Map(rows.map(({ timezone, n }) => [timezone, n]));
}

export async function countWithStatus(
  db: Queryable,
  campaignId: string,
  status: CampaignContactStatus,
): Promise<number> {
  const query = db.selectFrom('campaign_contacts').select((eb) => eb.fn.countAll<number>().as('n'));
  const row = await query.where('campaign_id', '=', campaignId).where('status', '=', status).executeTakeFirstOrThrow();
  return row.n;
}

/** Mean length in seconds, including ringing, of the campaign's last 1,000 ended calls; null if there are none. */
export async function meanCallSec(db: Queryable, campaignId: string): Promise<number | null> {
  const { rows } = await sql<{ mean: number | null }>`
    SELECT avg(ended_at - started_at) / 1000.0 AS mean FROM (
      SELECT ended_at, started_at FROM calls WHERE campaign_id = ${campaignId} AND state = 'ended'
      ORDER BY id DESC LIMIT 1000)`.execute(db);
  return rows[0]?.mean ?? null;
}
