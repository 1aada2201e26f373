import type { TestContext } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { dialectOf, perDialect } from '../../src/db/dialect.ts';
import { totalChanges } from '../../src/db/sqlite/total-changes.ts';
import type { Queryable } from '../../src/db/transaction.ts';

/** What tests do to a database by themselves, on either store. */

/** A number in hexadecimal digits, in this many places. */
export const hexOf = (n: RawBuilder<unknown>, places: number): RawBuilder<string> =>
  perDialect({
    sqlite: () => sql`printf(${sql.lit(`%0${places}x`)}, ${n})`,
    postgres: () => sql`lpad(to_hex(${n}), ${sql.lit(places)}, '0')`,
  });

/** The id of row `n` of a table that is filled once. */
export const idOf = (n: RawBuilder<unknown>): RawBuilder<string> => sql`'01990000-0000-7000-8000-' || ${hexOf(n, 12)}`;

/** Begins a statement that reads the column `n` of `numbers`: 0 to `rows` - 1. */
export const numbersTo = (rows: number): RawBuilder<unknown> =>
  sql`WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${sql.lit(rows)})`;

/** The columns of a row but those named, to copy it. */
export async function columnsOf(db: Queryable, table: string, but: readonly string[]): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<object>`SELECT * FROM ${sql.table(table)} LIMIT 1`.execute(db);
  const names = Object.keys(rows[0]!).filter((name) => !but.includes(name));
  return sql.join(names.map((name) => sql.ref(name)));
}

type Insertion = {
  table: string;
  /** Of which rows (`NEW`). Default: all. */
  when?: string;
};

/** Makes the storage fail where a row is inserted, until the test ends or what this resolves to is called. */
export const failOnInsert = (
  t: TestContext,
  db: Queryable,
  insertion: Insertion,
  state: 'internal_error' | 'disk_full' = 'internal_error',
): Promise<() => Promise<void>> =>
  trigger(
    t,
    db,
    { ...insertion, moment: 'BEFORE' },
    {
      sqlite: "SELECT RAISE(ABORT, 'out of luck');",
      postgres: `RAISE EXCEPTION 'out of luck' USING ERRCODE = '${state}';`,
    },
  );

/** Runs statements, each with its semicolon, after a row was inserted, until the test ends. */
export const afterInsert = (
  t: TestContext,
  db: Queryable,
  insertion: Insertion,
  statements: string,
): Promise<() => Promise<void>> =>
  trigger(t, db, { ...insertion, moment: 'AFTER' }, { sqlite: statements, postgres: statements });

async function trigger(
  t: TestContext,
  db: Queryable,
  { table, when = '1 = 1', moment }: Insertion & { moment: string },
  does: { sqlite: string; postgres: string },
): Promise<() => Promise<void>> {
  const run = async (text: string): Promise<void> => void (await sql.raw(text).execute(db));
  const isPostgres = dialectOf(db) === 'postgres';
  const begin = `CREATE TRIGGER test_trigger ${moment} INSERT ON ${table}`;
  if (isPostgres) {
    await run(`CREATE OR REPLACE FUNCTION test_trigger() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${does.postgres} RETURN NEW; END $$`);
    await run(`${begin} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION test_trigger()`);
  } else await run(`${begin} WHEN ${when} BEGIN ${does.sqlite} END`);
  let isThere = true;
  const stop = async (): Promise<void> => {
    if (!isThere) return;
    isThere = false;
    await run(`DROP TRIGGER test_trigger${isPostgres ? ` ON ${table}` : ''}`);
  };
  t.after(stop);
  return stop;
}

/** How many rows have been changed since the first call, by triggers too. Not the heartbeats of nodes. */
export async function changesIn(db: Queryable): Promise<number> {
  if (dialectOf(db) === 'sqlite') return totalChanges(db);
  // A sequence is outside of transactions, as SQLite's count is.
  const { rows } = await sql`SELECT 1 FROM pg_class WHERE relname = 'test_changes'`.execute(db);
  if (rows.length === 0)
    await sql`DO $$ DECLARE name text; BEGIN
      CREATE SEQUENCE test_changes;
      CREATE FUNCTION test_changes() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''test_changes''); RETURN NULL; END';
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT IN ('active_node', 'nodes') LOOP
        EXECUTE format('CREATE TRIGGER test_changes AFTER INSERT OR UPDATE OR DELETE ON %I
          FOR EACH ROW EXECUTE FUNCTION test_changes()', name);
      END LOOP; END $$`.execute(db);
  const counted = await sql<{
    n: number;
  }>`SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS n FROM test_changes`.execute(db);
  return counted.rows[0]!.n;
}
