import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { readMigrations, tokensOf } from '../../.build/migrations.ts';
import { migrations } from '../../src/db/sqlite/migrations.generated.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { transact } from '../../src/db/transaction.ts';
import { listCalls } from '../../src/features/calls/call-list-store.ts';
import { fileRecent, liveCallsByOrganization } from '../../src/features/calls/store.ts';
import { type CampaignContactFilter, list as listContacts } from '../../src/features/campaigns/contacts/list-store.ts';
import { makeOldDatabase, oldOrganization } from '../support/old-database.ts';
import { propertyRuns } from '../support/property-runs.ts';

const count = migrations.length;
const sqlDirectory = join(import.meta.dirname, '../../sql/sqlite');
type Released = Record<string, { sha256: string; textSha256?: string }>;
const released = JSON.parse(readFileSync(join(sqlDirectory, 'released.json'), 'utf8')) as Released;

function oldFile(t: TestContext, migrationCount: number, options?: Parameters<typeof makeOldDatabase>[2]): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-migrate-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'parley.db');
  makeOldDatabase(file, migrationCount, options);
  return file;
}

function rowsOf(file: string, query: string): unknown[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare(query).pluck().all();
  } finally {
    database.close();
  }
}

/** The schema, the organizations and the recorded migrations of a database file. */
const contentsOf = (file: string) => ({
  schema: rowsOf(
    file,
    "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND sql IS NOT NULL ORDER BY name",
  ),
  organizations: rowsOf(file, 'SELECT id FROM organizations'),
  applied: rowsOf(file, 'SELECT id FROM schema_migrations ORDER BY id'),
});

test('a new database is as all migrations leave it, with the settings of its full-text indexes', async (t) => {
  const migrated = oldFile(t, count);
  const created = `${migrated}.new`;
  (await openDatabase({ file: created, nowMs: 0, throwAway: true })).close();
  const query = "SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1";
  const schemaOf = (file: string) => rowsOf(file, query).map((entry) => String(entry).replaceAll(/\s+/g, ' '));
  assert.deepEqual(schemaOf(created), schemaOf(migrated));
  const tables = rowsOf(created, "SELECT name FROM sqlite_schema WHERE name LIKE '%\\_config' ESCAPE '\\'") as string[];
  assert.ok(tables.length > 0);
  for (const table of tables) {
    const settings = `SELECT k || ' = ' || v FROM ${table} ORDER BY k`;
    assert.deepEqual(rowsOf(created, settings), rowsOf(migrated, settings), table);
  }
  assert.deepEqual(contentsOf(created).applied, contentsOf(migrated).applied);
});

test('an upgrade from any earlier version keeps the data and ends with the same schema', async (t) => {
  const newest = contentsOf(oldFile(t, count)).schema;
  const step = Math.ceil(count / propertyRuns({ few: 6, all: count }));
  for (let version = 1; version < count; version += step) {
    const file = oldFile(t, version);
    (await openDatabase({ file, nowMs: 0, throwAway: true })).close();
    const { schema, organizations, applied } = contentsOf(file);
    assert.deepEqual(schema, newest, `from ${version}`);
    assert.deepEqual(organizations, [oldOrganization]);
    assert.equal(applied.length, count);
  }
});

test('an upgrade reports its steps; opening a current or a new database reports nothing', async (t) => {
  const file = oldFile(t, count - 2);
  const reported: string[] = [];
  const open = async (path: string): Promise<void> =>
    (
      await openDatabase({ file: path, nowMs: 0, throwAway: true, onProgress: (message) => reported.push(message) })
    ).close();
  await open(file);
  const [copy, ...rest] = reported.filter((message) => !message.endsWith('% are copied.'));
  const last = migrations.slice(-2).map(({ id, name }) => `migration ${String(id).padStart(4, '0')}, ${name}.`);
  assert.ok(copy!.includes(`${file}.before-${String(count - 1).padStart(4, '0')}`));
  assert.deepEqual(rest, [...last.map((what) => `Upgrading the database: ${what}`), 'The database is upgraded.']);
  reported.length = 0;
  await open(file);
  await open(`${file}.new`);
  assert.deepEqual(reported, []);
});

