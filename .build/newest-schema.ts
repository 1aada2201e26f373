import Sqlite from 'better-sqlite3';
import { literal } from './generated-module.ts';
import type { Migration } from './migrations.ts';

type Entry = { type: 'table' | 'index' | 'trigger' | 'view'; name: string; sql: string };

/** The TypeScript module with the statements that create an empty database as all migrations would. */
export function newestSchemaModule(migrations: readonly Migration[]): string {
  const statements = statementsAfter(migrations).map((statement) => `${statement};\n`);
  return `// Written by .build/generate-sql.ts from sql/sqlite; change the migrations and run \`npm run generate\`.

/** Creates the database as all migrations do, in a tenth of their time. */
export const newestSchema = ${literal(`\n${statements.join('')}`)};
`;
}

/** @throws when the migrations leave rows in an empty database, because the schema alone would lack them */
function statementsAfter(migrations: readonly Migration[]): string[] {
  const database = new Sqlite(':memory:');
  try {
    for (const { sql } of migrations) database.exec(sql);
    const entries = entriesOf(database);
    const tables = entries.filter(({ type }) => type === 'table');
    for (const { name } of tables) {
      if (database.prepare(`SELECT 1 FROM "${name}"`).get() !== undefined) throw new Error(`migrations fill ${name}`);
    }
    return [...entries.map(({ sql }) => sql), ...tables.flatMap((table) => optionsOf(database, table))];
  } finally {
    database.close();
  }
}

/** Tables before the indexes and triggers on them, without the tables that SQLite adds for full-text indexes. */
const entriesOf = (database: Sqlite.Database): Entry[] =>
  database
    .prepare(
      `SELECT entry.type, entry.name, entry.sql FROM sqlite_schema AS entry
       JOIN pragma_table_list AS list ON list.name = entry.tbl_name AND list.schema = 'main'
       WHERE entry.sql IS NOT NULL AND entry.name NOT LIKE 'sqlite_%' AND list.type <> 'shadow'
       ORDER BY entry.type <> 'table', entry.rowid`,
    )
    .all() as Entry[];

/** Statements that set what a migration has set of a full-text index (https://www.sqlite.org/fts5.html, section 6). */
function optionsOf(database: Sqlite.Database, { name, sql }: Entry): string[] {
  if (!/USING fts5/i.test(sql)) return [];
  const options = database.prepare(`SELECT k, v FROM "${name}_config" WHERE k <> 'version' ORDER BY k`).all();
  return (options as Array<{ k: string; v: number }>).map(
    ({ k, v }) => `INSERT INTO ${name} (${name}, rank) VALUES ('${k}', ${v})`,
  );
}
