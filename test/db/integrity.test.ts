import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import { examineShared } from '../../src/db/sqlite/integrity.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';

/** A database with three organizations, and a user and a contact of an organization that does not exist. */
async function damaged(t: TestContext): Promise<{ directory: string; file: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-integrity-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'parley.db');
  (await openDatabase({ file, nowMs: 0 })).close();
  const raw = new Sqlite(file);
  raw.pragma('foreign_keys = OFF');
  for (const id of ['a', 'b', 'c'])
    raw.exec(`INSERT INTO organizations (id, name, created_at) VALUES ('${id}', 'x', 0)`);
  raw.exec(`INSERT INTO contacts (id, organization_id, search, created_at, updated_at) VALUES ('1', 'none', '', 0, 0)`);
  raw.close();
  return { directory, file };
}

const dangling = ['a row of contacts refers to a missing row of organizations'];

test('a database that a server has open is examined where it is, while the server reads and writes', async (t) => {
  const { directory, file } = await damaged(t);
  const server = await openDatabase({ file, nowMs: 0 });
  await server.background.share();
  const files = readdirSync(directory);
  assert.deepEqual((await examineShared(file)).damage, dangling);
  assert.deepEqual(readdirSync(directory), files);
  await server.db.insertInto('organizations').values({ id: 'd', name: 'x', created_at: 0 }).execute();
  assert.deepEqual((await server.examine()).damage, dangling);
  server.close();
});

test('with a limit of rows, larger tables are not checked but named, and smaller ones are', async (t) => {
  const { file } = await damaged(t);
  const found = await examineShared(file, { maxRows: 2 });
  assert.deepEqual(found.damage, dangling);
  assert.match(found.sound, /not checked, because they are large: organization_counts, organizations\. /);
  const { damage, sound } = await examineShared(file, { maxRows: 0 });
  assert.deepEqual([damage, /not checked.*\bcontacts,/.test(sound)], [[], true]);
});
