import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { applyPragmas } from '../../src/db/sqlite/pragmas.ts';

test('connections enforce foreign keys, do not trust functions in the schema, and never checkpoint within a commit', (t) => {
  const database = new Sqlite(':memory:');
  t.after(() => database.close());
  applyPragmas(database, 'NORMAL');
  const settings = ['foreign_keys', 'trusted_schema', 'wal_autocheckpoint', 'synchronous', 'temp_store'];
  assert.deepEqual(
    settings.map((name) => database.pragma(name, { simple: true })),
    [1, 0, 0, 1, 2],
  );
});

test('a database has pages of 2 KiB and is checkpointed after 16 MB of log', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-pages-'));
  const { db, background, close } = await openDatabase({
    file: join(directory, 'parley.db'),
    nowMs: 0,
    throwAway: true,
  });
  t.after(() => {
    close();
    rmSync(directory, { recursive: true });
  });
  let isLarge = false;
  background.onLargeLog(() => (isLarge = true));
  const longName = 'x'.repeat(8000);
  for (let batch = 0; !isLarge; batch += 1) {
    await sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 256)
      INSERT INTO organizations (id, name, created_at) SELECT format('%d-%d', ${batch}, i), ${longName}, 0 FROM n
    `.execute(db);
  }
  const { page_size: size } = (await sql<{ page_size: number }>`PRAGMA page_size`.execute(db)).rows[0]!;
  assert.equal(size, 2048);
  const bytes = size * (await sql<{ log: number }>`PRAGMA wal_checkpoint(NOOP)`.execute(db)).rows[0]!.log;
  assert.ok(bytes >= 16_384_000 && bytes < 20_000_000, `${bytes} bytes`);
});
