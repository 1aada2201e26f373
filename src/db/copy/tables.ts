import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { nextMacrotask } from '../../base/clock.ts';
import { onConnection, type Queryable, type Tx } from '../transaction.ts';

/** A table that every database of parley has. `key`: the columns of its primary key, in order. */
export type CopiedTable = { name: string; columns: readonly string[]; key: readonly string[] };

export type CopiedRow = Readonly<Record<string, unknown>>;

/** The last number that a table has given to a row, by table: numbers must not be given again after a copy. */
export type LastNumbers = ReadonlyMap<string, number>;

/** An empty database that is being filled, in one transaction and without triggers and references. */
export type Loading = {
  tx: Tx;
  insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  setLastNumbers(numbers: LastNumbers): Promise<void>;
};

/** A database that nobody changes while it is read. */
export type CopySource = { db: Queryable; lastNumbers(): Promise<LastNumbers> };

/** What a table holds. The digest is over the rows in the order of their keys: equal digests, equal tables. */
export type TableSummary = { table: string; rows: number; digest: string };

/** A portion ends before it has more rows or more bytes of texts. */
const [maxRows, maxBytes] = [2000, 1_048_576];

/** Copies all rows, and compares what both databases hold then. `onTable` is called after each table. */
export async function copyTables(
  source: CopySource,
  target: Loading,
  tables: readonly CopiedTable[],
  onTable: (summary: TableSummary) => void,
): Promise<void> {
  for (const table of tables) {
    const read = summaryOf(table);
    for await (const rows of portionsOf(source.db, table)) {
      read.add(rows);
      await target.insert(table, rows);
    }
    const written = summaryOf(table);
    for await (const rows of portionsOf(target.tx, table)) written.add(rows);
    const [expected, found] = [read.end(), written.end()];
    if (found.rows !== expected.rows || found.digest !== expected.digest)
      throw new Error(
        `${table.name}: ${expected.rows} rows were read and ${found.rows} written, and they differ; nothing was copied`,
      );
    onTable(expected);
  }
  await target.setLastNumbers(await source.lastNumbers());
}

/** The rows of a table in the order of its key. */
async function* portionsOf(db: Queryable, { name, columns, key }: CopiedTable): AsyncGenerator<CopiedRow[]> {
  const list = (names: readonly string[]) => sql.join(names.map((column) => sql.ref(column)));
  let beyond = sql``;
  for (;;) {
    const query = sql<CopiedRow>`SELECT ${list(columns)} FROM ${sql.table(name)} ${beyond}
      ORDER BY ${list(key)} LIMIT ${sql.lit(maxRows)}`.compile(db);
    const { rows, isCut } = await onConnection(db, (connection) =>
      connection.readUpTo<CopiedRow>(query.sql, query.parameters, maxBytes),
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (!isCut && rows.length < maxRows) return;
    beyond = sql`WHERE (${list(key)}) > (${sql.join(key.map((column) => last[column]))})`;
    await nextMacrotask();
  }
}

type Summary = { add(rows: readonly CopiedRow[]): void; end(): TableSummary };

function summaryOf({ name, columns }: CopiedTable): Summary {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows) {
      count += rows.length;
      for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => plain(row[column])))}\n`);
    },
    end: () => ({ table: name, rows: count, digest: hash.digest('hex') }),
  };
}

/** Tells bytes from texts, and numbers that JSON does not know from null. */
const plain = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? { bytes: Buffer.from(value).toString('base64') }
    : typeof value === 'number' && !Number.isFinite(value)
      ? { number: String(value) }
      : value;
