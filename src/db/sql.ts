import { type Expression, type RawBuilder, sql } from 'kysely';
import { perDialect } from './dialect.ts';
import { encoded } from './prepared.ts';

/**
 * SQL that each database writes differently, once for all stores. Every helper is a fragment for `sql` templates and for Kysely's query
 * builder, also inside prepared(), where its arguments may be parameters of the query.
 */

type Value = string | number;

/** The type of a column that is made from JSON: PostgreSQL asks for it, SQLite takes each value's own. */
export type ColumnType = 'text' | 'integer' | 'real';

const postgresTypes: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'bigint',
  real: 'double precision',
};

/** A JSON value as text, as a value of the type. */
const typed = (text: RawBuilder<unknown>, type: ColumnType): RawBuilder<unknown> =>
  type === 'text' ? text : sql`(${text})::${sql.raw(postgresTypes[type])}`;

/** A list as a single JSON parameter: the statement's text stays the same however long the list is, and no limit on parameters applies. */
const jsonParameter = (values: Iterable<unknown>): unknown => encoded(values, (given) => JSON.stringify([...given]));

/** A JSON list as an array of PostgreSQL, which it expects to be short: it then looks up each value in an index. */
const arrayOf = (list: unknown, type: ColumnType): RawBuilder<unknown> =>
  sql`ARRAY(SELECT ${typed(sql`value`, type)} FROM json_array_elements_text(${list}::json))`;

/** The right side of IN and NOT IN: `id IN ${listOf(ids)}`. PostgreSQL's compiler writes `= ANY` and `<> ALL` before it. */
export function listOf<T extends string>(values: Iterable<T>): RawBuilder<T>;
export function listOf(values: Iterable<number>, type: 'integer'): RawBuilder<number>;
export function listOf(values: Iterable<Value>, type: ColumnType = 'text'): RawBuilder<unknown> {
  const list = jsonParameter(values);
  return perDialect({
    sqlite: () => sql`(SELECT value FROM json_each(${list}))`,
    postgres: () => sql`(${arrayOf(list, type)})`,
  });
}

/** A list as a table with the column `value`: `FROM ${rowsOf(ids)} AS wanted`. */
export function rowsOf(values: Iterable<string>): RawBuilder<unknown>;
export function rowsOf(values: Iterable<number>, type: 'integer' | 'real'): RawBuilder<unknown>;
export function rowsOf(values: Iterable<Value>, type: ColumnType = 'text'): RawBuilder<unknown> {
  const list = jsonParameter(values);
  return perDialect({
    sqlite: () => sql`json_each(${list})`,
    postgres: () => sql`(SELECT unnest(${arrayOf(list, type)}) AS value)`,
  });
}

/** At the end of a SELECT: nobody else changes the rows that it finds before the transaction ends. On SQLite its write lock sees to that. */
export const lockedRows: RawBuilder<unknown> = perDialect({ sqlite: () => sql``, postgres: () => sql`FOR UPDATE` });

type Columns<C extends string> = Readonly<Record<C, ColumnType>>;

/** Objects as a table with one column per key: `FROM ${recordsOf(moves, { id: 'text', at: 'integer' })} AS move`. */
export function recordsOf<C extends string>(
  records: Iterable<Readonly<Record<NoInfer<C>, Value | null>>>,
  columns: Columns<C>,
): RawBuilder<unknown> {
  const names = Object.keys(columns) as C[];
  // As lists, because SQLite finds a value by its position in two thirds of the time that it takes by its key.
  const lists = encoded(records, (given) =>
    JSON.stringify(Array.from(given, (record) => names.map((name) => record[name]))),
  );
  const selected = (valueOf: (text: RawBuilder<unknown>, type: ColumnType) => RawBuilder<unknown>) =>
    sql.join(
      names.map((name, index) => sql`${valueOf(sql`value ->> ${sql.lit(index)}`, columns[name])} AS ${sql.ref(name)}`),
    );
  return perDialect({
    sqlite: () => sql`(SELECT ${selected((value) => value)} FROM json_each(${lists}))`,
    postgres: () => sql`(SELECT ${selected(typed)} FROM json_array_elements(${lists}::json))`,
  });
}

