import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { type Queryable, transact } from '../../src/db/transaction.ts';
import { firstAt, rowId, type World } from './many-rows.ts';

/** Reads lists by cursor while rows are deleted and added. Of every ten rows that fillDatabase() made, two may be deleted (`goes`). */

type Table = 'contacts' | 'campaign_contacts' | 'calls' | 'webhook_deliveries' | 'audit_log';
type Row = Record<string, unknown> & { id: string };

export type WalkedList = {
  /** Path and query, without `limit` and `after`. */
  path: string;
  table: Table;
  /** Values that distinguish a new row from the row that it copies. */
  unlike(count: number, copied: Row): Record<string, unknown>;
};

export const walkedLists = ({ campaignId }: World): WalkedList[] => [
  { path: '/contacts?', table: 'contacts', unlike: () => ({}) },
  ...['queue', 'next_attempt', 'last_attempt'].map((sort) => ({
    path: `/campaigns/${campaignId}/contacts?sort=${sort}`,
    table: 'campaign_contacts' as const,
    unlike: (count: number) => ({
      position: 10_000_000 + count,
      phone: `+4940${String(20_000_000 + count)}`,
      contact_id: null,
      last_attempted_at: firstAt + count,
    }),
  })),
  { path: '/calls?', table: 'calls', unlike: (count) => ({ attempt: 2 + count }) },
  { path: '/webhooks/deliveries?', table: 'webhook_deliveries', unlike: () => ({}) },
  { path: '/audit?', table: 'audit_log', unlike: () => ({}) },
];

const goes = (n: number): boolean => n % 10 >= 8;

/** The number that fillDatabase() gave a row. */
const numberOf = (id: string): number => Number.parseInt(id.slice(-12), 16);

type Page = { data: Array<{ id: string; call_session_id: string }>; meta: { limit: number; next: string | null } };

/**
 * Reads a list in pages of `limit`. After each page, deletes some rows throughout the list and adds as many at its front.
 * @throws AssertionError if a row is shown twice, or a row that was never deleted is not shown
 */
export async function walk(
  db: Queryable,
  world: World,
  list: WalkedList,
  { limit, get }: { limit: number; get: (path: string) => Promise<Page> },
): Promise<{ pages: number; rows: number }> {
  const standing = await rowsOf(db, list, (n) => !goes(n));
  const going = await rowsOf(db, list, goes);
  const seen = new Set<string>();
  const changes = Math.ceil((going.length * limit) / (standing.length + going.length));
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const { data, meta }: Page = await get(`${list.path}&limit=${limit}&after=${cursor}`);
    for (const row of data) {
      const id = list.table === 'calls' ? row.call_session_id : row.id;
      assert.ok(!seen.has(id), `${list.path}: ${id} was shown twice`);
      seen.add(id);
    }
    cursor = meta.next;
    await change(db, world, list, { going, standing, changes });
  }
  const missed = standing.filter((id) => !seen.has(id));
  assert.deepEqual(missed.slice(0, 5), [], `${list.path}: ${missed.length} rows that stood still were not shown`);
  return { pages, rows: seen.size };
}

async function rowsOf(db: Queryable, { table }: WalkedList, matches: (n: number) => boolean): Promise<string[]> {
  const { rows } = await sql<Row>`SELECT id FROM ${sql.table(table)} ORDER BY id`.execute(db);
  return rows.map(({ id }) => id).filter((id) => matches(numberOf(id)));
}

type Change = { going: string[]; standing: readonly string[]; changes: number };

/** How many rows have been added, in all lists. */
let count = 0;

/** Deletes some rows throughout the list, and adds as many. */
async function change(db: Queryable, { orgId }: World, list: WalkedList, { going, standing, changes }: Change) {
  const table = sql.table(list.table);
  await transact(db, orgId, async (tx) => {
    for (let index = 0; index < changes; index += 1) {
      const [gone] = going.splice((count * 7919) % Math.max(going.length, 1), 1);
      if (gone !== undefined) await sql`DELETE FROM ${table} WHERE id = ${gone}`.execute(tx);
      const model = standing[count % standing.length]!;
      const copied = await sql<Row>`SELECT * FROM ${table} WHERE id = ${model}`.execute(tx);
      count += 1;
      const row = {
        ...copied.rows[0]!,
        id: rowId('other', 20_000_000 + count),
        ...list.unlike(count, copied.rows[0]!),
      };
      const [columns, values] = [Object.keys(row).map((name) => sql.ref(name)), Object.values(row)];
      await sql`INSERT INTO ${table} (${sql.join(columns)}) VALUES (${sql.join(values)})`.execute(tx);
    }
  });
}
