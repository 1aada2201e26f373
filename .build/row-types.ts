import Sqlite from 'better-sqlite3';
import { type Migration, tokensOf } from './migrations.ts';

type Column = { name: string; type: string; notnull: 0 | 1; dflt_value: string | null; pk: number };
type Table = { name: string; sql: string; wr: 0 | 1; columns: Column[] };

/** The TypeScript type in which better-sqlite3 returns a column of a STRICT table, by the column's type. */
const types: Readonly<Record<string, string>> = { TEXT: 'string', INTEGER: 'number', REAL: 'number', BLOB: 'Buffer' };

/** The TypeScript module that describes the rows of the migrated database. */
export function rowTypesModule(migrations: readonly Migration[]): string {
  const tables = tablesAfter(migrations);
  const described = tables.map(
    (table) =>
      `export type ${typeName(table)} = {\n${table.columns.map((column) => field(table, column)).join('')}};\n`,
  );
  return `// Written by .build/generate-sql.ts from sql/sqlite; change the migrations and run \`npm run generate\`.
import type { Generated } from 'kysely';

${described.join('\n')}
export type Tables = {
${tables.map((table) => `  ${table.name}: ${typeName(table)};\n`).join('')}};
`;
}

/** All tables of parley in alphabetical order, without the full-text index: its virtual tables, and those that SQLite adds for them. */
function tablesAfter(migrations: readonly Migration[]): Table[] {
  const database = new Sqlite(':memory:');
  try {
    for (const { sql } of migrations) database.exec(sql);
    const tables = database
      .prepare(
        `SELECT list.name, list.wr, entry.sql FROM pragma_table_list AS list
         JOIN sqlite_schema AS entry ON entry.name = list.name
         WHERE list.schema = 'main' AND list.type = 'table' AND list.name NOT LIKE 'sqlite_%' ORDER BY list.name`,
      )
      .all() as Array<Omit<Table, 'columns'>>;
    const columns = database.prepare('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)');
    return tables.map((table) => ({ ...table, columns: columns.all(table.name) as Column[] }));
  } finally {
    database.close();
  }
}

/** `api_keys` → `ApiKeysTable` */
const typeName = ({ name }: Table): string =>
  `${name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Table`;

function field(table: Table, column: Column): string {
  const type = types[column.type];
  if (type === undefined) throw new Error(`${table.name}.${column.name}: what is a ${column.type} in TypeScript?`);
  const one = allowedValues(table, column) ?? type;
  const value = column.notnull === 1 || column.pk > 0 ? one : `${one} | null`;
  return `  ${column.name}: ${hasDefault(table, column) ? `Generated<${value}>` : value};\n`;
}

/** The values of a column with `CHECK (column IN ('a', 'b'))`, as a union; undefined without such a check. */
function allowedValues({ sql }: Table, { name }: Column): string | undefined {
  const check = new RegExp(`CHECK \\( ${name} IN \\( ((?:'[a-zA-Z_]+'(?: , )?)+) \\) \\)`);
  return check.exec(tokensOf(sql).join(' '))?.[1]?.replaceAll(' , ', ' | ');
}

/** Whether an insert may leave the column out: it has a default, or it is an id that SQLite assigns. */
const hasDefault = ({ columns, wr }: Table, { type, dflt_value, pk }: Column): boolean =>
  dflt_value !== null ||
  (wr === 0 && type === 'INTEGER' && pk === 1 && columns.filter((column) => column.pk > 0).length === 1);