/** Pairs of texts as a table with the columns `position` (from 0), `first` and `second`. */
export function pairsOf(pairs: ReadonlyArray<readonly [string, string]>): RawBuilder<unknown> {
  const list = jsonParameter(pairs);
  return perDialect({
    sqlite: () => sql`(SELECT key AS position, value ->> 0 AS first, value ->> 1 AS second FROM json_each(${list}))`,
    postgres: () => sql`(SELECT position - 1 AS position, pair ->> 0 AS first, pair ->> 1 AS second
      FROM json_array_elements(${list}::json) WITH ORDINALITY AS given(pair, position))`,
  });
}

/**
 * An inner join that reads its left side first; it needs an ON. For a few known rows on the left: SQLite otherwise guesses from its
 * statistics, and may walk the large table on the right. PostgreSQL decides by itself.
 */
export const joinInOrder: RawBuilder<unknown> = perDialect({
  sqlite: () => sql`CROSS JOIN`,
  postgres: () => sql`JOIN`,
});

/**
 * An inner join of each row on the left with some rows of a table, as `alias`. `conditions`, from WHERE to LIMIT, may read the left side.
 * SQLite has no LATERAL, and PostgreSQL would look at the whole table for each row on the left.
 */
export const joinFirstRows = (table: string, alias: string, conditions: RawBuilder<unknown>): RawBuilder<unknown> =>
  perDialect({
    sqlite: () =>
      sql`CROSS JOIN ${sql.table(table)} ${sql.ref(alias)}
        ON ${sql.ref(`${alias}.id`)} IN (SELECT id FROM ${sql.table(table)} ${conditions})`,
    postgres: () => sql`CROSS JOIN LATERAL (SELECT * FROM ${sql.table(table)} ${conditions}) AS ${sql.ref(alias)}`,
  });

/** A table of which one index is read. For a partial index: SQLite prefers one of all rows that more columns of the condition match. */
export const fromIndex = (table: string, index: string): RawBuilder<unknown> =>
  perDialect({
    sqlite: () => sql`${sql.table(table)} INDEXED BY ${sql.ref(index)}`,
    postgres: () => sql`${sql.table(table)}`,
  });

/** The column's value, but SQLite considers no index on that column. For conditions that hold for most rows. */
export const withoutIndex = (column: string): RawBuilder<unknown> =>
  perDialect({ sqlite: () => sql`+${sql.ref(column)}`, postgres: () => sql`${sql.ref(column)}` });

/** One of several SELECTs of a list, and the order in which an index has its rows. */
export type OrderedSelect = { select: RawBuilder<unknown>; order: RawBuilder<unknown> };

/** `offset`: only where `limit` is a number. */
type Range = { limit: number | RawBuilder<unknown>; offset?: number };

/**
 * The first rows of several SELECTs together. SQLite merges the rows as their indexes have them. PostgreSQL would read and sort all of them,
 * so there each SELECT gives its own first rows, in the order of its index, which for these rows is that of the list.
 */
