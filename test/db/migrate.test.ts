import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { readMigrations, tokensOf } from '../../.build/migrations.ts';
import { type Migration, migrations } from '../../src/db/sqlite/migrations.generated.ts';
import { type SqliteDatabase, openDatabase, type OpenOptions } from '../../src/db/sqlite/open.ts';
import { makeDatabaseBeforeBaseline } from '../support/database-before-baseline.ts';
import { brokenMigrations, nextMigrations } from '../support/next-migrations.ts';

const count = migrations.length;
const firstNew = String(count + 1).padStart(4, '0');

function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-migrate-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

const open = (file: string, options: Partial<OpenOptions> = {}): Promise<SqliteDatabase> =>
  openDatabase({ file, nowMs: 0, throwAway: true, ...options });

/** A database of the shipped version with a delivery that waits. */
async function shippedDatabase(t: TestContext): Promise<string> {
  const file = join(temporaryDirectory(t), 'parley.db');
  (await open(file)).close();
  edit(
    file,
    `INSERT INTO organizations (id, name, created_at) VALUES ('org', 'Kept', 0);
    INSERT INTO webhook_endpoints (id, organization_id, agent_id, url, status, created_at)
      VALUES ('endpoint', 'org', 'agent', 'https://example.com', 'delivering', 0);
    INSERT INTO webhook_events (id, organization_id, agent_id, event, body, created_at)
      VALUES ('event', 'org', 'agent', 'call.completed', '{}', 0);
    INSERT INTO webhook_deliveries (id, organization_id, event_id, endpoint_id, status, created_at)
      VALUES ('delivery', 'org', 'event', 'endpoint', 'pending', 0);
    INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms) VALUES ('delivery', 1, 0, 0);`,
  );
  return file;
}

function edit(file: string, statements: string): void {
  const database = new Sqlite(file);
  database.exec(statements);
  database.close();
}

function rowsOf(file: string, query: string): unknown[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare(query).pluck().all();
  } finally {
    database.close();
  }
}

/** The schema, some rows and the recorded migrations of a database file. */
const contentsOf = (file: string) => ({
  schema: schemaOf(file),
  rows: rowsOf(file, 'SELECT name FROM organizations UNION ALL SELECT id FROM webhook_deliveries'),
  applied: rowsOf(file, "SELECT id || ' ' || sha256 FROM schema_migrations ORDER BY id"),
});

const schemaOf = (file: string) =>
  rowsOf(file, "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND sql IS NOT NULL ORDER BY name");

test('an upgrade keeps the data and ends with the schema of a new database', async (t) => {
  const file = await shippedDatabase(t);
  const before = contentsOf(file);
  for (const _ of ['upgraded', 'opened again']) (await open(file, { migrations: nextMigrations })).close();
  const created = `${file}.new`;
  (await open(created, { migrations: nextMigrations })).close();
  const after = contentsOf(file);
  assert.deepEqual(after.schema, schemaOf(created));
  assert.notDeepEqual(after.schema, before.schema);
  assert.deepEqual(after.rows, before.rows);
  assert.deepEqual(after.applied, contentsOf(created).applied);
});

test('an upgrade reports its steps; opening a current or a new database reports nothing', async (t) => {
  const file = await shippedDatabase(t);
  const reported: string[] = [];
  const upgrade = async (path: string): Promise<void> =>
    (await open(path, { migrations: nextMigrations, onProgress: (message) => reported.push(message) })).close();
  await upgrade(file);
  const [copy, ...rest] = reported.filter((message) => !message.endsWith('% are copied.'));
  assert.ok(copy!.includes(`${file}.before-${firstNew}`));
  const steps = nextMigrations.slice(count).map(({ id, name }) => `${String(id).padStart(4, '0')}, ${name}.`);
  assert.deepEqual(rest, [
    ...steps.map((step) => `Upgrading the database: migration ${step}`),
    'The database is upgraded.',
  ]);
  reported.length = 0;
  await upgrade(file);
  await upgrade(`${file}.new`);
  assert.deepEqual(reported, []);
});

test('a rebuilt table keeps its rows, the rows that refer to them and its counts, and foreign keys work afterwards', async (t) => {
  const { db, close } = await open(await shippedDatabase(t), { migrations: nextMigrations });
  t.after(() => close());
  const present = async () =>
    (
      await sql`SELECT d.note, a.number, k.total FROM delivery_counts k
        LEFT JOIN webhook_deliveries d ON d.endpoint_id = k.endpoint_id
        LEFT JOIN webhook_attempts a ON true`.execute(db)
    ).rows;
  assert.deepEqual(await present(), [{ note: 'rebuilt', number: 1, total: 1 }]);
  await db.deleteFrom('webhook_deliveries').execute();
  assert.deepEqual(await present(), [{ note: null, number: null, total: 0 }]);
});

test('an upgrade that leaves references to missing rows is undone', async (t) => {
  const file = await shippedDatabase(t);
  const before = contentsOf(file);
  await assert.rejects(open(file, { migrations: brokenMigrations }), /refer to missing rows.*the upgrade was undone/);
  assert.deepEqual(contentsOf(file), before);
});

