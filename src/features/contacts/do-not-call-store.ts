import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { DoNotCallEntry } from './contact.ts';

/** Adds what is not listed yet and says how many that were; an entry that is there keeps its reason and time. */
export async function insertEntries(
  db: Queryable,
  orgId: string,
  phones: readonly string[],
  entry: Omit<DoNotCallEntry, 'phone'>,
): Promise<number> {
  // Without WHERE, SQLite would take ON CONFLICT for the condition of a join.
  const { numAffectedRows } = await sql`
    INSERT INTO do_not_call (organization_id, phone, reason, created_at)
    SELECT ${orgId}, value, ${entry.reason}, ${entry.createdAt} FROM json_each(${JSON.stringify(phones)}) WHERE true
    ON CONFLICT DO NOTHING`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Whether the phone was listed. */
export async function deleteEntry(db: Queryable, orgId: string, phone: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('do_not_call')
    .where('organization_id', '=', orgId)
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

const barredOf = prepared(
  (_db, p: { orgId: string; phones: string }) => sql<{ phone: string }>`
    SELECT value AS phone FROM json_each(${p.phones}) 
    WHERE EXISTS (SELECT 1 FROM do_not_call WHERE organization_id = ${p.orgId} AND phone = value)
      OR EXISTS (SELECT 1 FROM contacts WHERE organization_id = ${p.orgId} AND phone = value AND do_not_call = 1)`,
);

/** Those of the phones that are listed, or that a contact has who carries the flag. */
export async function barredPhones(db: Queryable, orgId: string, phones: readonly string[]): Promise<string[]> {
  const { rows } = await barredOf(db, { orgId, phones: JSON.stringify(phones) });
  return rows.map((row) => row.phone);
}

type Called = { orgId: string; phone: string; contactId: string | null };

const barred = prepared(
  (_db, p: Called) => sql<{ barred: number }>`
    SELECT EXISTS (SELECT 1 FROM do_not_call WHERE organization_id = ${p.orgId} AND phone = ${p.phone}) OR
      EXISTS (SELECT 1 FROM contacts WHERE organization_id = ${p.orgId} AND phone = ${p.phone} AND do_not_call = 1) OR
      EXISTS (SELECT 1 FROM contacts WHERE id = ${p.contactId} AND organization_id = ${p.orgId} AND do_not_call = 1) AS barred`,
);

/** Whether a phone is listed, or a contact that has it or that it is called as carries the flag. */
export const isBarred = async (db: Queryable, called: Called): Promise<boolean> =>
  (await barred(db, called)).rows[0]!.barred === 1;

export async function entriesPage(db: Queryable, orgId: string, page: Page): Promise<Paged<DoNotCallEntry>> {
  const own = db.selectFrom('do_not_call').where('organization_id', '=', orgId);
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('phone', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { items: rows.map((row) => ({ phone: row.phone, reason: row.reason, createdAt: row.created_at })), total };
}
