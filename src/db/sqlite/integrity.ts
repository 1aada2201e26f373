import Sqlite from 'better-sqlite3';
import { partition } from '../../base/partition.ts';
import type { Examination, ExaminationScope } from '../open-database.ts';
import { bindingFor } from './addon.ts';
import { migrate } from './migrate.ts';

/**
 * Checks that pages, indexes and references are sound, and that tables, indexes and triggers are exactly those that the migrations create.
 * Reads the whole file unless `maxRows` is given. Blocks its thread meanwhile.
 */
export async function examine(
  database: Sqlite.Database,
  binding: { nativeBinding?: string },
  { checks = [], maxRows }: ExaminationScope = {},
): Promise<Examination> {
  const schema = await schemaFaults(database, binding);
  if (maxRows === undefined) {
    // The queries need the tables and columns that the migrations create.
    const broken = (schema.length > 0 ? [] : checks).filter(
      ({ query }) => database.prepare(`SELECT 1 WHERE EXISTS (${query})`).get() !== undefined,
    );
    return { damage: [...damageOf(database), ...schema, ...broken.map(({ fault }) => fault)], sound: allSound };
  }
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`).pluck().all();
  const [small, large] = partition(tables as string[], (table) => hasAtMost(database, table, maxRows));
  return { damage: [...small.flatMap((table) => damageOf(database, table)), ...schema], sound: soundWithout(large) };
}

const allSound = 'all pages, indexes, references and kept numbers are right';

const soundWithout = (tables: readonly string[]): string =>
  tables.length === 0
    ? 'all pages, indexes and references are right'
    : `the small tables are intact; not checked, because they are large: ${tables.toSorted().join(', ')}. parley doctor --full checks all`;

/** Examines a database that another process has open, on a read-only connection. That process must share it (`background.share`). */
export async function examineShared(file: string, scope?: ExaminationScope): Promise<Examination> {
  const binding = bindingFor(file);
  const database = new Sqlite(file, { ...binding, readonly: true, fileMustExist: true });
  try {
    database.pragma('busy_timeout = 1000');
    return await examine(database, binding, scope);
  } finally {
    database.close();
  }
}

/** Examines a copy that nobody else has open. Leaves no file beside it, which a read-only connection would. */
export async function examineCopy(
  file: string,
  binding: { nativeBinding?: string },
  scope?: ExaminationScope,
): Promise<Examination> {
  const database = new Sqlite(file, { ...binding, fileMustExist: true });
  try {
    return await examine(database, binding, scope);
  } finally {
    database.close();
  }
}

/** Faults of all tables, or of one. */
function damageOf(database: Sqlite.Database, table?: string): string[] {
  const name = table === undefined ? undefined : quoteName(table);
  const integrity = database.pragma(`integrity_check(${name ?? 10})`) as Array<{ integrity_check: string }>;
  const faults = integrity.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  const references = database.pragma(`foreign_key_check${name === undefined ? '' : `(${name})`}`);
  const dangling = (references as Array<{ table: string; parent: string }>).map(
    (row) => `a row of ${row.table} refers to a missing row of ${row.parent}`,
  );
  return [...faults, ...new Set(dangling)];
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function hasAtMost(database: Sqlite.Database, table: string, rows: number): boolean {
  const counted = `SELECT count(*) FROM (SELECT 1 FROM ${quoteName(table)} LIMIT ${rows + 1})`;
  return (database.prepare(counted).pluck().get() as number) <= rows;
}

type SchemaObject = { type: string; name: string; sql: string };

/** Tables, indexes, triggers and views, except those that SQLite makes by itself: statistics, and the tables inside a full-text index. */
const schemaQuery = `SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow')`;

async function schemaFaults(database: Sqlite.Database, binding: { nativeBinding?: string }): Promise<string[]> {
  const wanted = objectsByName(await shippedSchema(binding));
  const present = objectsByName(database.prepare(schemaQuery).all() as SchemaObject[]);
  const missing = [...wanted.keys()].filter((name) => !present.has(name)).map((name) => `${name} is missing`);
  const foreign = [...present.keys()].filter((name) => !wanted.has(name)).map((name) => `${name} is not parley's`);
  const changed = [...present].filter(([name, text]) => wanted.has(name) && wanted.get(name) !== text);
  return [...missing, ...foreign, ...changed.map(([name]) => `${name} was changed`)];
}

/** `table calls` → its statement. Comments and white space in it vary with the release that created it. */
const objectsByName = (objects: readonly SchemaObject[]): Map<string, string> =>
  new Map(objects.map(({ type, name, sql: text }) => [`${type} ${name}`, withoutComments(text)]));

const withoutComments = (text: string): string =>
  text.replaceAll(/('(?:[^']|'')*'|"(?:[^"]|"")*")|--[^\n]*|\/\*[^]*?\*\/|\s+/g, (_, quoted?: string) => quoted ?? '');

async function shippedSchema(binding: { nativeBinding?: string }): Promise<SchemaObject[]> {
  const database = new Sqlite(':memory:', binding);
  try {
    await migrate(database, ':memory:', { nowMs: 0 });
    return database.prepare(schemaQuery).all() as SchemaObject[];
  } finally {
    database.close();
  }
}
