import { type Selectable, sql } from 'kysely';
import { JsonObject } from '../../base/json.ts';
import { maxPageBytes, prepared, preparedBy, readPage } from '../../db/prepared.ts';
import type { ContactsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { contains, listOf, recordsOf } from '../../db/sql.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { type Contact, type ContactWithoutMetadata, searchText } from './contact.ts';

type ContactRow = Selectable<ContactsTable>;

/** The columns that reads need: the caller knows the organization already, and `search` serves queries only. */
const columnsWithoutMetadata = [
  'id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'timezone',
  'do_not_call',
  'created_at',
  'updated_at',
] as const;
const columns = [...columnsWithoutMetadata, 'metadata'] as const;

type RowWithoutMetadata = Pick<ContactRow, (typeof columnsWithoutMetadata)[number]>;

const withoutMetadata = (orgId: string, row: RowWithoutMetadata): ContactWithoutMetadata => ({
  id: row.id,
  orgId,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  phone: row.phone,
  company: row.company,
  timezone: row.timezone,
  doNotCall: row.do_not_call === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const contactOf = (orgId: string, row: Pick<ContactRow, (typeof columns)[number]>): Contact => ({
  ...withoutMetadata(orgId, row),
  metadata: new JsonObject(row.metadata),
});

const rowOf = (contact: Contact): ContactRow => ({
  id: contact.id,
  organization_id: contact.orgId,
  first_name: contact.firstName,
  last_name: contact.lastName,
  email: contact.email,
  phone: contact.phone,
  company: contact.company,
  metadata: contact.metadata.text,
  timezone: contact.timezone,
  do_not_call: Number(contact.doNotCall),
  search: searchText(contact),
  created_at: contact.createdAt,
  updated_at: contact.updatedAt,
});

const savedColumns = [
  'id',
  'organization_id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'metadata',
  'timezone',
  'do_not_call',
  'search',
  'created_at',
  'updated_at',
] as const satisfies ReadonlyArray<keyof ContactRow>;

/** Inserts contacts, or updates those that exist: one statement for any number of them. */
export async function saveContacts(tx: Tx, contacts: readonly Contact[]): Promise<void> {
  const columnList = sql.join(savedColumns.map((column) => sql.ref(column)));
  // Without WHERE, SQLite parses ON CONFLICT as the ON clause of a join.
  await sql`
    INSERT INTO contacts (${columnList})
    SELECT ${columnList} FROM ${recordsOf(contacts.map(rowOf), savedColumns)} AS saved WHERE true
    ON CONFLICT (id) DO UPDATE SET
      first_name = excluded.first_name, last_name = excluded.last_name, email = excluded.email, phone = excluded.phone,
      company = excluded.company, metadata = excluded.metadata, timezone = excluded.timezone,
      do_not_call = excluded.do_not_call, search = excluded.search, updated_at = excluded.updated_at`.execute(tx);
}

export async function deleteContact(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('contacts').where('id', '=', id).execute();
}

const byId = prepared((db, p: { orgId: string; id: string }) =>
  db.selectFrom('contacts').select(columns).where('organization_id', '=', p.orgId).where('id', '=', p.id),
);

export async function contactById(db: Queryable, orgId: string, id: string): Promise<Contact | undefined> {
  const [row] = (await byId(db, { orgId, id })).rows;
  return row && contactOf(orgId, row);
}

/** Without their metadata: that of ten thousand contacts can be 640 MiB. */
export async function contactsByIds(
  db: Queryable,
  orgId: string,
  ids: readonly string[],
): Promise<ContactWithoutMetadata[]> {
  const rows = await db
    .selectFrom('contacts')
    .select(columnsWithoutMetadata)
    .where('organization_id', '=', orgId)
    .where('id', 'in', listOf(ids))
    .execute();
  return rows.map((row) => withoutMetadata(orgId, row));
}

/** Newest first, so that a map filled in this order keeps the oldest contact of each phone. */
export async function contactsByPhones(db: Queryable, orgId: string, phones: readonly string[]): Promise<Contact[]> {
  const rows = await db
    .selectFrom('contacts')
    .select(columns)
    .where('organization_id', '=', orgId)
    .where('phone', 'in', listOf(phones))
    .execute();
  // Sort here: with ORDER BY id, SQLite walks all contacts in that order instead of looking up the phones.
  return rows.map((row) => contactOf(orgId, row)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

/** Null when the organization has no contacts. */
export async function newestContactId(db: Queryable, orgId: string): Promise<string | null> {
  const row = await db
    .selectFrom('contacts')
    .select('id')
    .where('organization_id', '=', orgId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Contacts with ids after `afterId` and up to `untilId`, oldest first: a page of them, and none when there are no more. */
export async function contactsBetween(
  db: Queryable,
  orgId: string,
  afterId: string,
  untilId: string,
  limit: number,
): Promise<Contact[]> {
  const contacts = db
    .selectFrom('contacts')
    .select(columns)
    .where('organization_id', '=', orgId)
    .where('id', '>', afterId)
    .where('id', '<=', untilId)
    .orderBy('id');
  const rows = await readPage(db, contacts, { limit, offset: 0 });
  return rows.map((row) => contactOf(orgId, row));
}

/** All contacts, or those whose search text contains `folded`. */
type Filter = 'all' | 'matching';
type Search = { orgId: string; folded: string };

const filteredContacts = (db: Queryable, filter: Filter, { orgId, folded }: Search) => {
  const contacts = db.selectFrom('contacts').where('organization_id', '=', orgId);
  return filter === 'all' ? contacts : contacts.where(contains('search', folded));
};

const countOf = preparedBy(
  (filter: Filter) => (db, p: Search) =>
    filteredContacts(db, filter, p).select((eb) => eb.fn.countAll<number>().as('total')),
);

const pageOf = preparedBy(
  (filter: Filter) => (db, p: Search & Page) => {
    const ids = filteredContacts(db, filter, p).select('id').orderBy('id', 'desc').limit(p.limit).offset(p.offset);
    return db.selectFrom('contacts').select(columns).where('id', 'in', ids).orderBy('id', 'desc');
  },
  { maxBytes: maxPageBytes },
);

/** Contacts whose search text contains `folded`, or all when it is empty. The scan reads an index that contains the search text. */
export async function contactsPage(db: Queryable, orgId: string, folded: string, page: Page): Promise<Paged<Contact>> {
  const filter = folded === '' ? 'all' : 'matching';
  const count = await countOf(filter)(db, { orgId, folded });
  const { rows } = await pageOf(filter)(db, { orgId, folded, ...page });
  return { items: rows.map((row) => contactOf(orgId, row)), total: count.rows[0]!.total };
}
