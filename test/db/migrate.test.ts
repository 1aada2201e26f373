import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { migrations } from '../../src/db/sqlite/migrations.generated.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { makeOldDatabase, oldOrganization } from '../support/old-database.ts';

const count = migrations.length;

function oldFile(t: TestContext, migrationCount: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-migrate-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'parley.db');
  makeOldDatabase(file, migrationCount);
  return file;
}

/** What a file holds: its schema, its organizations, how many migrations it says to have. */
function inside(file: string) {
  const database = new Sqlite(file, { readonly: true });
  try {
    const all = (query: string): unknown[] => database.prepare(query).pluck().all();
    return {
      schema: all("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND sql IS NOT NULL ORDER BY name"),
      organizations: all('SELECT id FROM organizations'),
      applied: all('SELECT id FROM schema_migrations ORDER BY id'),
    };
  } finally {
    database.close();
  }
}

test('from every earlier version the upgrade keeps what is there and ends in the same schema', async (t) => {
  const newest = inside(oldFile(t, count)).schema;
  for (let version = 1; version < count; version++) {
    const file = oldFile(t, version);
    (await openDatabase({ file, nowMs: 0, throwAway: true })).close();
    const { schema, organizations, applied } = inside(file);
    assert.deepEqual(schema, newest, `from ${version}`);
    assert.deepEqual(organizations, [oldOrganization]);
    assert.equal(applied.length, count);
  }
});

test('an upgrade tells what it is about; a start that changes nothing, or makes a database, tells nothing', async (t) => {
  const file = oldFile(t, count - 2);
  const told: string[] = [];
  const open = async (path: string): Promise<void> =>
    (await openDatabase({ file: path, nowMs: 0, throwAway: true, tell: (message) => told.push(message) })).close();
  await open(file);
  const [copy, ...rest] = told.filter((message) => !message.endsWith('% are copied.'));
  const last = migrations.slice(-2).map(({ id, name }) => `migration ${String(id).padStart(4, '0')}, ${name}.`);
  assert.ok(copy!.includes(`${file}.before-${String(count - 1).padStart(4, '0')}`));
  assert.deepEqual(rest, [...last.map((what) => `Upgrading the database: ${what}`), 'The database is upgraded.']);
  told.length = 0;
  await open(file);
  await open(`${file}.new`);
  assert.deepEqual(told, []);
});

test('a table that is made anew keeps its rows and those that refer to them, and references hold afterwards', async (t) => {
  const file = oldFile(t, 5);
  const old = new Sqlite(file);
  old.exec(`
    INSERT INTO webhook_endpoints (id, organization_id, agent_id, url, status, created_at)
      VALUES ('endpoint', '${oldOrganization}', 'agent', 'https://example.com', 'delivering', 0);
    INSERT INTO webhook_events (id, organization_id, agent_id, event, body, created_at)
      VALUES ('event', '${oldOrganization}', 'agent', 'call.completed', '{}', 0);
    INSERT INTO webhook_deliveries (id, organization_id, event_id, endpoint_id, status, created_at)
      VALUES ('delivery', '${oldOrganization}', 'event', 'endpoint', 'pending', 0);
  `);
  old.close();
  const { db, close } = await openDatabase({ file, nowMs: 0, throwAway: true });
  const waiting = db.selectFrom('webhook_deliveries').innerJoin('webhook_events', 'webhook_events.id', 'event_id');
  assert.equal((await waiting.select('body').execute()).length, 1);
  await db.deleteFrom('webhook_events').execute();
  const left = await db.selectFrom('webhook_deliveries').select('id').execute();
  assert.deepEqual(left, [], 'deliveries go with their event');
  await assert.rejects(sql`UPDATE webhook_endpoints SET organization_id = 'nobody'`.execute(db), /FOREIGN KEY/);
  close();
});

test('before the upgrade a copy is put beside the database, for its owner alone', async (t) => {
  const file = oldFile(t, 2);
  const before = inside(file);
  (await openDatabase({ file, nowMs: 0, throwAway: true })).close();
  const copy = `${file}.before-0003`;
  assert.deepEqual(inside(copy), before);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
});

test('a database that is up to date is not copied', async (t) => {
  const file = oldFile(t, count);
  (await openDatabase({ file, nowMs: 0, throwAway: true })).close();
  assert.deepEqual(
    readdirSync(join(file, '..')).filter((name) => name.includes('before')),
    [],
  );
});

test('a database of a newer parley is refused, and stays as it is', async (t) => {
  const file = oldFile(t, count);
  const database = new Sqlite(file);
  database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, 0)').run(count + 1, 'tomorrow', 'x');
  database.close();
  await assert.rejects(
    openDatabase({ file, nowMs: 0, throwAway: true }),
    /written by a newer parley \(it has migration \d+, tomorrow\)/,
  );
  assert.equal(inside(file).applied.length, count + 1);
});

test('a migration whose text is another than the one that was applied is refused', async (t) => {
  const file = oldFile(t, 2);
  const database = new Sqlite(file);
  database.prepare('UPDATE schema_migrations SET sha256 = ? WHERE id = 2').run('other');
  database.close();
  await assert.rejects(
    openDatabase({ file, nowMs: 0, throwAway: true }),
    /migration 2 .* is not the one this parley ships/,
  );
  assert.equal(existsSync(`${file}.before-0003`), false);
});

test('a SQLite file of another program is refused, and not written to', async (t) => {
  const file = oldFile(t, 1);
  rmSync(file);
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