test('before an upgrade the database is copied, readable by its owner alone', async (t) => {
  const file = await shippedDatabase(t);
  const before = contentsOf(file);
  (await open(file, { migrations: nextMigrations })).close();
  const copy = `${file}.before-${firstNew}`;
  assert.deepEqual(contentsOf(copy), before);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
});

test('a current database is not copied', async (t) => {
  const file = await shippedDatabase(t);
  (await open(file)).close();
  assert.deepEqual(
    readdirSync(dirname(file)).filter((name) => name.includes('before')),
    [],
  );
});

test('a database of a newer parley is refused and not changed', async (t) => {
  const file = await shippedDatabase(t);
  (await open(file, { migrations: nextMigrations })).close();
  const before = contentsOf(file);
  await assert.rejects(open(file), /written by a newer parley \(it has migration \d+, colours\)/);
  assert.deepEqual(contentsOf(file), before);
});

test('a database of a build between releases is refused and not changed', async (t) => {
  const file = await shippedDatabase(t);
  edit(file, "UPDATE schema_migrations SET sha256 = 'other'");
  const before = contentsOf(file);
  await assert.rejects(
    open(file, { migrations: nextMigrations }),
    /parley\.db was made by a build of parley that was never released .* Only that build opens it: contacts and results can be exported there/,
  );
  assert.deepEqual(contentsOf(file), before);
  assert.equal(existsSync(`${file}.before-${firstNew}`), false);
});

test('a database from before the baseline is refused with the last commit that opens it', async (t) => {
  const file = join(temporaryDirectory(t), 'parley.db');
  makeDatabaseBeforeBaseline(file);
  const before = readFileSync(file);
  await assert.rejects(
    open(file),
    /parley\.db was made by a build of parley that was never released .* Commit 56484bd is the last one that opens it/,
  );
  assert.ok(readFileSync(file).equals(before));
});

/** Random tokens as SQLite's parser sees them, and random comments and white space to put between them. */
const someToken = fc.oneof(
  fc.constantFrom('SELECT', 'a', 'b.c', '1.5', '(', ')', ',', ';', '->>', '||', '<>', '-', '/', "x'00'"),
  fc.string().map((text) => `'${text.replaceAll("'", "''")}'`),
  fc.string({ minLength: 1 }).map((text) => `"${text.replaceAll('"', '""')}"`),
);
const between = fc.constantFrom(' ', '\n\n  ', '\t', " -- a comment; it's long\n", ' /* one\n -- "two */ ', '\n--\n');

test('a hash covers the tokens alone: comments and white space do not change it, everything else does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(someToken, between)), between, (pairs, first) => {
      const text = first + pairs.map(([token, gap]) => token + gap).join('');
      assert.deepEqual(
        tokensOf(text),
        pairs.map(([token]) => token),
      );
    }),
  );
  assert.deepEqual(tokensOf("a--b\n'c -- d'/*e*/<=f->>'g''h'"), ['a', "'c -- d'", '<=', 'f', '->>', "'g''h'"]);
  assert.notDeepEqual(tokensOf("DEFAULT 'a b'"), tokensOf("DEFAULT 'a  b'"));
  assert.notDeepEqual(tokensOf("x'00'"), tokensOf("x '00'"));
  assert.notDeepEqual(tokensOf('ab'), tokensOf('a b'));
  assert.throws(() => tokensOf("SELECT 'open"), /a ' has no end/);
});

test('the build refuses a released migration that changed or is missing', (t) => {
  const directory = temporaryDirectory(t);
  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  const [{ sql: text, sha256 }] = migrations as [Migration];
  write('released.json', JSON.stringify({ '0001_one': sha256 }));
  assert.throws(() => readMigrations(directory), /holds no .sql files/);
  write('0001_one.sql', `-- another comment\n${text}`);
  assert.equal(readMigrations(directory)[0]!.sha256, sha256);
  write('0002_two.sql', 'CREATE TABLE two (a);');
  assert.equal(readMigrations(directory).length, 2);
  write('0004_four.sql', 'CREATE TABLE four (a);');
  assert.throws(() => readMigrations(directory), /without gaps/);
  rmSync(join(directory, '0004_four.sql'));
  write('0001_one.sql', `${text} SELECT 1;`);
  assert.throws(() => readMigrations(directory), /0001_one.sql was released and must not change/);
  rmSync(join(directory, '0001_one.sql'));
  assert.throws(() => readMigrations(directory), /0001_one.sql is missing/);
});

test('a SQLite file of another program is refused and not changed', async (t) => {
  const file = join(temporaryDirectory(t), 'parley.db');
  const database = new Sqlite(file);
  database.exec('CREATE TABLE theirs (x)');
  database.close();
  const before = readFileSync(file);
  await assert.rejects(
    openDatabase({ file, nowMs: 0, throwAway: true }),
    /is a SQLite database, but not one of parley's/,
  );
  assert.ok(readFileSync(file).equals(before));
});
