import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import { JsonObject } from '../../base/json.ts';
import { readInBackground } from '../../db/long-reads.ts';
import { countRowsOf, type List, newestFirst, maxPageBytes, readList, type RowsOfPage } from '../../db/pages.ts';
import { compiledOnce, prepared, sent } from '../../db/prepared.ts';
import type { ContactsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { type ColumnType, contains, listOf, recordsOf } from '../../db/sql.ts';
import { keptCount } from '../../kernel/counts.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import { maxMetadataBytes } from '../../kernel/schema.ts';
import type { Actor } from '../requests/audit.ts';
import { contactIndex } from '../../search/contacts/index.ts';
import { type Contact, type ContactWithoutMetadata, type OptOut, searchText } from './contact.ts';
import { isDoNotCallOf } from './do-not-call-store.ts';

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
  'opted_out_at',
  'opted_out_reason',
  'opted_out_by',
  'version',
  'created_at',
  'updated_at',
] as const;
const columns = [...columnsWithoutMetadata, 'metadata'] as const;

type RowWithoutMetadata = Pick<ContactRow, (typeof columnsWithoutMetadata)[number]>;

/** What `do_not_call` is recorded with. */
const optOutOf = (row: Pick<ContactRow, 'opted_out_at' | 'opted_out_reason' | 'opted_out_by'>): OptOut | null =>
  row.opted_out_at === null
    ? null
    : {
        at: row.opted_out_at,
        reason: row.opted_out_reason,
        by: row.opted_out_by === null ? null : (JSON.parse(row.opted_out_by) as Actor),
      };

/** A flag that came with other fields, as in an import, counts from the instant of the change. */
function optOutRow({ doNotCall, optOut, updatedAt }: Contact) {
  const { at, reason, by } = optOut ?? { at: updatedAt, reason: null, by: null };
  return doNotCall
    ? { opted_out_at: at, opted_out_reason: reason, opted_out_by: by && JSON.stringify(by) }
    : { opted_out_at: null, opted_out_reason: null, opted_out_by: null };
}

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
  optOut: optOutOf(row),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const contactOf = (orgId: string, row: Pick<ContactRow, (typeof columns)[number]>): Contact => ({
  ...withoutMetadata(orgId, row),
  metadata: new JsonObject(row.metadata),
});

const rowOf = (contact: Contact): Omit<ContactRow, 'removed_at' | 'note_count' | 'version'> => ({
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
  ...optOutRow(contact),
  search: searchText(contact),
  created_at: contact.createdAt,
  updated_at: contact.updatedAt,
});

const savedColumns = {
  id: 'text',
  organization_id: 'text',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  company: 'text',
  metadata: 'text',
  timezone: 'text',
  do_not_call: 'integer',
  opted_out_at: 'integer',
  opted_out_reason: 'text',
  opted_out_by: 'text',
  search: 'text',
  created_at: 'integer',
  updated_at: 'integer',
} as const satisfies Partial<Record<keyof ContactRow, ColumnType>>;

/** The columns whose changes count as a version, as a row value. */
const countedColumns = (table: string): string =>
  `(${['first_name', 'last_name', 'email', 'phone', 'company', 'metadata', 'timezone'].map((column) => `${table}.${column}`).join(', ')})`;

const columnList = sql.join(Object.keys(savedColumns).map((column) => sql.ref(column)));

// Without WHERE, SQLite parses ON CONFLICT as the ON clause of a join.
const upsertRows = sent(
  (_db, p: { rows: ReadonlyArray<ReturnType<typeof rowOf>> }) => sql`
    INSERT INTO contacts (${columnList})
    SELECT ${columnList} FROM ${recordsOf(p.rows, savedColumns)} AS saved WHERE true
    ON CONFLICT (id) DO UPDATE SET
      first_name = excluded.first_name, last_name = excluded.last_name, email = excluded.email, phone = excluded.phone,
      company = excluded.company, metadata = excluded.metadata, timezone = excluded.timezone,
      version = contacts.version + CASE WHEN ${sql.raw(countedColumns('contacts'))} IS DISTINCT FROM ${sql.raw(countedColumns('excluded'))} THEN 1 ELSE 0 END,
      do_not_call = excluded.do_not_call, opted_out_at = excluded.opted_out_at,
      opted_out_reason = excluded.opted_out_reason, opted_out_by = excluded.opted_out_by, search = excluded.search,
      updated_at = excluded.updated_at`,
);

