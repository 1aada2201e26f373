import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { countingTriggers } from '../../src/db/sqlite/counters.generated.ts';
import { migrations } from '../../src/db/sqlite/migrations.generated.ts';
import { postgresPrograms, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { propertyRuns } from '../support/property-runs.ts';

// The rows of both databases after the same statements show whether PostgreSQL's triggers do what SQLite's do.
const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
const schema = readFileSync(join(import.meta.dirname, '../../sql/postgres/0001_baseline.sql'), 'utf8');

/** What PostgreSQL has beside SQLite's tables (sql/postgres/beside.sql). */
const beside = `'contact_search_trigrams', 'retrieval_postings', 'retrieval_trigrams', 'active_node', 'nodes'`;

type Column = { name: string; type: string; notnull: 0 | 1; dflt_value: string | null; pk: number };

const sqlite = new Sqlite(':memory:');
let server: PostgresServer | undefined;
before(() => {
  for (const { sql } of migrations) sqlite.exec(sql);
  sqlite.exec(countingTriggers);
  if (programs === undefined) return;
  server = startPostgres(programs);
  server.run('postgres', 'CREATE DATABASE parley');
  server.run('parley', `\\set ON_ERROR_STOP 1\n${schema}`);
});
after(() => {
  server?.stop();
  sqlite.close();
});

const read = (query: string): unknown =>
  JSON.parse(server!.run('parley', `SELECT coalesce(json_agg(row_to_json(found)), '[]') FROM (${query}) AS found`));

const tables = (): string[] =>
  sqlite
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .pluck()
    .all() as string[];
const columnsOf = memoized(
  (table) =>
    sqlite.prepare('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)').all(table) as Column[],
);
const keyOf = memoized((table) =>
  columnsOf(table)
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map(({ name }) => name),
);
const sqlOf = memoized((table) =>
  (sqlite.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table) as string).replaceAll(/--.*/g, ''),
);
const childColumns = memoized(
  (table) => sqlite.prepare('SELECT "from" FROM pragma_foreign_key_list(?)').pluck().all(table) as string[],
);

function memoized<T>(make: (table: string) => T): (table: string) => T {
  const made = new Map<string, T>();
  return (table) => {
    const known = made.get(table) ?? make(table);
    made.set(table, known);
    return known;
  };
}

const types: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  TEXT: 'text',
  BLOB: 'bytea',
};

test('both databases have the same tables and columns with the same types, defaults and keys', { skip }, () => {
  const columns = read(
    `SELECT table_name AS t, column_name AS c, data_type AS type, is_nullable AS isnull, column_default AS def
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT IN (${beside}) ORDER BY table_name COLLATE "C", ordinal_position`,
  );
  const expected = tables().flatMap((table) =>
    columnsOf(table).map(({ name, type, notnull, dflt_value: value, pk }) => ({
      t: table,
      c: name,
      type: types[type],
      isnull: notnull === 1 || pk > 0 ? 'NO' : 'YES',
      def: value === null ? null : value.startsWith("'") ? `${value}::text` : value,
    })),
  );
  assert.deepEqual(columns, expected);
  const keys = read(
    `SELECT conrelid::regclass::text AS t, (SELECT array_agg(attname ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS k(n, place)
       JOIN pg_attribute ON attrelid = conrelid AND attnum = n) AS key
     FROM pg_constraint WHERE contype = 'p' AND connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT IN (${beside}) ORDER BY conrelid::regclass::text COLLATE "C"`,
  );
  assert.deepEqual(
    keys,
    tables().map((t) => ({ t, key: keyOf(t) })),
  );
});

test('both databases have the same references, checks, unique columns and indexes', { skip }, () => {
  const constraints = read(
    `SELECT conrelid::regclass::text AS t, count(*) FILTER (WHERE contype = 'f') AS f, count(*) FILTER (WHERE contype = 'c') AS c
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0 AND conrelid::regclass::text NOT IN (${beside}) GROUP BY conrelid ORDER BY conrelid::regclass::text COLLATE "C"`,
  );
  const count = (table: string, what: string): number =>
    sqlite.prepare(`SELECT count(DISTINCT id) FROM pragma_${what}(?)`).pluck().get(table) as number;
  assert.deepEqual(
    constraints,
    tables().map((t) => ({ t, f: count(t, 'foreign_key_list'), c: sqlOf(t).match(/\bCHECK\b/g)?.length ?? 0 })),
  );
  const indexes = read(
    `SELECT indexname AS name FROM pg_indexes LEFT JOIN pg_constraint ON conname = indexname
     WHERE schemaname = 'public' AND conname IS NULL AND tablename NOT IN (${beside}) ORDER BY indexname COLLATE "C"`,
  );
  const known = tables();
  const made = sqlite
    .prepare(`SELECT name, tbl_name AS "of" FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`)
    .all() as Array<{ name: string; of: string }>;
  assert.deepEqual(
    (indexes as Array<{ name: string }>).map(({ name }) => name),
    made.filter(({ name, of }) => known.includes(of) && name !== 'contacts_search').map(({ name }) => name),
  );
});

