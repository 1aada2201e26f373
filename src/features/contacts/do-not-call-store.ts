import { type RawBuilder, sql } from 'kysely';
import { countRows, readPage } from '../../db/pages.ts';
import { prepared } from '../../db/prepared.ts';
import type { Queryable } from '../../db/transaction.ts';
import { contains, joinInOrder, rowsOf } from '../../db/sql.ts';
import { keptCount } from '../../kernel/counts.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import type { Actor } from '../requests/audit.ts';
import type { DoNotCallEntry, OptOut } from './contact.ts';

/** Adds the phones that are not listed yet, and returns how many it added. Existing entries keep their reason and time. */
export async function insertEntries(
  db: Queryable,
  orgId: string,
  phones: readonly string[],
  entry: Omit<DoNotCallEntry, 'phone'>,
): Promise<number> {
  // Without WHERE, SQLite parses ON CONFLICT as the ON clause of a join.
  const { numAffectedRows } = await sql`
    INSERT INTO do_not_call (organization_id, phone, reason, added_by, created_at)
    SELECT ${orgId}, value, ${entry.reason}, ${entry.by ? JSON.stringify(entry.by) : null}, ${entry.createdAt} FROM ${rowsOf(phones)} AS phones WHERE true
    ON CONFLICT DO NOTHING`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Returns whether the phone was listed. */
export async function deleteEntry(db: Queryable, orgId: string, phone: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('do_not_call')
    .where('organization_id', '=', orgId)
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

const selectDoNotCallPhones = prepared(
  (_db, p: { orgId: string; phones: readonly string[] }) => sql<{ phone: string }>`
    SELECT value AS phone FROM ${rowsOf(p.phones)} AS phones
    WHERE EXISTS (SELECT 1 FROM do_not_call WHERE organization_id = ${p.orgId} AND phone = value)
      OR EXISTS (SELECT 1 FROM contacts WHERE organization_id = ${p.orgId} AND phone = value AND do_not_call = 1)`,
);

/** The phones that are listed, or that belong to a contact flagged do-not-call. */
export async function doNotCallPhones(db: Queryable, orgId: string, phones: readonly string[]): Promise<string[]> {
  const { rows } = await selectDoNotCallPhones(db, { orgId, phones });
  return rows.map((row) => row.phone);
}

type Reason = { phone: string | null; contactId: string | null; optOut: OptOut };
type ReasonRow = { phone: string | null; id: string | null; at: number; reason: string | null; by: string | null };

const selectReasons = prepared(
  (_db, p: { orgId: string; phones: readonly string[]; contactIds: readonly string[] }) => sql<ReasonRow>`
    SELECT phone, NULL AS id, created_at AS at, reason, added_by AS "by" FROM ${rowsOf(p.phones)} AS phones
      ${joinInOrder} do_not_call ON do_not_call.organization_id = ${p.orgId} AND do_not_call.phone = phones.value
    UNION ALL
    SELECT phone, contacts.id, opted_out_at, opted_out_reason, opted_out_by FROM ${rowsOf(p.phones)} AS phones
      ${joinInOrder} contacts ON contacts.organization_id = ${p.orgId} AND contacts.phone = phones.value AND do_not_call = 1
    UNION ALL
    SELECT phone, contacts.id, opted_out_at, opted_out_reason, opted_out_by FROM ${rowsOf(p.contactIds)} AS ids
      ${joinInOrder} contacts ON contacts.id = ids.value AND contacts.organization_id = ${p.orgId} AND do_not_call = 1`,
);

/**
 * Entries of the list and flagged contacts that stand against calling some phones or contacts, some of them twice. An entry of the list has
 * no contact.
 */
export async function reasonsAgainst(
  db: Queryable,
  orgId: string,
  phones: readonly string[],
  contactIds: readonly string[],
): Promise<Reason[]> {
  const { rows } = await selectReasons(db, { orgId, phones, contactIds });
  return rows.map(({ phone, id, at, reason, by }) => ({
    phone,
    contactId: id,
    optOut: { at, reason, by: by === null ? null : (JSON.parse(by) as Actor) },
  }));
}

type CalledPhone = { orgId: string; phone: string; contactId: string | null };
/** The same as values or columns of a query. */
type Called = Readonly<Record<keyof CalledPhone, string | null | RawBuilder<unknown>>>;

/**
 * Whether a phone must not be called: it is on the list, or a contact with this phone is flagged do-not-call, or the contact being called
 * is flagged, even if its phone has changed since.
 */
export const isDoNotCallOf = ({ orgId, phone, contactId }: Called): RawBuilder<number> => sql<number>`
  (EXISTS (SELECT 1 FROM do_not_call AS listed
     WHERE listed.organization_id = ${orgId} AND listed.phone = ${phone}) OR
   EXISTS (SELECT 1 FROM contacts AS flagged
     WHERE flagged.organization_id = ${orgId} AND flagged.phone = ${phone} AND flagged.do_not_call = 1) OR
   EXISTS (SELECT 1 FROM contacts AS flagged
     WHERE flagged.id = ${contactId} AND flagged.organization_id = ${orgId} AND flagged.do_not_call = 1))`;

/** Whether the contact being called still exists and has a phone. */
export const hasPhoneOf = ({ orgId, contactId }: Omit<Called, 'phone'>): RawBuilder<number> =>
  sql<number>`EXISTS (SELECT 1 FROM contacts WHERE id = ${contactId} AND organization_id = ${orgId} AND phone IS NOT NULL)`;

const selectDoNotCall = prepared(
  (_db, p: CalledPhone) => sql<{ isDoNotCall: number }>`SELECT ${isDoNotCallOf(p)} AS "isDoNotCall"`,
);

export const isDoNotCall = async (db: Queryable, called: CalledPhone): Promise<boolean> =>
  (await selectDoNotCall(db, called)).rows[0]!.isDoNotCall === 1;

/** A page of the do-not-call list, newest first; with `part`, only of phones that contain it. */
export async function entriesPage(
  db: Queryable,
  orgId: string,
  page: Page,
  part?: string,
): Promise<Paged<DoNotCallEntry>> {
  const all = db.selectFrom('do_not_call').where('organization_id', '=', orgId);
  const found = part === undefined ? all : all.where(contains('phone', part));
  const rows = found.selectAll().orderBy('created_at', 'desc').orderBy('phone', 'desc');
  const listed = await keptCount(db, orgId, 'do_not_call');
  const total = part === undefined ? listed : countRows(db, found, page.owner, listed);
  return pagedOf(await readPage(db, rows, total, page, part === undefined ? 0 : listed), (row) => ({
    phone: row.phone,
    reason: row.reason,
    createdAt: row.created_at,
  }));
}
