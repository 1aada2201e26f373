import { type Expression, type RawBuilder, sql } from 'kysely';
import { encoded } from './prepared.ts';

/**
 * SQL that each database writes differently, once for all stores. Every helper is a fragment for `sql` templates and for Kysely's query
 * builder, also inside prepared(), where its arguments may be parameters of the query.
 */

type Value = string | number;

/** A list as a single JSON parameter: the statement's text stays the same however long the list is, and no limit on parameters applies. */
const jsonParameter = (values: Iterable<unknown>): unknown => encoded(values, (given) => JSON.stringify([...given]));

/** The right side of IN and NOT IN: `id IN ${listOf(ids)}`. */
export const listOf = <T extends Value>(values: Iterable<T>): RawBuilder<T> =>
  sql`(SELECT value FROM json_each(${jsonParameter(values)}))`;

/** A list as a table with the column `value`: `FROM ${rowsOf(ids)} AS wanted`. */
export const rowsOf = (values: Iterable<Value>): RawBuilder<unknown> => sql`json_each(${jsonParameter(values)})`;

/** Objects as a table with one column per key: `FROM ${recordsOf(moves, ['id', 'at'])} AS move`. */
export const recordsOf = <C extends string>(
  records: Iterable<Readonly<Record<C, Value | null>>>,
  columns: readonly C[],
): RawBuilder<unknown> => {
  const selected = columns.map((column, index) => sql`value ->> ${sql.lit(index)} AS ${sql.ref(column)}`);
  // As lists, because SQLite finds a value by its position in two thirds of the time that it takes by its key.
  const lists = encoded(records, (given) =>
    JSON.stringify(Array.from(given, (record) => columns.map((column) => record[column]))),
  );
  return sql`(SELECT ${sql.join(selected)} FROM json_each(${lists}))`;
};

/** Pairs of values as a table with the columns `position` (from 0), `first` and `second`. */
export const pairsOf = (pairs: ReadonlyArray<readonly [Value, Value]>): RawBuilder<unknown> =>
  sql`(SELECT key AS position, value ->> 0 AS first, value ->> 1 AS second FROM json_each(${jsonParameter(pairs)}))`;

/**
 * An inner join that reads its left side first; it needs an ON. For a few known rows on the left: SQLite otherwise guesses from its
 * statistics, and may walk the large table on the right.
 */
export const joinInOrder: RawBuilder<unknown> = sql`CROSS JOIN`;

/** A table of which one index is read. For a partial index: SQLite prefers one of all rows that more columns of the condition match. */
export const fromIndex = (table: string, index: string): RawBuilder<unknown> =>
  sql`${sql.table(table)} INDEXED BY ${sql.ref(index)}`;

/** The column's value, but no index on that column is considered. For conditions that hold for most rows. */
export const withoutIndex = (column: string): RawBuilder<unknown> => sql`+${sql.ref(column)}`;

type NumberOperand = number | Expression<number>;

/** The smaller of two numbers. The aggregate `min(column)` is standard SQL and needs no helper. */
export const least = (a: NumberOperand, b: NumberOperand): RawBuilder<number> => sql`min(${a}, ${b})`;

/** The larger of two numbers. */
export const greatest = (a: NumberOperand, b: NumberOperand): RawBuilder<number> => sql`max(${a}, ${b})`;

/** Whether a text column contains a text, compared exactly and without wildcards. */
export const contains = (column: string, part: string): RawBuilder<boolean> =>
  sql`instr(${sql.ref(column)}, ${part}) > 0`;

/**
 * Whether one of some text columns contains a text that `foldText` has folded, whatever the case of letters. Costs a microsecond per row and
 * reads no index, so it is for conditions on rows that an index has found.
 */
export const containsFolded = (columns: readonly string[], folded: string): RawBuilder<boolean> =>
  sql`instr(folded(concat_ws(char(10), ${sql.join(columns.map((column) => sql.ref(column)))})), ${folded}) > 0`;

/** Whether a column with a JSON list of texts has one of them. The list is parsed only where its text contains that of the element. */
export const jsonListHas = (column: string, text: string): RawBuilder<boolean> =>
  sql`instr(${sql.ref(column)}, ${JSON.stringify(text)}) > 0
    AND EXISTS (SELECT 1 FROM json_each(${sql.ref(column)}) WHERE value = ${text})`;

/** A value of the JSON object in a column: text, a number, or 1 and 0 for true and false. Null where the object or the key is missing. */
export const jsonValue = (column: string, key: string): RawBuilder<string | number | null> =>
  sql`(${sql.ref(column)} ->> ${sql.lit(key)})`;

/** Aggregate: the values of a column as a JSON list, because one long value is read faster than many rows. */
export const jsonListOf = (column: string): RawBuilder<string> => sql`json_group_array(${sql.ref(column)})`;

/** Aggregate: the bytes of a column joined end to end, in the same order as jsonListOf() in the same query; null without rows. */
export const bytesOf = (column: string): RawBuilder<Buffer | null> =>
  sql`CAST(group_concat(${sql.ref(column)}, '') AS BLOB)`;

/** The entries of a JSON object in a column as a table with the columns `key` and, in the object's order, `id`. */
export const entriesOf = (column: string): RawBuilder<unknown> => sql`json_each(${sql.ref(column)})`;