/** Inserts contacts, or updates those that exist: one statement for any number of them. */
export async function saveContacts(tx: Tx, contacts: readonly Contact[]): Promise<void> {
  await upsertRows(tx, { rows: contacts.map(rowOf) });
}

/** Hides a contact from all readers. Without its data, neither a search nor a lookup by phone or for the do-not-call list finds it. */
export async function markRemoved(tx: Tx, id: string, now: number): Promise<void> {
  const nothing = { first_name: null, last_name: null, email: null, phone: null, company: null, timezone: null };
  await tx
    .updateTable('contacts')
    .set({
      ...nothing,
      metadata: '{}',
      search: '',
      do_not_call: 0,
      opted_out_at: null,
      opted_out_reason: null,
      opted_out_by: null,
      removed_at: now,
    })
    .where('id', '=', id)
    .execute();
}

/** Deletes a removed contact, to which nothing refers any more. */
export async function deleteContact(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('contacts').where('id', '=', id).where('removed_at', 'is not', null).execute();
}

/** The contacts of an organization that were not removed. */
const contactsOf = (db: Queryable, orgId: string) =>
  db.selectFrom('contacts').where('organization_id', '=', orgId).where('removed_at', 'is', null);

const byId = prepared((db, p: { orgId: string; id: string }) =>
  contactsOf(db, p.orgId).select(columns).where('id', '=', p.id),
);

export async function contactById(db: Queryable, orgId: string, id: string): Promise<Contact | undefined> {
  const [row] = (await byId(db, { orgId, id })).rows;
  return row && contactOf(orgId, row);
}

/** Contacts by id, without their metadata, which can be 640 MiB for ten thousand contacts. */
export async function contactsByIds(
  db: Queryable,
  orgId: string,
  ids: readonly string[],
): Promise<ContactWithoutMetadata[]> {
  const rows = await contactsOf(db, orgId).select(columnsWithoutMetadata).where('id', 'in', listOf(ids)).execute();
  return rows.map((row) => withoutMetadata(orgId, row));
}

const byPhones = prepared((db, p: { orgId: string; phones: readonly string[] }) =>
  db
    .selectFrom('contacts')
    .select(columns)
    .where('organization_id', '=', p.orgId)
    .where('phone', 'in', listOf(p.phones)),
);