/** Tables whose rows triggers add, and one that only a copy writes. */
const madeByTriggers =
  /^(?:organization_counts|delivery_counts|call_counts.*|call_figures|deliveries_by_hour|live_call_counts|knowledge_(?:source_counts|excerpts)|contact_search_pending|moved_to)$/;

/** Columns that rows of other tables name, such as the id of an event, which is not its table's key. */
const namedColumns = memoized(
  (table) =>
    sqlite
      .prepare(
        `SELECT "to" FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS f WHERE t.schema = 'main' AND f."table" = ?`,
      )
      .pluck()
      .all(table) as string[],
);

/** Numbers that triggers keep. Nothing else writes them, so that none of them falls below 0. */
const keptColumns = memoized((table) => {
  const triggers = sqlite.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  const updates = triggers.flatMap((text) => [...text.matchAll(new RegExp(`UPDATE ${table} SET\\b([^;]*)`, 'g'))]);
  return updates.flatMap(([, changed]) => [...changed!.matchAll(/(\w+) = \1 [+-]/g)].map(([, name]) => name!));
});

const someOf: Readonly<Record<string, readonly string[]>> = {
  'calls.analysis': ['NULL', `'{"goals_met":true}'`, `'{"goals_met":false}'`, `'{}'`],
  'calls.status': ['NULL', "'completed'", "'busy'", "'failed'"],
  'calls.call_latency_ms': ['NULL', '50', '730', '99999'],
  // On both sides of an hour.
  'webhook_deliveries.delivered_at': ['NULL', '3599999', '3600000'],
};