test('a rebuilt table keeps its rows and the rows that refer to them, and foreign keys work afterwards', async (t) => {
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

test('an upgrade to centred vectors keeps the vectors, counts what waits, and has the next start look through all passages', async (t) => {
  const file = oldFile(t, 19);
  const old = new Sqlite(file);
  old.exec(`
    INSERT INTO retrieval_bases (id, organization_id, knowledge_base_id) VALUES (1, '${oldOrganization}', 'one'), (2, '${oldOrganization}', 'two');
    INSERT INTO retrieval_spaces (id, model, asked_dimensions, dimensions, is_current) VALUES (1, 'small', 0, 2, 1);
    INSERT INTO retrieval_embeddings (id, organization_id, space_id, content_hash, vector)
      VALUES (1, '${oldOrganization}', 1, 'hash', x'0000803f00000000');
    INSERT INTO retrieval_vectors (base_id, space_id, passage_id, embedding_id, signs) VALUES (1, 1, 7, 1, x'80');
    INSERT INTO retrieval_unembedded (base_id, passage_id) VALUES (1, 8), (1, 9), (2, 10)`);
  old.close();
  const { db, close } = await openDatabase({ file, nowMs: 0 });
  const pending = () => sql`SELECT pending FROM retrieval_bases ORDER BY id`.execute(db).then(({ rows }) => rows);
  assert.deepEqual(await pending(), [{ pending: 2 }, { pending: 1 }]);
  await sql`DELETE FROM retrieval_unembedded WHERE passage_id = 9`.execute(db);
  await sql`INSERT INTO retrieval_unembedded (base_id, passage_id) VALUES (2, 11)`.execute(db);
  assert.deepEqual(await pending(), [{ pending: 1 }, { pending: 2 }]);
  const { rows } = await sql`
    SELECT passage_id, hex(signs) AS signs, centre_id, hex(vector) AS vector, is_current FROM retrieval_vectors
    JOIN retrieval_embeddings ON retrieval_embeddings.id = embedding_id
    JOIN retrieval_spaces ON retrieval_spaces.id = retrieval_vectors.space_id`.execute(db);
  assert.deepEqual(rows, [{ passage_id: 7, signs: '80', centre_id: 0, vector: '0000803F00000000', is_current: 0 }]);
  close();
});

test('an upgrade to kept counts of notices and notes counts those that are there', async (t) => {
  const file = oldFile(t, 38);
  const database = new Sqlite(file);
  database.exec(`
    INSERT INTO organizations (id, name, created_at) VALUES ('org', 'Kept', 0), ('empty', 'Empty', 0);
    INSERT INTO contacts (id, organization_id, search, created_at, updated_at) VALUES ('ada', 'org', '', 0, 0), ('eve', 'org', '', 0, 0);
    INSERT INTO contact_notes (id, organization_id, contact_id, content, created_at)
      VALUES ('one', 'org', 'ada', '', 0), ('two', 'org', 'ada', '', 0);
    INSERT INTO notices (id, organization_id, kind, subject, body, created_at) VALUES ('notice', 'org', 'test', '', '', 0);`);
  database.close();
  const { db, close } = await openDatabase({ file, nowMs: 0, throwAway: true });
  t.after(() => close());
  const counts = db.selectFrom('organization_counts').select(['organization_id as id', 'notices']);
  const notices = await counts.where('organization_id', 'in', ['org', 'empty']).orderBy('id').execute();
  const notes = await db.selectFrom('contacts').select(['id', 'note_count']).orderBy('id').execute();
  assert.deepEqual(notices, [
    { id: 'empty', notices: 0 },
    { id: 'org', notices: 1 },
  ]);
  assert.deepEqual(notes, [
    { id: 'ada', note_count: 2 },
    { id: 'eve', note_count: 0 },
  ]);
  await db.deleteFrom('contact_notes').where('id', '=', 'one').execute();
  const [ada] = await db.selectFrom('contacts').select('note_count').where('id', '=', 'ada').execute();
  assert.equal(ada!.note_count, 1);
});

test('an upgrade to searches of campaign contacts notes those that differ from their contacts, and keeps what waits', async (t) => {
  const file = oldFile(t, 39);
  const database = new Sqlite(file);
  database.exec(`
    INSERT INTO organizations (id, name, created_at) VALUES ('org', 'Kept', 0);
    INSERT INTO contacts (id, organization_id, first_name, last_name, email, phone, search, created_at, updated_at)
      VALUES ('ada', 'org', 'Ada', 'Lovelace', NULL, '+1', '', 0, 0), ('eve', 'org', 'Eve', NULL, 'e@e.e', '+2', '', 0, 0);
    DELETE FROM contact_search_pending WHERE contact_id = 'eve';
    INSERT INTO contact_search_entries VALUES (1, 'eve');
    INSERT INTO campaigns (id, organization_id, name, status, execution_status, window_days, timezone, max_concurrent, max_cps,
      retry_attempts, retry_gap_min, retry_on, created_at, updated_at)
      VALUES ('k', 'org', 'K', 'paused', 'paused', '[]', 'UTC', 1, 1, 0, 60, '[]', 0, 0);
    INSERT INTO campaign_contacts (id, campaign_id, contact_id, position, name, phone, email, timezone, status)
      VALUES ('same', 'k', 'ada', 0, 'Ada Lovelace', '+1', NULL, '', 'pending'), ('also', 'k', 'eve', 1, 'Eve', '+2', 'e@e.e', '', 'busy'),
        ('renamed', 'k', 'ada', 2, 'Ada Byron', '+3', NULL, '', 'busy'), ('gone', 'k', NULL, 3, 'Bob', '+4', NULL, '', 'busy');`);
  database.close();
  const { db, close } = await openDatabase({ file, nowMs: 0, throwAway: true });
  t.after(() => close());
  const pending = db.selectFrom('contact_search_pending').select(['campaign_id as of', 'id']);
  assert.deepEqual(await pending.orderBy('id').execute(), [
    { of: '', id: 'ada' },
    { of: 'k', id: 'gone' },
    { of: 'k', id: 'renamed' },
  ]);
  assert.deepEqual(await db.selectFrom('contact_search_entries').selectAll().execute(), [{ number: 1, id: 'eve' }]);
});

test('an upgrade to kept counts of sources and pages counts those that are there', async (t) => {
  const file = oldFile(t, 40);
  const database = new Sqlite(file);
  database.exec(`
    INSERT INTO organizations (id, name, created_at) VALUES ('org', 'Kept', 0);
    INSERT INTO knowledge_bases (id, organization_id, name, enable_auto_refresh, created_at, updated_at)
      VALUES ('base', 'org', 'Help', 0, 0, 0);
    INSERT INTO knowledge_sources (id, organization_id, knowledge_base_id, type, name, status, created_at, updated_at, removed_at)
      VALUES ('site', 'org', 'base', 'url', '', 'processing', 0, 0, NULL), ('one', 'org', 'base', 'text', '', 'complete', 0, 0, NULL),
        ('two', 'org', 'base', 'text', '', 'complete', 0, 0, NULL), ('gone', 'org', 'base', 'text', '', 'complete', 0, 0, 1);
    INSERT INTO knowledge_documents (id, organization_id, knowledge_base_id, source_id, doc_id, name, status, created_at, updated_at)
      VALUES ('page', 'org', 'base', 'site', 'page', '', 'complete', 0, 0);
    INSERT INTO knowledge_crawls (source_id, host, round, max_pages, max_depth) VALUES ('site', 'a.example', 1, 10, 2);
    INSERT INTO knowledge_pages (id, source_id, kind, url, depth, is_start, redirects, state, round, document_id)
      VALUES ('robots', 'site', 'robots', 'r', 0, 0, 0, 'followed', 1, NULL), ('map', 'site', 'sitemap', 's', 0, 0, 0, 'asking', 1, NULL),
        ('kept', 'site', 'page', 'k', 0, 1, 0, 'kept', 1, 'page'), ('new', 'site', 'page', 'n', 1, 0, 0, 'found', 1, NULL),
        ('asked', 'site', 'page', 'a', 1, 0, 0, 'asking', 1, NULL), ('blocked', 'site', 'page', 'b', 1, 0, 0, 'blocked', 1, NULL);`);
  database.close();
  const { db, close } = await openDatabase({ file, nowMs: 0, throwAway: true });
  t.after(() => close());
  const sources = async () =>
    (await db.selectFrom('knowledge_source_counts').selectAll().where('sources', '>', 0).execute()).map(
      ({ type, status, sources: n }) => `${n} ${type} ${status}`,
    );
  const pages = async () => {
    const [crawl] = await db.selectFrom('knowledge_crawls').selectAll().execute();
    const { pages_found, pages_kept, pages_new, pages_requested, files_requested, sitemaps } = crawl!;
    return [pages_found, pages_kept, pages_new, pages_requested, files_requested, sitemaps];
  };
  assert.deepEqual(await sources(), ['2 text complete', '1 url processing']);
  assert.deepEqual(await pages(), [1, 1, 1, 2, 1, 1]);
  await db.updateTable('knowledge_sources').set({ status: 'error' }).where('id', '=', 'one').execute();
  await db.updateTable('knowledge_sources').set({ removed_at: 1 }).where('id', '=', 'two').execute();
  await db.updateTable('knowledge_pages').set({ state: 'dropped' }).where('id', 'in', ['new', 'map']).execute();
  assert.deepEqual(await sources(), ['1 text error', '1 url processing']);
  assert.deepEqual(await pages(), [1, 1, 0, 2, 0, 1]);
  // The page loses its document by the reference to it.
  await db.deleteFrom('knowledge_documents').execute();
  await db.deleteFrom('knowledge_pages').where('id', 'in', ['map', 'asked']).execute();
  assert.deepEqual(await pages(), [0, 1, 0, 1, 0, 0]);
});

test('an upgrade to recent calls lists the calls that ended before, and the live ones when they end', async (t) => {
  const file = oldFile(t, 47);
  const database = new Sqlite(file);
  database.exec(`
    INSERT INTO organizations (id, name, created_at) VALUES ('org', 'Kept', 0);
    INSERT INTO phone_numbers (id, organization_id, phone, type, status, max_concurrent, max_cps, created_at)
      VALUES ('number', 'org', '+4930901800', 'sip', 'active', 1, 1, 0);
    INSERT INTO calls (id, organization_id, agent_id, agent_name, phone_number_id, attempt, from_phone, to_phone, max_duration_ms, state,
      status, created_at)
    VALUES ('1', 'org', 'agent', '', 'number', 1, '', '', 1, 'ended', 'busy', 0),
      ('2', 'org', 'agent', '', 'number', 1, '', '', 1, 'ringing', NULL, 0), ('3', 'org', 'agent', '', 'number', 1, '', '', 1, 'ended', 'busy', 0);`);
  database.close();
  const { db, close } = await openDatabase({ file, nowMs: 0, throwAway: true });
  t.after(() => close());
  const listed = async () => {
    const { items, total } = await listCalls(db, 'org', { agentId: 'agent' }, { limit: 10, offset: 0 });
    return [total, ...items.map(({ id, state }) => `${id} ${state}`)];
  };
  assert.deepEqual(await listed(), [3, '3 ended', '2 ringing', '1 ended']);
  await db.updateTable('calls').set({ state: 'ended', status: 'busy' }).where('id', '=', '2').execute();
  assert.deepEqual(await listed(), [3, '3 ended', '2 ended', '1 ended']);
  const recent = await db.selectFrom('calls').select('id').where('recent', '=', 1).execute();
  assert.deepEqual(recent, [{ id: '2' }]);
});

test('an upgrade to recent campaign contacts lists those that were called before, are being called, and end later', async (t) => {
  const file = oldFile(t, 48);
  const database = new Sqlite(file);
  database.exec(`
    INSERT INTO organizations (id, name, created_at) VALUES ('org', 'Kept', 0);
    INSERT INTO phone_numbers (id, organization_id, phone, type, status, max_concurrent, max_cps, created_at)
      VALUES ('number', 'org', '+4930901800', 'sip', 'active', 1, 1, 0);
    INSERT INTO campaigns (id, organization_id, name, status, execution_status, window_days, timezone, max_concurrent, max_cps, retry_attempts,
      retry_gap_min, retry_on, created_at, updated_at, total, in_progress, no_answer, busy)
    VALUES ('campaign', 'org', '', 'active', 'running', '[1]', 'UTC', 1, 1, 0, 0, '[]', 0, 0, 3, 1, 2, 2);
    INSERT INTO campaign_contacts (id, campaign_id, position, phone, timezone, status, attempt_count, last_attempted_at, call_session_id)
    VALUES ('a', 'campaign', 1, '1', '', 'busy', 1, 1, '1'), ('b', 'campaign', 2, '2', '', 'in_progress', 1, 2, '2'),
      ('c', 'campaign', 3, '3', '', 'busy', 1, 3, '3');
    INSERT INTO calls (id, organization_id, agent_id, agent_name, phone_number_id, campaign_id, contact_id, campaign_contact_id, attempt,
      from_phone, to_phone, max_duration_ms, state, status, driver, recent, created_at)
    VALUES ('1', 'org', 'agent', '', 'number', 'campaign', 'x', 'a', 1, '', '', 1, 'ended', 'busy', 'sip', 0, 0),
      ('2', 'org', 'agent', '', 'number', 'campaign', 'x', 'b', 1, '', '', 1, 'ringing', NULL, 'sip', 0, 0),
      ('3', 'org', 'agent', '', 'number', 'campaign', 'x', 'c', 1, '', '', 1, 'ended', 'busy', 'sip', 1, 0);`);
  database.close();
  const { db, close } = await openDatabase({ file, nowMs: 0, throwAway: true });
  t.after(() => close());
  const page = { limit: 10, offset: 0 };
  const contacts = async (filter: CampaignContactFilter): Promise<string> =>
    (await listContacts(db, 'campaign', filter, page)).items.map(({ id }) => id).join('');
  const calls = async (): Promise<string> =>
    (await listCalls(db, 'org', { contactId: 'x' }, page)).items.map(({ id }) => id).join('');
  const all = async () => [
    await contacts({ statuses: ['busy'] }),
    await contacts({ statuses: ['in_progress'] }),
    await contacts({ sort: 'last_attempt' }),
    await calls(),
  ];
  assert.deepEqual(await all(), ['ac', 'b', 'cba', '321']);
  assert.deepEqual(await liveCallsByOrganization(db, 'sip'), new Map([['org', 1]]));
  await transact(db, 'org', async (tx) => {
    await sql`UPDATE calls SET state = 'ended', status = 'busy' WHERE id = '2'`.execute(tx);
    await sql`UPDATE campaign_contacts SET status = 'busy' WHERE id = 'b'`.execute(tx);
    await sql`UPDATE campaigns SET in_progress = 0, no_answer = 3`.execute(tx);
  });
  assert.deepEqual(await all(), ['abc', '', 'cba', '321']);
  assert.deepEqual(await liveCallsByOrganization(db, 'sip'), new Map());
  assert.equal(await transact(db, 'org', (tx) => fileRecent(tx, 'org', 10)), 1);
  assert.deepEqual(await all(), ['abc', '', 'cba', '321']);
  assert.deepEqual((await sql`SELECT 1 FROM campaign_contacts WHERE recent = 1`.execute(db)).rows, []);
});

test('before an upgrade the database is copied, readable by its owner alone', async (t) => {
  const file = oldFile(t, 2);
  const before = contentsOf(file);
  (await openDatabase({ file, nowMs: 0, throwAway: true })).close();
  const copy = `${file}.before-0003`;
  assert.deepEqual(contentsOf(copy), before);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
});

test('a current database is not copied', async (t) => {
  const file = oldFile(t, count);
  (await openDatabase({ file, nowMs: 0, throwAway: true })).close();
  assert.deepEqual(
    readdirSync(join(file, '..')).filter((name) => name.includes('before')),
    [],
  );
});

test('a database of a newer parley is refused and not changed', async (t) => {
  const file = oldFile(t, count);
  const database = new Sqlite(file);
  database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, 0)').run(count + 1, 'tomorrow', 'x');
  database.close();
  await assert.rejects(
    openDatabase({ file, nowMs: 0, throwAway: true }),
    /written by a newer parley \(it has migration \d+, tomorrow\)/,
  );
  assert.equal(contentsOf(file).applied.length, count + 1);
});

test('a database whose applied migration differs from the shipped one is refused', async (t) => {
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

test('a database with hashes of whole files, as the first releases recorded them, is upgraded', async (t) => {
  const file = oldFile(t, 11, { hashed: 'text' });
  const recorded = rowsOf(file, 'SELECT sha256 FROM schema_migrations ORDER BY id');
  assert.deepEqual(
    recorded,
    Object.values(released)
      .map(({ textSha256 }) => textSha256)
      .slice(0, 11),
  );
  for (const _ of ['upgraded', 'started again']) {
    const { db, close } = await openDatabase({ file, nowMs: 0, throwAway: true });
    assert.deepEqual(await db.selectFrom('organizations').select('name').execute(), [{ name: 'Kept' }]);
    close();
  }
  assert.deepEqual(contentsOf(file).schema, contentsOf(oldFile(t, count)).schema);
});

test('the old hash of one migration is not accepted for another', async (t) => {
  const file = oldFile(t, 3, { hashed: 'text' });
  const database = new Sqlite(file);
  database.exec(
    'UPDATE schema_migrations SET sha256 = (SELECT sha256 FROM schema_migrations WHERE id = 1) WHERE id = 3',
  );
  database.close();
  await assert.rejects(
    openDatabase({ file, nowMs: 0, throwAway: true }),
    /migration 3 .* is not the one this parley ships/,
  );
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
  const directory = mkdtempSync(join(tmpdir(), 'parley-sql-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  const { sha256 } = readMigrations(sqlDirectory)[2]!;
  write('released.json', JSON.stringify({ '0001_one': { sha256 } }));
  assert.throws(() => readMigrations(directory), /holds no .sql files/);
  write('0001_one.sql', `-- another comment\n${migrations[2]!.sql}`);
  assert.equal(readMigrations(directory)[0]!.sha256, sha256);
  write('0002_two.sql', 'CREATE TABLE two (a);');
  assert.equal(readMigrations(directory).length, 2);
  write('0004_four.sql', 'CREATE TABLE four (a);');
  assert.throws(() => readMigrations(directory), /without gaps/);
  rmSync(join(directory, '0004_four.sql'));
  write('0001_one.sql', `${migrations[2]!.sql} SELECT 1;`);
  assert.throws(() => readMigrations(directory), /0001_one.sql was released and must not change/);
  rmSync(join(directory, '0001_one.sql'));
  assert.throws(() => readMigrations(directory), /0001_one.sql is missing/);
});

test('a SQLite file of another program is refused and not changed', async (t) => {
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
