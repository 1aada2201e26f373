import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import type { Queryable } from '../transaction.ts';
import { migrate } from './migrate.ts';

/**
 * What is wrong with a database; empty when every page, index and reference is sound and its tables, indexes and triggers are exactly those
 * that the migrations create. Reads the whole file.
 */
export async function damageIn(db: Queryable, binding: { nativeBinding?: string }): Promise<string[]> {
  const integrity = await sql<{ integrity_check: string }>`PRAGMA integrity_check(10)`.execute(db);
  const faults = integrity.rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  const references = await sql<{ table: string; parent: string }>`PRAGMA foreign_key_check`.execute(db);
  const dangling = references.rows.map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`);
  return [...faults, ...new Set(dangling), ...(await schemaFaults(db, binding))];
}

type SchemaObject = { type: string; name: string; sql: string };

/** Tables, indexes, triggers and views, except those that SQLite makes by itself: statistics, and the tables inside a full-text index. */
const schemaQuery = `SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow')`;

async function schemaFaults(db: Queryable, binding: { nativeBinding?: string }): Promise<string[]> {
  const wanted = objectsByName(await shippedSchema(binding));
  const present = objectsByName((await sql<SchemaObject>`${sql.raw(schemaQuery)}`.execute(db)).rows);
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
