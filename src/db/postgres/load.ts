import type pg from 'pg';
import { sql } from 'kysely';
import type { CopiedRow, CopiedTable, CopySource, LastNumbers, Loading } from '../copy/tables.ts';
import { installation, onConnection, type Queryable, transact, type Tx } from '../transaction.ts';
import { type PostgresSettings } from './address.ts';
import { withoutPassword } from '../../base/redact.ts';
import { runAll } from './client.ts';
import { bringUpToDate, lockMigrations, missingFrom } from './migrate.ts';
import { databaseOnClient } from './one-client.ts';
import { connect } from './prepare.ts';
import { requireUsable } from './requirements.ts';

export type LoadOptions = { settings: PostgresSettings; nowMs: number; anyServer: boolean; version: string };

/**
 * Fills an empty database in one transaction, which also makes its tables: of a load that fails or is killed nothing remains.
 * @throws an Error when the database has rows, or tables of another program
 */
export async function loadPostgres<T>(
  { settings, nowMs, anyServer, version }: LoadOptions,
  load: (loading: Loading) => Promise<T>,
): Promise<T> {
  const shown = withoutPassword(settings.url);
  const client = await connect(settings, shown);
  try {
    await requireUsable(client, shown, anyServer);
    return await transact(databaseOnClient(client, settings), installation, async (tx) => {
      await withoutTimeouts(client);
      await lockMigrations(client);
      await requireEmpty(client, shown);
      await createTables(client, { shown, nowMs, version });
      const restore = await withoutRules(client);
      const loaded = await load({
        tx,
        insert: (table, rows) => insert(tx, table, rows),
        setLastNumbers: (numbers) => setLastNumbers(tx, numbers),
      });
      await runAll(client, restore);
      return loaded;
    });
  } finally {
    await client.end();
  }
}

async function createTables(
  client: pg.ClientBase,
  { shown, nowMs, version }: { shown: string; nowMs: number; version: string },
): Promise<void> {
  const missing = await missingFrom(client, { shown, version });
  await bringUpToDate(client, missing, { nowMs, version, onProgress: () => undefined });
}

/** A copy has statements that take long, and waits for the other database in between. */
export const withoutTimeouts = (client: pg.ClientBase): Promise<unknown> =>
  runAll(client, 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');

async function requireEmpty(client: pg.ClientBase, shown: string): Promise<void> {
  const tables = await runAll(
    client,
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
  );
  if (!tables.some(({ name }) => name === 'schema_migrations')) return; // another program's tables are refused later
  for (const name of tables.map((table) => table['name'] as string)) {
    if (name === 'schema_migrations') continue;
    const [found] = await runAll(client, `SELECT EXISTS (SELECT 1 FROM "${name}") AS has`);
    if (found?.['has'] === 1)
      throw new Error(`${shown} is not empty: its table ${name} has rows. Nothing was changed; name an empty database`);
  }
}

/** Drops references and switches triggers off. Returns what brings them back; the references are checked then. */
async function withoutRules(client: pg.ClientBase): Promise<string> {
  const references = await runAll(
    client,
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS away,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS back
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  const triggers = await runAll(
    client,
    `SELECT DISTINCT format('ALTER TABLE %s DISABLE TRIGGER USER', tgrelid::regclass) AS away,
       format('ALTER TABLE %s ENABLE TRIGGER USER', tgrelid::regclass) AS back
     FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)`,
  );
  const rules = [...references, ...triggers];
  const listed = (which: 'away' | 'back'): string => rules.map((rule) => rule[which]).join('; ');
  await runAll(client, listed('away'));
  return `${listed('back')}; ANALYZE`;
}

const insert = (tx: Tx, { name, columns }: CopiedTable, rows: readonly CopiedRow[]): Promise<void> =>
  onConnection(tx, async (connection) => {
    const list = columns.map((column) => `"${column}"`).join(', ');
    await connection.execute(
      `INSERT INTO "${name}" (${list}) SELECT ${list} FROM json_populate_recordset(NULL::"${name}", $1::json)`,
      [JSON.stringify(rows.map(jsonRow))],
    );
  });

const jsonRow = (row: CopiedRow): CopiedRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, jsonValue(value)]));

/** Bytes and numbers that JSON does not know, as PostgreSQL reads them from texts. */
const jsonValue = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? `\\x${Buffer.from(value).toString('hex')}`
    : typeof value === 'number' && !Number.isFinite(value)
      ? String(value)
      : value;

type Numbered = { name: string; column: string; sequence: string; last: number | null };

const numberedTables = async (db: Queryable): Promise<Numbered[]> =>
  (
    await sql<Numbered>`
      SELECT relation.relname AS name, attribute.attname AS "column", depends.objid::regclass::text AS sequence,
        pg_sequence_last_value(depends.objid::regclass) AS last
      FROM pg_depend AS depends
      JOIN pg_class AS relation ON relation.oid = depends.refobjid
      JOIN pg_attribute AS attribute ON attribute.attrelid = depends.refobjid AND attribute.attnum = depends.refobjsubid
      WHERE depends.classid = 'pg_class'::regclass AND depends.deptype = 'i'
        AND relation.relnamespace = current_schema()::regnamespace AND attribute.attidentity <> ''`.execute(db)
  ).rows;

export const lastNumbersIn = async (db: Queryable): ReturnType<CopySource['lastNumbers']> =>
  new Map((await numberedTables(db)).flatMap(({ name, last }) => (last === null ? [] : [[name, last] as const])));

/** Also of tables whose highest number SQLite looks up. */
async function setLastNumbers(tx: Tx, numbers: LastNumbers): Promise<void> {
  for (const { name, column, sequence } of await numberedTables(tx))
    await sql`SELECT setval(${sequence}::regclass, highest) FROM (
      SELECT greatest(${numbers.get(name) ?? 0}::bigint, max(${sql.ref(column)})) AS highest FROM ${sql.table(name)}
    ) AS numbers WHERE highest > 0`.execute(tx);
}
