import { rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { flushToDisk } from '../../base/files.ts';
import type { CopiedTable, CopySource, Loading } from '../copy/tables.ts';
import { installation, onConnection, type Queryable, transact, type Tx } from '../transaction.ts';
import type { bindingFor } from './addon.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

/** Tables that belong to one database, and are not copied to another. */
const ownTables: readonly string[] = ['schema_migrations', 'moved_to'];

type Binding = ReturnType<typeof bindingFor>;

/** The tables that every database of parley has, without the word indexes, which each database keeps in its own way. */
export async function copiedTables(binding: Binding): Promise<CopiedTable[]> {
  const database = new Sqlite(':memory:', binding);
  try {
    await migrate(database, ':memory:', { nowMs: 0 });
    const names = database
      .prepare(
        `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
      )
      .pluck()
      .all() as string[];
    const columnsOf = database.prepare('SELECT name, pk FROM pragma_table_info(?)');
    return names
      .filter((name) => !ownTables.includes(name))
      .map((name) => {
        const columns = columnsOf.all(name) as Array<{ name: string; pk: number }>;
        const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
        return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
      });
  } finally {
    database.close();
  }
}

/** Creates a database in a file that does not exist or is empty, and fills it. The file is on disk when this resolves. */
export async function loadFile<T>(
  file: string,
  options: { nowMs: number; binding?: Binding },
  load: (loading: Loading) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ file, ...options, throwAway: true });
  let result: T;
  try {
    result = await transact(database.db, installation, async (tx) => {
      await sql`PRAGMA defer_foreign_keys = ON`.execute(tx); // until the commit
      const triggers = await dropTriggers(tx);
      const loaded = await load({
        tx,
        insert: (table, rows) => insert(tx, table, rows),
        setLastNumbers: (numbers) => setLastNumbers(tx, numbers),
      });
      for (const trigger of triggers) await sql.raw(trigger).execute(tx);
      return loaded;
    });
  } finally {
    database.close();
    rmSync(`${file}.lock`, { force: true });
  }
  flushToDisk(file);
  return result;
}

/** Returns what makes the triggers again. Those that count would count the copied rows, whose counts are copied too. */
async function dropTriggers(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string; sql: string }>`
    SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid`.execute(tx);
  for (const { name } of rows) await sql`DROP TRIGGER ${sql.ref(name)}`.execute(tx);
  return rows.map((row) => row.sql);
}

const insert = (tx: Tx, { name, columns }: CopiedTable, rows: Parameters<Loading['insert']>[1]): Promise<void> =>
  onConnection(tx, async (connection) => {
    const statement = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    for (const row of rows)
      await connection.execute(
        statement,
        columns.map((column) => row[column]),
      );
  });

type LastNumber = { name: string; seq: number };

/** Of tables whose numbers are never given again; the others go on after their highest. */
export const lastNumbersIn = async (db: Queryable): ReturnType<CopySource['lastNumbers']> =>
  new Map(
    (await sql<LastNumber>`SELECT name, seq FROM sqlite_sequence`.execute(db)).rows.map(({ name, seq }) => [name, seq]),
  );

async function setLastNumbers(tx: Tx, numbers: Parameters<Loading['setLastNumbers']>[0]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`.execute(tx);
  for (const { name } of rows) {
    const last = numbers.get(name);
    if (last === undefined) continue;
    await sql`DELETE FROM sqlite_sequence WHERE name = ${name}`.execute(tx);
    await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${last})`.execute(tx);
  }
}