/** Contacts by phone, newest first, so that a map filled in this order keeps the oldest contact of each phone. */
export async function contactsByPhones(db: Queryable, orgId: string, phones: readonly string[]): Promise<Contact[]> {
  const { rows } = await byPhones(db, { orgId, phones });
  // Sort here: with ORDER BY id, SQLite walks all contacts in that order instead of looking up the phones.
  return rows.map((row) => contactOf(orgId, row)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

const oldestWithPhone = prepared((db, p: { orgId: string; phone: string }) =>
  db
    .selectFrom('contacts')
    .select(columns)
    .where('organization_id', '=', p.orgId)
    .where('phone', '=', p.phone)
    .orderBy('id')
    .limit(1),
);

export async function oldestContactWithPhone(
  db: Queryable,
  orgId: string,
  phone: string,
): Promise<Contact | undefined> {
  const [row] = (await oldestWithPhone(db, { orgId, phone })).rows;
  return row && contactOf(orgId, row);
}

/** Null when the organization has no contacts. */
export async function newestContactId(db: Queryable, orgId: string): Promise<string | null> {
  const row = await contactsOf(db, orgId).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? null;
}

/**
 * A page of contacts with ids after `afterId` and up to `untilId`, oldest first; empty when there are no more. Read on the background
 * thread, because an export may take minutes.
 */
export async function contactsBetween(
  db: Queryable,
  orgId: string,
  { afterId, untilId, limit }: { afterId: string; untilId: string; limit: number },
): Promise<Contact[]> {
  const contacts = contactsOf(db, orgId)
    .select(columns)
    .where('id', '>', afterId)
    .where('id', '<=', untilId)
    .orderBy('id')
    .limit(limit)
    .compile();
  const { rows } = await readInBackground(db, contacts, { owner: orgId, maxBytes: maxPageBytes });
  return rows.map((row) => contactOf(orgId, row));
}

const allPage = compiledOnce((db, p: { orgId: string; limit: number; offset: number }) =>
  contactsInOrder(db, p.orgId).limit(p.limit).offset(p.offset),
);
const allPageBehind = compiledOnce((db, p: { orgId: string; id: string; limit: number }) =>
  contactsInOrder(db, p.orgId).where('id', '<', p.id).limit(p.limit),
);
const contactsInOrder = (db: Queryable, orgId: string) => contactsOf(db, orgId).select(columns).orderBy('id', 'desc');

/** The largest row of a contact: its metadata, and room for its other fields, four of which have up to 254 characters. */
const maxRowLength = maxMetadataBytes + 4096;

/** All contacts of an organization, newest first. */
export async function contactsPage(db: Queryable, orgId: string, page: Page): Promise<Paged<Contact>> {
  const list: List<ListedRow> = {
    rows: (after, range) =>
      after === null
        ? allPage(db, { orgId, ...range })
        : allPageBehind(db, { orgId, id: String(after[0]), limit: range.limit }),
    positionOf: (row) => [row.id],
    total: () => keptCount(db, orgId, 'contacts'),
    maxRowLength,
  };
  return presentRows(orgId, await readList(db, list, page));
}

/** A row of a list, as the thread that read it returns it. */
export type ListedRow = Pick<ContactRow, (typeof columns)[number]>;

export const presentRows = (orgId: string, rows: RowsOfPage<ListedRow>): Paged<Contact> =>
  pagedOf(rows, (row) => contactOf(orgId, row));

/**
 * At most this many index candidates are compared one by one, in some milliseconds. With more, many contacts match, and reading contacts in
 * order of the list finds a page sooner.
 */
const maxCompared = 5000;

type Match = {
  orgId: string;
  /** Part of the search text; `''` finds all. */
  folded: string;
  /** Whether the contacts may not be called, as 0 or 1; null for all. */
  isDoNotCall: number | null;
};

const isMatch = ({ orgId, folded, isDoNotCall }: Match): RawBuilder<SqlBool> => {
  const called = { orgId, phone: sql.ref('contacts.phone'), contactId: sql.ref('contacts.id') };
  return sql`${contains('search', folded)} AND (CAST(${isDoNotCall} AS bigint) IS NULL OR CASE WHEN ${isDoNotCallOf(called)} THEN 1 ELSE 0 END = ${isDoNotCall})`;
};

/**
 * Contacts that match, newest first. May read every contact of the organization, if many match or `folded` has fewer than three
 * characters: 0.5 s for a million.
 */
export async function matchingRows(
  db: Queryable,
  { page, ...match }: Match & { page: Page },
): Promise<RowsOfPage<ListedRow>> {
  const { orgId } = match;
  const ids = await matchingIds(db, match);
  const matches = contactsOf(db, orgId);
  if (ids === undefined) {
    const inOrder = matches.where(isMatch(match));
    const total = (): Promise<number> => countRowsOf(db, sql`${inOrder.select('id')}`, orgId);
    return readList(db, { ...newestFirst<ListedRow>(inOrder.select(columns)), total }, page);
  }
  const rows: List<ListedRow>['rows'] = (after, { limit, offset }) => {
    const behind = after === null ? ids : ids.filter((id) => id < String(after[0]));
    return matches
      .select(columns)
      .where('id', 'in', listOf(behind.slice(offset, offset + limit)))
      .orderBy('id', 'desc')
      .compile();
  };
  return readList(db, { rows, positionOf: (row) => [row.id], total: () => ids.length }, page);
}

const selectMatching = prepared((db, p: Match & { ids: readonly string[] }) =>
  contactsOf(db, p.orgId).select('id').where('id', 'in', listOf(p.ids)).where(isMatch(p)),
);

/** Ids of the contacts that match, newest first; undefined if the index cannot narrow the search to `maxCompared` contacts. */
async function matchingIds(db: Queryable, match: Match): Promise<string[] | undefined> {
  const ids = await contactIndex.candidates(db, { orgId: match.orgId }, match.folded, maxCompared);
  if (ids === undefined) return undefined;
  const { rows } = await selectMatching(db, { ...match, ids });
  return rows.map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1));
}