export function firstRowsOf(
  selects: readonly OrderedSelect[],
  order: RawBuilder<unknown>,
  { limit, offset }: Range,
): RawBuilder<unknown> {
  const range = offset === undefined ? sql`LIMIT ${limit}` : sql`LIMIT ${limit} OFFSET ${offset}`;
  const enough = offset === undefined ? limit : Number(limit) + offset;
  const all = (parts: ReadonlyArray<RawBuilder<unknown>>): RawBuilder<unknown> =>
    sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY ${order} ${range}`;
  const [only] = selects;
  return perDialect({
    sqlite: () => all(selects.map(({ select }) => select)),
    postgres: () =>
      selects.length === 1
        ? sql`${only!.select} ORDER BY ${only!.order} ${range}`
        : all(selects.map((part) => sql`(${part.select} ORDER BY ${part.order} LIMIT ${enough})`)),
  });
}

type NumberOperand = number | Expression<number>;

/** The smaller of two numbers, neither of which is null: databases disagree about null. The aggregate `min(column)` is standard SQL and needs no helper. */
export const least = (a: NumberOperand, b: NumberOperand): RawBuilder<number> =>
  perDialect({ sqlite: () => sql`min(${a}, ${b})`, postgres: () => sql`least(${a}, ${b})` });

/** The larger of two numbers, neither of which is null. */
export const greatest = (a: NumberOperand, b: NumberOperand): RawBuilder<number> =>
  perDialect({ sqlite: () => sql`max(${a}, ${b})`, postgres: () => sql`greatest(${a}, ${b})` });

/** Whether a text column contains a text, compared exactly and without wildcards. */
export const contains = (column: string, part: string): RawBuilder<boolean> =>
  perDialect({
    sqlite: () => sql`instr(${sql.ref(column)}, ${part}) > 0`,
    postgres: () => sql`strpos(${sql.ref(column)}, ${part}) > 0`,
  });

/**
 * Whether one of some text columns contains a text that `foldText` has folded, whatever the case of letters. Costs a microsecond per row and
 * reads no index, so it is for conditions on rows that an index has found.
 */
export function containsFolded(columns: readonly string[], folded: string): RawBuilder<boolean> {
  const texts = sql.join(columns.map((column) => sql.ref(column)));
  return perDialect({
    sqlite: () => sql`instr(folded(concat_ws(char(10), ${texts})), ${folded}) > 0`,
    postgres: () => sql`strpos(folded(concat_ws(chr(10), ${texts})), ${folded}) > 0`,
  });
}

/** Whether a column with a JSON list of texts has one of them. The list is parsed only where its text contains that of the element. */
export function jsonListHas(column: string, text: string): RawBuilder<boolean> {
  const list = sql.ref(column);
  return perDialect({
    sqlite: () => sql`instr(${list}, ${JSON.stringify(text)}) > 0
      AND EXISTS (SELECT 1 FROM json_each(${list}) WHERE value = ${text})`,
    postgres: () => sql`strpos(${list}, ${JSON.stringify(text)}) > 0
      AND EXISTS (SELECT 1 FROM json_array_elements_text(${list}::json) WHERE value = ${text})`,
  });
}

/** A text of the JSON object in a column. Null where the object or the key is missing. */
export const jsonText = (column: string, key: string): RawBuilder<string | null> =>
  perDialect({
    sqlite: () => sql`(${sql.ref(column)} ->> ${sql.lit(key)})`,
    postgres: () => sql`(${sql.ref(column)}::json ->> ${sql.lit(key)})`,
  });

/** True or false of the JSON object in a column, as 1 or 0. Null where the object or the key is missing. */
export const jsonFlag = (column: string, key: string): RawBuilder<number | null> =>
  perDialect({
    sqlite: () => sql`(${sql.ref(column)} ->> ${sql.lit(key)})`,
    postgres: () => sql`(${sql.ref(column)}::json ->> ${sql.lit(key)})::boolean::integer`,
  });

/** Aggregate: the values of a column as a JSON list, because one long value is read faster than many rows. */
export const jsonListOf = (column: string): RawBuilder<string> =>
  perDialect({
    sqlite: () => sql`json_group_array(${sql.ref(column)})`,
    postgres: () => sql`coalesce(json_agg(${sql.ref(column)})::text, '[]')`,
  });

/** Aggregate: the bytes of a column joined end to end, in the same order as jsonListOf() in the same query; null without rows. */
export const bytesOf = (column: string): RawBuilder<Buffer | null> =>
  perDialect({
    sqlite: () => sql`CAST(group_concat(${sql.ref(column)}, '') AS BLOB)`,
    postgres: () => sql`string_agg(${sql.ref(column)}, ''::bytea)`,
  });

/** The entries of a JSON object in a column as a table with the columns `key` and, in the object's order, `id`. */
export const entriesOf = (column: string): RawBuilder<unknown> =>
  perDialect({
    sqlite: () => sql`json_each(${sql.ref(column)})`,
    postgres: () => sql`LATERAL (SELECT found.key, found.id
      FROM json_each(${sql.ref(column)}::json) WITH ORDINALITY AS found(key, value, id))`,
  });