/** Draws random changes of all tables. */
function createDraws(seed: number): { insertion(table: string): string; change(table: string): string } {
  let state = seed;
  const below = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const texts = (table: string, column: string): string[] | undefined => {
    const [, list] =
      new RegExp(String.raw`\b${column} TEXT[^,]*CHECK \(${column} IN \(([^)]+)\)`).exec(sqlOf(table)) ?? [];
    return list?.split(', ');
  };
  const valueOf = (table: string, { name, type, notnull, pk }: Column): string => {
    const list = someOf[`${table}.${name}`] ?? texts(table, name);
    if (list) return list[below(list.length)]!;
    if (notnull === 0 && pk === 0 && below(3) === 0) return 'NULL';
    if (type === 'BLOB') return `'x'`;
    const isId = pk > 0 || name.endsWith('_id') || [...childColumns(table), ...namedColumns(table)].includes(name);
    if (type === 'TEXT') return `'${below(isId ? 3 : 1000)}'`;
    return type === 'REAL' ? `${below(8) / 4}` : String(pk > 0 ? 1 + below(3) : below(2));
  };
  const written = memoized((table) => columnsOf(table).filter(({ name }) => !keptColumns(table).includes(name)));
  function insertion(table: string): string {
    const names = written(table).map(({ name }) => name);
    return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${written(table)
      .map((column) => valueOf(table, column))
      .join(', ')});`;
  }
  return {
    insertion,
    change(table) {
      const one = written(table)[below(written(table).length)]!;
      const key = columnsOf(table).filter(({ pk }) => pk > 0);
      const found = key.map((column) => `${column.name} = ${valueOf(table, column)}`).join(' AND ');
      const doing = below(10);
      if (doing === 9) return `DELETE FROM ${table} WHERE ${found};`;
      if (doing > 3 && one.type !== 'BLOB')
        return `UPDATE ${table} SET ${one.name} = ${valueOf(table, one)} WHERE ${found};`;
      return insertion(table);
    },
  };
}

type Change = { statement: string; error: string | undefined };

/** Why SQLite refuses a statement; undefined if it carries it out. */
function errorOf(statement: string): string | undefined {
  try {
    sqlite.exec(statement.replaceAll("'x'", "x'78'"));
    return undefined;
  } catch (error) {
    assert.match((error as Error).message, /constraint|append-only/i, statement);
    return (error as Error).message;
  }
}

/** How often a change is drawn until its columns fit together. */
const maxDraws = 30;

/** Makes random changes in SQLite, half of them insertions before all others. */
function makeChanges(seed: number, count: number): Change[] {
  const draws = createDraws(seed);
  const from = tables().filter((table) => !madeByTriggers.test(table));
  return Array.from({ length: count }, (_, step) => {
    const table = from[step % from.length]!;
    const draw = step < count / 2 ? draws.insertion : draws.change;
    for (let drawn = 1; ; drawn += 1) {
      const statement = draw(table);
      const error = errorOf(statement);
      if (drawn === maxDraws || !error?.startsWith('CHECK')) return { statement, error };
    }
  });
}

test('the same changes leave the same rows and numbers in both databases', { skip }, () => {
  sqlite.pragma('foreign_keys = ON');
  const changes = makeChanges(7, 6000);
  const done = changes.filter(({ error }) => error === undefined).length;
  assert.ok(done > 2000, `${done} statements succeeded`);
  server!.run('parley', changes.map(({ statement }) => statement).join('\n'));
  const filled: string[] = [];
  for (const table of tables()) {
    const order = keyOf(table)
      .map((name) => `"${name}"`)
      .join(', ');
    const here = sqlite.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).all() as Array<Record<string, unknown>>;
    const rows = here.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Buffer ? String.raw`\x${value.toString('hex')}` : value,
        ]),
      ),
    );
    assert.deepEqual(read(`SELECT * FROM ${table} ORDER BY ${order}`), rows, table);
    if (rows.length > 0) filled.push(table);
  }
  for (const name of [
    'call_counts',
    'call_figures',
    'deliveries_by_hour',
    'delivery_counts',
    'knowledge_crawls',
    'knowledge_source_counts',
    'live_call_counts',
    'organization_counts',
    'webhook_deliveries',
  ])
    assert.ok(filled.includes(name), `${name} has no rows`);
});

test('an UPDATE of many deliveries counts what SQLite counts row by row', { skip }, () => {
  const endpoints = ['p1', 'p2', 'p3'];
  const deliveries = Array.from({ length: 30 }, (_, at) => ({ id: `many${at}`, endpoint: endpoints[at % 3]! }));
  const rows = [
    "INSERT INTO organizations (id, name, created_at) VALUES ('many', '', 0);",
    ...endpoints.map(
      (id) =>
        `INSERT INTO webhook_endpoints (id, organization_id, agent_id, url, status, created_at) VALUES ('${id}', 'many', '${id}', '', 'delivering', 0);`,
    ),
    "INSERT INTO webhook_events (number, id, organization_id, agent_id, event, body, created_at) VALUES (99, 'many', 'many', 'a', '', '', 0);",
    ...deliveries.map(
      ({ id, endpoint }) =>
        `INSERT INTO webhook_deliveries (id, organization_id, event_id, endpoint_id, status, created_at) VALUES ('${id}', 'many', 'many', '${endpoint}', 'pending', 0);`,
    ),
  ];
  const numbers = `SELECT endpoint_id, total, retrying, held, delivered, exhausted, cancelled, last_delivered_at
    FROM delivery_counts WHERE organization_id = 'many' ORDER BY endpoint_id`;
  const hours = `SELECT hour, endpoint_id, delivered FROM deliveries_by_hour
    WHERE organization_id = 'many' AND delivered > 0 ORDER BY hour, endpoint_id`;
  const update = fc
    .record({
      ids: fc.subarray(deliveries.map(({ id }) => id)),
      status: fc.constantFrom('pending', 'retrying', 'held', 'delivered', 'exhausted', 'cancelled'),
      at: fc.integer({ min: 1, max: 4 }).map((half) => half * 1_800_000),
    })
    .map(({ ids, status, at }) => {
      const settled = ['delivered', 'exhausted', 'cancelled'].includes(status) ? at : 'NULL';
      return `UPDATE webhook_deliveries SET status = '${status}', settled_at = ${settled},
        delivered_at = ${status === 'delivered' ? at : 'NULL'} WHERE id IN (${['none', ...ids].map((id) => `'${id}'`).join()});`;
    });
  sqlite.exec(rows.join('\n'));
  server!.run('parley', rows.join('\n'));
  fc.assert(
    fc.property(fc.array(update, { minLength: 1, maxLength: 40 }), (updates) => {
      for (const statement of updates) sqlite.exec(statement);
      server!.run('parley', updates.join('\n'));
      for (const query of [numbers, hours]) assert.deepEqual(read(query), sqlite.prepare(query).all());
    }),
    { numRuns: propertyRuns({ few: 10, all: 50 }), endOnFailure: true },
  );
});
