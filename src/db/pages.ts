import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { invalidAt } from '../base/errors.ts';
import type { PartialRows } from './connection.ts';
import { isLongReadPossible, readInBackground } from './long-reads.ts';
import { onConnection, type Queryable } from './transaction.ts';

/** Where a row stands in the order of its list: the values that the list is sorted by. */
export type Position = ReadonlyArray<string | number | null>;

/**
 * A slice of a list: the rows after the first `offset` or, with `after`, the rows that follow a position (null: from the start). `owner` is
 * the organization that asks; organizations take turns with reads that take long.
 */
export type Slice = { limit: number; offset: number; after?: Position | null; owner?: string };

/** `total` for a page by offset; `cursors` for a page by position. */
export type RowsOfPage<R> = { rows: R[]; total?: number; cursors?: Cursors };
export type Cursors = { positions: Position[]; hasMore: boolean };

/** The largest page of a list, in bytes. */
export const maxPageBytes = 8 * 1_048_576;

/**
 * One statement may walk at most this many rows on the main thread, in some tenths of a millisecond. A statement that may walk more runs on
 * the background thread.
 */
const maxRowsHere = 5000;

type Compilable<R> = { compile(db?: Queryable): CompiledQuery<R> };
type Limitable<R> = Compilable<R> & { limit(rows: number): Limitable<R>; offset(rows: number): Limitable<R> };

export type List<R> = {
  /** The rows that follow a position, or all for null, in the order of the list. */
  rows(after: Position | null, range: { limit: number; offset: number }): CompiledQuery<R>;
  positionOf(row: R): Position;
  /** How many values a position has; default: one. */
  positionLength?: number;
  total(): number | Promise<number>;
  /** Upper limit of the rows that `rows` may walk without returning them, such as those that a filter without index drops. */
  maxSkipped?: number;
  /**
   * A length of all texts together, in UTF-16 code units, that no row exceeds, if rows are small. A page whose rows cannot exceed
   * 8 Mi units together is then read at once, which costs a fifth less. The answer is cut at 8 MiB in any case.
   */
  maxRowLength?: number;
};

/** Reads a page of a list. It ends early before its rows take more than 8 MiB. */
export async function readList<R>(db: Queryable, list: List<R>, slice: Slice): Promise<RowsOfPage<R>> {
  const { limit, offset, after } = slice;
  const skipped = list.maxSkipped ?? 0;
  if (after !== undefined) {
    if (after !== null && after.length !== (list.positionLength ?? 1))
      throw invalidAt('after', 'is not of this list; send it empty to start from the beginning');
    const query = list.rows(after, { limit: limit + 1, offset: 0 });
    const { rows: read, isCut } = await readRows(db, query, skipped, slice);
    const rows = read.slice(0, limit);
    const hasMore = isCut || read.length > limit;
    return { rows, cursors: { positions: rows.map((row) => list.positionOf(row)), hasMore } };
  }
  const total = await list.total();
  if (offset >= total) return { rows: [], total };
  const query = list.rows(null, { limit, offset });
  const maxLength = Math.min(limit, total - offset) * (list.maxRowLength ?? Number.POSITIVE_INFINITY);
  if (maxLength <= maxPageBytes && offset + skipped <= maxRowsHere) {
    const { rows } = await onConnection(db, (connection) => connection.execute<R>(query.sql, query.parameters));
    return { rows, total };
  }
  const { rows } = await readRows(db, query, offset + skipped, slice);
  return { rows, total };
}

/** Reads the rows of a query that walks `walked` rows at most; on the background thread, if they are many. */
export const readRows = <R>(db: Queryable, query: CompiledQuery<R>, walked: number, { owner = '' }: Slice) =>
  walked > maxRowsHere && isLongReadPossible(db)
    ? readInBackground<R>(db, query, { owner, maxBytes: maxPageBytes })
    : readUpTo(db, query, maxPageBytes);

/** Reads rows until their texts exceed `maxBytes`, one row at least: a few hundred large rows could take all memory. */
const readUpTo = <R>(db: Queryable, query: CompiledQuery<R>, maxBytes: number): Promise<PartialRows<R>> =>
  onConnection(db, (connection) => connection.readUpTo<R>(query.sql, query.parameters, maxBytes));

/** Reads a page by offset of a query that has its ORDER BY already. `maxSkipped`: see List. */
export async function readPage<R>(
  db: Queryable,
  query: Limitable<R>,
  total: number | Promise<number>,
  slice: Slice,
  maxSkipped = 0,
): Promise<RowsOfPage<R> & { total: number }> {
  const counted = await total;
  if (slice.offset >= counted) return { rows: [], total: counted };
  const page = query.limit(slice.limit).offset(slice.offset).compile();
  return { rows: (await readRows(db, page, slice.offset + maxSkipped, slice)).rows, total: counted };
}

/**
 * Reads a page by offset, newest first, of the rows of `all` that pass a filter for which there is no index. `found` is `all` with the
 * filter's conditions, or `all` itself without a filter.
 */
export async function readFiltered<R>(
  db: Queryable,
  all: Countable,
  found: Countable & { selectAll(): unknown },
  slice: Slice,
): Promise<RowsOfPage<R>> {
  const { owner } = slice;
  const walked = found === all ? 0 : await countRows(db, all, owner);
  const rows = (found.selectAll() as { orderBy(id: 'id', direction: 'desc'): Limitable<R> }).orderBy('id', 'desc');
  return readPage(db, rows, countRows(db, found, owner, walked), slice, walked);
}

/** A list in the order of ids, newest first, whose query is built anew for each page. `id` names the id, if the query joins tables. */
export const newestFirst = <R extends { id: string }>(
  query: { orderBy(id: never, direction: 'desc'): unknown; where(id: never, operator: '<', value: never): unknown },
  id = 'id',
): Pick<List<R>, 'rows' | 'positionOf'> => ({
  rows(after, { limit, offset }) {
    const rows = (after === null ? query : query.where(id as never, '<', after[0] as never)) as typeof query;
    return (rows.orderBy(id as never, 'desc') as Limitable<R>).limit(limit).offset(offset).compile();
  },
  positionOf: (row) => [row.id],
});

/**
 * Counts the rows of a query; on the background thread if it may walk more than 5,000. `walked` is the number of rows that it may walk, if
 * more than it finds.
 * @throws unavailable when too many reads of `owner` are waiting
 */
export async function countRowsOf(db: Queryable, query: RawBuilder<unknown>, owner = '', walked = 0): Promise<number> {
  if (walked <= maxRowsHere) {
    const few = sql<{
      n: number;
    }>`SELECT count(*) AS n FROM (SELECT 1 FROM (${query}) AS found LIMIT ${maxRowsHere + 1}) AS found`;
    const { n } = (await few.execute(db)).rows[0]!;
    if (n <= maxRowsHere) return n;
  }
  const all = sql<{ n: number }>`SELECT count(*) AS n FROM (${query}) AS found`.compile(db);
  return (await readInBackground<{ n: number }>(db, all, { owner })).rows[0]!.n;
}

type Countable = { select(one: never): unknown };

/** Counts the rows of a query for which no count is stored. `query` has no columns yet; `owner` and `walked`: see countRowsOf. */
export const countRows = (db: Queryable, query: Countable, owner = '', walked = 0): Promise<number> =>
  countRowsOf(db, sql`${query.select(sql`1`.as('one') as never)}`, owner, walked);
